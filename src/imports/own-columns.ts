import type { EntityManager } from 'typeorm';
import { DomainError } from '../common/errors.js';
import { definitions, merged } from '../fields/values.js';
import type { Definition, FieldValues } from '../fields/values.js';
import type { Kind, Line } from './kind.js';
import { plainName } from './names.js';

/** The columns of fields of one's own: `field.<key>`, the key or the name, as far as no other field is called so. */
export class OwnColumns {
  /** By `field.<key>`. */
  readonly columns: ReadonlyMap<string, Definition>;
  /** What else a column may be called. */
  readonly names: Record<string, string[]>;

  private constructor(private readonly known: Definition[]) {
    this.columns = new Map(known.map((one) => [`field.${one.key}`, one]));
    // As Shelf and Homebox export theirs, too.
    this.names = Object.fromEntries(
      known.map(({ key, name }) => [`field.${key}`, [name, key, `cf: ${name}`, `HB.field.${name}`]]),
    );
  }

  /** Those that take values. */
  static async of(manager: EntityManager, { ownFields }: Kind): Promise<OwnColumns> {
    return new OwnColumns(ownFields ? await definitions(manager, ownFields) : []);
  }

  /**
   * Once it is the turn of the file: until it is written none of them is otherwise. Where it has no values of theirs they
   * are let be.
   * @throws DomainError stale where one is otherwise already
   */
  async hold(manager: EntityManager, { ownFields }: Kind, fields: string[]): Promise<void> {
    if (!fields.includes('fields')) return;
    const now = await definitions(manager, ownFields!, { lock: 'FOR SHARE' });
    if (asTaken(now) !== asTaken(this.known)) throw new DomainError('stale');
  }

  /** As it is kept; a choice is known whatever its case and accents, as far as no other one is written so. */
  valueOf({ type, choices }: Definition, value: unknown): unknown {
    if (type !== 'choice' || typeof value !== 'string' || choices!.includes(value)) return value;
    const meant = choices!.filter((choice) => plainName(choice) === plainName(value));
    return meant.length === 1 ? meant[0] : value;
  }

  /** What the row of a line has in the end, once it is known which row that is. */
  complete({ own = {}, values, stored, errors: wrong }: Line): void {
    if (this.known.length === 0) return;
    const before = stored && ((stored.fields ?? {}) as FieldValues);
    const { values: fields, errors } = merged(this.known, own, before);
    for (const [key, messages] of Object.entries(errors)) wrong[`field.${key}`] ??= messages;
    if (Object.keys(own).length > 0) values.fields = fields;
  }
}

/** What decides on values: all but the name. */
const asTaken = (known: Definition[]): string =>
  JSON.stringify(known.map(({ key, type, choices, is_required }) => [key, type, choices, is_required]));
