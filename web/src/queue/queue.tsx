import { ApiError } from '@recense/client';
import type { QueuedScan } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import { catchUp, laterCount } from '../shared/afterwards.js';
import { hasEnded } from '../shared/account.js';
import { isOnline, isProblem } from '../shared/api.js';
import { offer } from '../shared/download.js';
import { ago, instant } from '../shared/format.js';
import { aside, isKept, scans, sending, waiting } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Empty, Notice, Tag } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';

/** What waits to be sent, since when and why; and what the service would not take. */
export function Queue() {
  useEffect(() => void scans().send(), []);
  const { run, isBusy } = useAction(async () => {
    await scans().send();
    await catchUp();
  });
  const { count: number, since } = waiting.value;
  return (
    <Screen title={t('nav.queue')}>
      {!isKept.value && <Notice tone="bad">{t('scan.unkept')}</Notice>}
      {number === 0 && laterCount.value === 0 ? (
        <Empty>{t('queue.none')}</Empty>
      ) : (
        <div class="card" role="status">
          {number > 0 && (
            <p>
              <strong>{count('queue.waiting', number)}</strong>{' '}
              {since !== undefined && t('queue.since', { ago: ago(since) })}
            </p>
          )}
          {laterCount.value > 0 && <p>{count('queue.later', laterCount.value)}</p>}
          <p>{t(reasonOf())}</p>
          <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
            {t('queue.send')}
          </button>
        </div>
      )}
      {aside.value.length > 0 && <Aside scans={aside.value} />}
    </Screen>
  );
}

/** Why it waits, for who holds the phone. */
function reasonOf(): TextKey {
  const { state, error } = sending.value;
  if (hasEnded.value) return 'queue.why.signed-out';
  if (state === 'sending') return 'queue.why.sending';
  if (!isOnline.value) return 'queue.why.offline';
  if (state === 'stopped' && isProblem(error)) {
    if (error.problem.status === 403) return 'queue.why.forbidden';
    if (error.problem.status === 404) return 'queue.why.gone';
    return 'queue.why.refused';
  }
  if (error instanceof ApiError && error.response.status === 429) return 'queue.why.busy';
  if (isProblem(error) && error.problem.status >= 500) return 'queue.why.busy';
  return state === 'waiting' ? 'queue.why.offline' : 'queue.why.soon';
}

/** What the service does not take as it is. Nothing of it goes but by the user’s word. */
function Aside({ scans: rows }: { scans: QueuedScan[] }) {
  const [corrected, setCorrected] = useState<QueuedScan>();
  const [isDiscarding, setDiscarding] = useState(false);
  const { run, error } = useAction((work: () => Promise<unknown>) => work());
  const ids = rows.map(({ client_id }) => client_id);
  return (
    <section aria-labelledby="aside">
      <h2 id="aside">{count('queue.aside', rows.length)}</h2>
      <p class="hint">{t('queue.aside.text')}</p>
      <Problem error={error} />
      <div class="actions">
        <button type="button" onClick={() => void run(() => scans().retry(ids))}>
          {t('again')}
        </button>
        <button type="button" onClick={() => offer(fileOf(rows), 'recense-scans.json')}>
          {t('queue.export')}
        </button>
        <button type="button" class="danger" onClick={() => setDiscarding(true)}>
          {t('queue.discard')}
        </button>
      </div>
      <ul class="list">
        {rows.map((scan) => (
          <li key={scan.client_id} class="card">
            <p>
              <Tag tone="bad">{whyAside(scan)}</Tag> <strong>{scan.item.code}</strong>{' '}
              <span class="hint">{instant(scan.item.scanned_at)}</span>
            </p>
            {scan.errors && (
              <button type="button" onClick={() => setCorrected(scan)}>
                {t('queue.correct')}
              </button>
            )}
          </li>
        ))}
      </ul>
      {corrected && <Correct scan={corrected} onClose={() => setCorrected(undefined)} />}
      {isDiscarding && (
        <Dialog title={t('queue.discard')} onClose={() => setDiscarding(false)}>
          <p>{count('queue.discard.sure', rows.length)}</p>
          <div class="actions">
            <button
              type="button"
              class="danger"
              onClick={() => void run(() => scans().discard(ids)).then(() => setDiscarding(false))}
            >
              {t('queue.discard')}
            </button>
            <button type="button" onClick={() => setDiscarding(false)}>
              {t('cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

const whyAside = ({ result, errors }: QueuedScan): string =>
  result
    ? result.message
    : Object.values(errors ?? {})
        .flat()
        .join(' ');

const fileOf = (rows: QueuedScan[]): Blob =>
  new Blob([JSON.stringify(rows, null, 2)], { type: 'application/json' });

function Correct({ scan, onClose }: { scan: QueuedScan; onClose: () => void }) {
  const [code, setCode] = useState(scan.item.code);
  const { run, error } = useAction(async () => {
    await scans().correct(scan.client_id, { code });
    onClose();
  });
  return (
    <Dialog title={t('queue.correct')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput label={t('queue.code')} name="code" value={code} onInput={setCode} />
        <Problem error={error} />
        <button type="submit" class="primary">
          {t('queue.send')}
        </button>
      </form>
    </Dialog>
  );
}
