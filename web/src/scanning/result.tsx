import { can } from '../shared/account.js';
import { day, instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { complaints } from '../shared/complaints.js';
import { Shape } from '../shared/ui/parts.js';
import { sentenceOf } from '../shared/verdicts.js';
import type { Scanning } from './scanning.js';
import { verdictOn } from './verdict.js';
import type { Read, Verdict } from './verdict.js';

/** The word for what became of a read. */
export function wordOf({ reason, message }: Verdict): string {
  const key = sentenceOf(reason);
  return key ? t(key) : (message ?? t('verdict.kept'));
}

/**
 * What was found elsewhere than where it belongs may belong there from now on, unless it was moved since. Of what the
 * service does not take as it is, nobody knows whether there is such a place.
 */
export const mayMove = (read: Read, reads: Read[]): boolean =>
  verdictOn(read).expectedId !== undefined &&
  read.fields.location_id !== undefined &&
  read.state !== 'undone' &&
  read.errors === undefined &&
  can('purchases.update') &&
  !reads.slice(0, reads.indexOf(read)).some((since) => hasMoved(since, verdictOn(read).purchaseId));

const hasMoved = (read: Read, id: number | undefined): boolean =>
  read.state !== 'undone' && verdictOn(read).reason === 'moved' && verdictOn(read).purchaseId === id;

/** What the last read means, as large as the screen allows. */
export function Result({ scanning, read }: { scanning: Scanning; read: Read | undefined }) {
  const tone = read && (read.state === 'undone' ? 'plain' : verdictOn(read).tone);
  return (
    <div class={`result result-${tone ?? 'none'}`} data-read={read?.client_id}>
      <div role="status">{read ? <Told read={read} /> : <p>{t('scan.ready')}</p>}</div>
      {read && mayMove(read, scanning.reads.value) && (
        <button type="button" class="primary" onClick={() => void scanning.move(read)}>
          {t('scan.move')}
        </button>
      )}
    </div>
  );
}

function Told({ read }: { read: Read }) {
  const { state, text, errors = {} } = read;
  const { tone, code, name, expected, at, by, disposedOn } = verdictOn(read);
  return (
    <>
      <p class="result-word">
        {state === 'undone' ? (
          t('verdict.undone')
        ) : (
          <>
            <Shape tone={tone} /> {wordOf(verdictOn(read))}
          </>
        )}
      </p>
      <p class="result-code">{code || text}</p>
      {name && <p>{name}</p>}
      {complaints(errors).map((text) => (
        <p key={text}>{text}</p>
      ))}
      {expected && <p>{t('verdict.expected', { place: expected })}</p>}
      {at && (
        <p>
          {by ? t('verdict.first', { at: instant(at), by }) : t('verdict.first.device', { at: instant(at) })}
        </p>
      )}
      {disposedOn && <p>{t('verdict.disposed.on', { day: day(disposedOn) })}</p>}
    </>
  );
}
