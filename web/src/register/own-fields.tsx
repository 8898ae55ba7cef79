import type { FieldDto } from '@recense/client';
import { t } from '../shared/texts.js';
import { Select, TextInput } from '../shared/ui/form.js';

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

/** As they are sent. A number is kept as it is typed until then, since `3.0` on the way to `3.05` would become `3`. */
export function sentOf(fields: FieldDto[], values: Own): Own {
  const numbers = fields.filter(({ type }) => type === 'number').map(({ key }) => key);
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      numbers.includes(key) && typeof value === 'string' ? Number(value) : value,
    ]),
  );
}

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
            typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
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
            type={type === 'number' || type === 'date' ? type : 'text'}
            more={{ required: is_required, ...(type === 'number' && { step: 'any' }) }}
            onInput={(text) => set(text === '' ? null : text)}
          />
        );
      })}
    </>
  );
}
