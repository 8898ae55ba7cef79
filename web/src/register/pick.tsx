import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLoad } from '../shared/load.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Field, TextInput, labelOf } from '../shared/ui/form.js';
import { Empty, Shown } from '../shared/ui/parts.js';
import { SHOWN, finders, references } from './finders.js';
import type { Found, Reference } from './finders.js';

interface PickProps {
  of: Reference;
  id: number | null;
  /** What it is called, where that is known; else the service is asked. */
  name?: string | undefined;
  errors?: string[] | undefined;
  /** Also those that are not active. */
  all?: boolean;
  onPick: (found: Found | null) => void;
  /** A form for a new one, below what was found. */
  create?: (search: string, done: (made: Found) => void) => ComponentChildren;
}

/** One of a long list, looked for by its name. */
export function Pick({ of, id, name, errors, all = false, onPick, create }: PickProps) {
  const [isOpen, setOpen] = useState(false);
  const known = useLoad(
    () => (id === null || name ? Promise.resolve(name) : finders[of].name(id)),
    [id, name],
  );
  const label = references[of].text();
  const done = (found: Found | null): void => {
    onPick(found);
    setOpen(false);
  };
  return (
    <>
      <Field label={label} {...(errors && { errors })}>
        {(props) => (
          // A label alone would be all that is heard of the button: what was chosen belongs to it.
          <button
            type="button"
            class="pick"
            {...props}
            aria-labelledby={`${labelOf(props.id)} ${props.id}`}
            onClick={() => setOpen(true)}
          >
            {id === null ? t('pick.none') : (known.data ?? `${id}`)}
          </button>
        )}
      </Field>
      {isOpen && (
        <Dialog title={label} onClose={() => setOpen(false)}>
          {/* Enter would send the form that this stands in. */}
          <div onKeyDown={stay}>
            <Choice of={of} all={all} isChosen={id !== null} onPick={done} {...(create && { create })} />
          </div>
        </Dialog>
      )}
    </>
  );
}

const stay = (event: KeyboardEvent): void => {
  if (event.key === 'Enter' && event.target instanceof HTMLInputElement) event.preventDefault();
};

const PAUSE_MS = 250;

interface ChoiceProps {
  of: Reference;
  all: boolean;
  onPick: (found: Found | null) => void;
  create?: NonNullable<PickProps['create']>;
  isChosen: boolean;
}

function Choice({ of, all, isChosen, onPick, create }: ChoiceProps) {
  const [search, setSearch] = useState('');
  const [asked, setAsked] = useState('');
  const [creates, setCreates] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(search.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [search]);
  const found = useLoad(() => finders[of].find(asked, all ? {} : { is_active: true }), [asked]);
  if (creates && create) return <>{create(search.trim(), onPick)}</>;
  return (
    <>
      <TextInput label={t('search')} type="search" value={search} onInput={setSearch} />
      <Shown of={found}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty>{t('pick.nothing')}</Empty>
          ) : (
            <ul class="list">
              {rows.slice(0, SHOWN).map((one) => (
                <li key={one.id}>
                  <button type="button" class="pick" onClick={() => onPick(one)}>
                    {one.name}
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {found.data && found.data.length > SHOWN && <p class="hint">{t('open.more')}</p>}
      <div class="actions">
        {isChosen && (
          <button type="button" onClick={() => onPick(null)}>
            {t('pick.clear')}
          </button>
        )}
        {create && (
          <button type="button" onClick={() => setCreates(true)}>
            {t('pick.create')}
          </button>
        )}
      </div>
    </>
  );
}
