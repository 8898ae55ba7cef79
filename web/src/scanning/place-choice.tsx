import type { LocationDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { fold } from '../shared/fold.js';
import type { Places } from '../shared/places.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { TextInput } from '../shared/ui/form.js';
import { Empty } from '../shared/ui/parts.js';

/** More than these nobody reads: who looks for another one types some of its name. */
const SHOWN = 50;

interface PlaceChoiceProps {
  places: Places;
  placeId: number | null;
  /** Whether the next code is taken for a place; `unknown` where the last one was none. */
  awaits: boolean | 'unknown';
  /** Whether the place that was chosen is not there any more. */
  isGone: boolean;
  onAwait: (on: boolean) => void;
  onChoose: (id: number | null) => void;
}

/** Where the phone is: every scan says so until another place is chosen, here or by its label. */
export function PlaceChoice({ places, placeId, awaits, isGone, onAwait, onChoose }: PlaceChoiceProps) {
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const place = places.get(placeId);
  const wanted = fold(search.trim());
  const isFound = ({ is_active, path, code }: LocationDto): boolean =>
    is_active && fold(`${path} ${code ?? ''}`).includes(wanted);
  // Each read draws this anew, and there may be ten thousand places.
  const found = isOpen ? places.all.filter(isFound) : [];
  const choose = (id: number | null): void => {
    onChoose(id);
    setOpen(false);
  };
  return (
    <div class="place">
      <p>
        <span class="hint">{t('scan.place')}</span> <strong>{place?.path ?? t('scan.place.none')}</strong>
      </p>
      <div class="actions">
        <button type="button" onClick={() => setOpen(true)}>
          {t('scan.place.choose')}
        </button>
        <button type="button" aria-pressed={awaits !== false} onClick={() => onAwait(awaits === false)}>
          {t('scan.place.scan')}
        </button>
        {place && (
          <button type="button" class="quiet" onClick={() => choose(null)}>
            {t('scan.place.clear')}
          </button>
        )}
      </div>
      <p role="status" class={awaits === 'unknown' || isGone ? 'wrong' : 'hint'}>
        {awaits !== false && t(awaits === 'unknown' ? 'scan.place.unknown' : 'scan.place.next')}
        {awaits === false && isGone && t('scan.place.gone')}
      </p>
      {isOpen && (
        <Dialog title={t('scan.place.choose')} onClose={() => setOpen(false)}>
          <TextInput label={t('search')} type="search" value={search} onInput={setSearch} />
          {found.length === 0 && <Empty>{t('scan.place.nothing')}</Empty>}
          <ul class="list">
            {found.slice(0, SHOWN).map(({ id, path, code }) => (
              <li key={id}>
                <button type="button" class="wide" onClick={() => choose(id)}>
                  {path} {code && <span class="hint">{code}</span>}
                </button>
              </li>
            ))}
          </ul>
          {found.length > SHOWN && <p class="hint">{t('open.more')}</p>}
        </Dialog>
      )}
    </div>
  );
}
