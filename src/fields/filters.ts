import type { SelectQueryBuilder } from 'typeorm';
import { noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { field } from '../contract/field.js';
import { booleanOf } from '../contract/params.js';
import type { Holder } from './field.entity.js';
import { fieldMessages } from './fields.messages.js';
import { checkValue, definitions } from './values.js';
import type { Definition, FieldValue } from './values.js';

const PREFIX = 'field.';

/** The part of a list's description that tells of its filters by fields of one's own. */
export const FILTERS_DESCRIPTION =
  'Fields of one’s own are filters too, as `field.<key>`: of a text any part of it, whatever case and accents, of all else the value.';

/** Takes `field.<key>` in a query, whichever fields there are. */
export const FieldFilters = (): PropertyDecorator =>
  field({ optional: true }, {}, () => null, undefined, { prefix: PREFIX });

/** What a filter of a text asks for; a condition on the whole finds the rows by their index. */
const TEXT = (rows: string, at: number): string =>
  `fold(fields_text(${rows}.fields)) LIKE search_pattern(:own_${at})
   AND fold(${rows}.fields ->> :own_key_${at}) LIKE search_pattern(:own_${at})`;

/**
 * Narrows a query with this alias by the fields that it names.
 * @throws DomainError validation-failed on what is no field, and on what none of its values can be
 */
export async function filterByFields(
  rows: SelectQueryBuilder<object>,
  alias: string,
  of: Holder,
  query: object,
): Promise<void> {
  const asked = Object.entries(query).filter(([name]) => name.startsWith(PREFIX)) as [string, string][];
  if (asked.length === 0) return;
  const known = await definitions(rows.dataSource.manager, of, { isActive: false });
  const errors = noErrors();
  for (const [at, [name, text]] of asked.entries()) {
    const definition = known.find(({ key }) => PREFIX + key === name);
    const value = definition && valueOf(definition, text);
    const problem = definition ? checkFilter(definition, value) : say(fieldMessages.no_key);
    if (problem !== null) {
      errors[name] = [problem];
      continue;
    }
    const { key, type } = definition!;
    const condition = type === 'text' ? TEXT(alias, at) : `${alias}.fields @> CAST(:own_${at} AS jsonb)`;
    rows.andWhere(`${alias}.fields <> '{}' AND ${condition}`, {
      [`own_${at}`]: type === 'text' ? value : JSON.stringify({ [key]: value }),
      [`own_key_${at}`]: key,
    });
  }
  refuseInvalid(errors);
}

/** Query parameters arrive as texts. */
function valueOf({ type }: Definition, text: string): FieldValue {
  if (type === 'number' && /^-?\d{1,12}(\.\d{1,6})?$/.test(text)) return Number(text);
  return type === 'boolean' ? booleanOf(text) : text;
}

const checkFilter = (definition: Definition, value: unknown): string | null =>
  definition.type === 'boolean' && typeof value !== 'boolean'
    ? say(contractMessages.query_boolean)
    : checkValue(definition, value);

/** What is searched beside the texts of a row: an OR of its own, which the index of those that have fields answers. */
export const inFields = (alias: string): string =>
  `(${alias}.fields <> '{}' AND fold(fields_text(${alias}.fields)) LIKE search_pattern(:search))`;
