import type { FieldDto } from '@recense/client';
import { t } from '../shared/texts.js';
import { Select, TextInput } from '../shared/ui/form.js';
import { written } from './numbers.js';

export type Own = Record<string, unknown>;

interface OwnFieldsProps {
  fields: FieldDto[];
  values: Own;
  /** What the service says of them, such as of `fields.financement`. */
  errors: Record<string, string[]>;
  onChange: (values: Own) => void;
}

/** What is there to choose from in a field of choices, or one that is true or false. */
export function optionsOf(choices: string[] | null): [string, string][] {
  if (choices) return choices.map((one) => [one, one]);
  return [
    ['true', t('yes')],
    ['false', t('no')],
  ];
}

/**
 * The numbers that were typed, by the names the service has for them. They are kept so until they are sent, since `3.0`
 * on the way to `3.05` would become `3`.
 */
export const typedOf = (fields: FieldDto[], values: Own): Record<string, string> =>
  Object.fromEntries(
    fields
      .filter(({ type, key }) => type === 'number' && typeof values[key] === 'string')
      .map(({ key }) => [`fields.${key}`, values[key] as string]),
  );

/** As they are sent, with what the numbers among them are. */
export const sentOf = (values: Own, numbers: Record<string, number | null>): Own =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => {
      const number = numbers[`fields.${key}`];
      return [key, number === undefined ? value : number];
    }),
  );

/** Fields of one's own, each by its type; an empty one is cleared. */
export function OwnFields({ fields, values, errors, onChange }: OwnFieldsProps) {
  return (
    <>
      {fields.map(({ key, name, type, choices, is_required }) => {
        const told = errors[`fields.${key}`];
        const value = values[key];
        const common = {
          label: name,
          value:
            typeof value === 'number'
              ? written(value)
              : typeof value === 'string' || typeof value === 'boolean'
                ? `${value}`
                : '',
          ...(told && { errors: told }),
        };
        const set = (next: unknown) => onChange({ ...values, [key]: next });
        if (type === 'boolean' || type === 'choice') {
          return (
            <Select
              key={key}
              {...common}
              options={[['', '–'], ...optionsOf(choices)]}
              onChange={(text) => set(text === '' ? null : type === 'boolean' ? text === 'true' : text)}
            />
          );
        }
        return (
          <TextInput
            key={key}
            {...common}
            type={type === 'date' ? type : 'text'}
            {...(type === 'text' && { rows: 1 })}
            more={{ required: is_required, ...(type === 'number' && { inputMode: 'decimal' }) }}
            onInput={(text) => set(text === '' ? null : text)}
          />
        );
      })}
    </>
  );
}
