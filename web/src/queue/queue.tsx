import { ApiError } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import { catchUp, later } from '../shared/afterwards.js';
import { isOnline, isProblem } from '../shared/api.js';
import { ago, time } from '../shared/format.js';
import { aside, gone, isKept, keptScans, scans, sending, waiting } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { useAction } from '../shared/ui/form.js';
import { Empty, Notice } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { Aside } from './aside.js';
import { saveAs } from './file.js';
import { Gone } from './gone.js';
import { Later } from './later.js';

/** What waits to be sent, since when and why; and what the service would not take. */
export function Queue() {
  useEffect(() => void scans().then((queue) => queue.send()), []);
  const { count: number } = waiting.value;
  const isEmpty = number === 0 && later.value.length === 0 && aside.value.length === 0;
  return (
    <Screen title={t('nav.queue')}>
      {!isKept.value && <Notice tone="bad">{t('scan.unkept')}</Notice>}
      {isEmpty && <Empty>{t('queue.none')}</Empty>}
      {(number > 0 || later.value.some(({ refused }) => refused === undefined)) && <Waiting />}
      {later.value.length > 0 && <Later rows={later.value} />}
      {aside.value.length > 0 && <Aside rows={aside.value} />}
    </Screen>
  );
}

function Waiting() {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 5000);
    return () => clearInterval(timer);
  }, []);
  const { run, isBusy } = useAction(async () => {
    await (await scans()).send();
    await catchUp();
  });
  const { count: number, since } = waiting.value;
  const { nextTry } = sending.value;
  return (
    <div class="card waiting">
      <div role="status">
        {number > 0 && (
          <>
            <p>
              <strong>{count('queue.waiting', number)}</strong>
            </p>
            <p>{t(reasonOf())}</p>
          </>
        )}
      </div>
      {since !== undefined && <p class="hint">{t('queue.since', { ago: ago(since, now) })}</p>}
      {nextTry !== undefined && nextTry > now && (
        <p class="hint">{t('queue.next', { at: time(new Date(nextTry).toISOString()) })}</p>
      )}
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
          {t('queue.send')}
        </button>
        {sending.value.state === 'stopped' && number > 0 && (
          <button type="button" onClick={() => void keptScans().then((all) => saveAs('csv', all))}>
            {t('queue.csv')}
          </button>
        )}
        {gone.value.size > 0 && number > 0 && <Gone />}
      </div>
    </div>
  );
}

/** Why it waits, for who holds the phone. */
function reasonOf(): TextKey {
  const { state, error } = sending.value;
  if (state === 'sending') return isOnline.value ? 'queue.why.sending' : 'queue.why.offline';
  if (state === 'stopped' && isProblem(error)) {
    if (error.problem.status === 403) return 'queue.why.forbidden';
    if (error.problem.status === 404) return 'queue.why.gone';
    return 'queue.why.refused';
  }
  if (error instanceof ApiError && error.response.status === 429) return 'queue.why.slow';
  if (isProblem(error) && error.problem.status >= 500) return 'queue.why.busy';
  return state === 'waiting' || !isOnline.value ? 'queue.why.offline' : 'queue.why.soon';
}
