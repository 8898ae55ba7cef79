import { day, time } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Shape } from '../shared/ui/parts.js';
import type { Read } from './scanning.js';
import { sentenceOf } from './verdict.js';
import type { Verdict } from './verdict.js';

/** The word for what became of a read. */
export function wordOf({ reason, message }: Verdict): string {
  const key = sentenceOf(reason);
  return key ? t(key) : (message ?? t('verdict.kept'));
}

/** What the last read means, as large as the screen allows. */
export function Result({ read }: { read: Read | undefined }) {
  return (
    <div class={`result result-${read?.verdict.tone ?? 'none'}`} role="status" data-read={read?.clientId}>
      {read ? <Told read={read} /> : <p>{t('scan.ready')}</p>}
    </div>
  );
}

function Told({ read: { verdict, state, text } }: { read: Read }) {
  const { tone, code, name, expected, at, by, disposedOn } = verdict;
  return (
    <>
      <p class="result-word">
        <Shape tone={tone} /> {state === 'undone' ? t('verdict.undone') : wordOf(verdict)}
      </p>
      <p class="result-code">{code || text}</p>
      {name && <p>{name}</p>}
      {expected && <p>{t('verdict.expected', { place: expected })}</p>}
      {at && (
        <p>{by ? t('verdict.first', { at: time(at), by }) : t('verdict.first.device', { at: time(at) })}</p>
      )}
      {disposedOn && <p>{t('verdict.disposed.on', { day: day(disposedOn) })}</p>}
    </>
  );
}
