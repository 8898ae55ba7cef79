import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { useLoad } from '../shared/load.js';
import { query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Select, TextInput } from '../shared/ui/form.js';
import { readFields } from './facts.js';
import { references } from './finders.js';
import type { Reference } from './finders.js';
import { typed, written } from './numbers.js';
import { optionsOf } from './own-fields.js';
import { Pick } from './pick.js';

const NAMES = [
  'search',
  'article_id',
  'location_id',
  'category_id',
  'supplier_id',
  'assigned_tier_id',
  'disposed',
  'warranty',
  'purchased_from',
  'purchased_to',
];

/** What the address says is looked for, as the service takes it. */
export function filtersOf(address: URLSearchParams): Record<string, string> {
  const all = [...address].filter(([name]) => NAMES.includes(name) || name.startsWith('field.'));
  return Object.fromEntries(all);
}

/** Filters stand in the address, which can be shared. */
export function Filters() {
  const fields = useLoad(readFields, []);
  const value = (name: string): string => query.value.get(name) ?? '';
  const set = (name: string) => (text: string) => setQuery({ [name]: text || undefined });
  const many = Object.keys(filtersOf(query.value)).filter((name) => name !== 'search').length;
  return (
    <details class="filters">
      <summary>
        {t('register.filters')} {many > 0 && `(${many})`}
      </summary>
      <div class="grid">
        {(Object.keys(references) as Reference[])
          .filter((of) => can(references[of].permission))
          .map((of) => (
            <Pick
              key={of}
              of={of}
              all
              id={Number(value(of)) || null}
              onPick={(found) => setQuery({ [of]: found ? String(found.id) : undefined })}
            />
          ))}
        <Select
          label={t('register.disposed')}
          value={value('disposed')}
          options={[
            ['', t('register.any')],
            ['false', t('register.there')],
            ['true', t('register.gone')],
          ]}
          onChange={set('disposed')}
        />
        <Select
          label={t('register.warranty')}
          value={value('warranty')}
          options={[
            ['', t('register.any')],
            ['active', t('register.warranty.active')],
            ['expiring', t('register.warranty.expiring')],
            ['expired', t('register.warranty.expired')],
            ['none', t('register.warranty.none')],
          ]}
          onChange={set('warranty')}
        />
        <TextInput
          label={t('register.from')}
          type="date"
          value={value('purchased_from')}
          onInput={set('purchased_from')}
        />
        <TextInput
          label={t('register.to')}
          type="date"
          value={value('purchased_to')}
          onInput={set('purchased_to')}
        />
        {fields.data
          ?.filter(({ is_active }) => is_active)
          .map(({ key, name, type, choices }) => {
            const own = `field.${key}`;
            if (type === 'number')
              return <NumberInput key={key} label={name} value={value(own)} onInput={set(own)} />;
            if (type !== 'choice' && type !== 'boolean')
              return (
                <TextInput
                  key={key}
                  label={name}
                  type={type === 'date' ? 'date' : 'text'}
                  value={value(own)}
                  onInput={set(own)}
                />
              );
            return (
              <Select
                key={key}
                label={name}
                value={value(own)}
                options={[['', t('register.any')], ...optionsOf(choices)]}
                onChange={set(own)}
              />
            );
          })}
      </div>
      {many > 0 && (
        <button
          type="button"
          onClick={() =>
            setQuery(Object.fromEntries(Object.keys(filtersOf(query.value)).map((one) => [one, undefined])))
          }
        >
          {t('register.clear')}
        </button>
      )}
    </details>
  );
}

interface NumberInputProps {
  label: string;
  value: string;
  onInput: (value: string) => void;
}

/** A number as people write it, key by key; the address has it as the service takes it. */
function NumberInput({ label, value, onInput }: NumberInputProps) {
  const [text, setText] = useState('');
  const number = typed(text);
  const isWrong = number === undefined;
  // The address may say another one, such as when the filters are cleared.
  const isTyped = isWrong || String(number ?? '') === value;
  return (
    <TextInput
      label={label}
      value={isTyped ? text : value && written(Number(value))}
      onInput={(next) => {
        setText(next);
        const found = typed(next);
        if (found !== undefined) onInput(String(found ?? ''));
      }}
      {...(isWrong && { errors: [t('number.wrong')] })}
      more={{ inputMode: 'decimal' }}
    />
  );
}
