import { useState } from 'preact/hooks';
import { fold } from '../shared/fold.js';
import { count, t } from '../shared/texts.js';
import { TextInput } from '../shared/ui/form.js';

const SHOWN = 30;

interface ChoicesProps {
  legend: string;
  hint: string;
  options: { id: number; name: string }[];
  chosen: number[];
  onChange: (ids: number[]) => void;
}

/** Several of a list, which is searched where it is long; what is chosen comes first. */
export function Choices({ legend, hint, options, chosen, onChange }: ChoicesProps) {
  const [search, setSearch] = useState('');
  const wanted = fold(search.trim());
  const isChosen = ({ id }: { id: number }): boolean => chosen.includes(id);
  const named = options.filter(({ name }) => fold(name).includes(wanted));
  const found = named.filter((one) => !isChosen(one));
  const shown = [...options.filter(isChosen), ...found.slice(0, SHOWN)];
  return (
    <details class="choices">
      <summary>
        {t('named', {
          name: legend,
          value: chosen.length === 0 ? t('open.all') : count('open.chosen', chosen.length),
        })}
      </summary>
      <fieldset>
        <legend class="unseen">{legend}</legend>
        <p class="hint">{hint}</p>
        {options.length > SHOWN && (
          <TextInput label={t('search')} type="search" value={search} onInput={setSearch} />
        )}
        {shown.map((one) => (
          <label key={one.id} class="check">
            <input
              type="checkbox"
              checked={isChosen(one)}
              onChange={(event) =>
                onChange(
                  event.currentTarget.checked ? [...chosen, one.id] : chosen.filter((id) => id !== one.id),
                )
              }
            />
            {one.name}
          </label>
        ))}
        {named.length === 0 && wanted !== '' && <p class="hint">{t('open.nothing')}</p>}
        {found.length > SHOWN && <p class="hint">{t('open.more')}</p>}
      </fieldset>
    </details>
  );
}
