import type { QueuedScan } from '@recense/client';
import { useState } from 'preact/hooks';
import { complaints, fieldName, isLeft } from '../shared/complaints.js';
import { instant } from '../shared/format.js';
import { scans } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import { Discard } from './discard.js';
import { problemOf, saveAs } from './file.js';

/** More are not read one by one; the file has them all. */
const SHOWN = 100;

/** What a scan is sent without, where that is all that is wrong with it; nothing is moved to no place. */
function leftOut({ errors = {} }: QueuedScan): string[] {
  const fields = Object.keys(errors);
  if (!fields.every(isLeft)) return [];
  return fields.includes('location_id') ? [...new Set([...fields, 'move'])] : fields;
}

/** What the service does not take as it is. Nothing of it goes but by the user’s word. */
export function Aside({ rows }: { rows: QueuedScan[] }) {
  const [corrected, setCorrected] = useState<QueuedScan>();
  const [discarded, setDiscarded] = useState<QueuedScan[]>();
  const retry = useAction(async (ids: string[]) => (await scans()).retry(ids));
  const leave = useAction(async (those: QueuedScan[]) => {
    const queue = await scans();
    for (const scan of those)
      await queue.correct(
        scan.client_id,
        Object.fromEntries(leftOut(scan).map((field) => [field, undefined])),
      );
  });
  const ids = rows.map(({ client_id }) => client_id);
  const improvable = rows.filter((scan) => leftOut(scan).length > 0);
  return (
    <section aria-labelledby="aside">
      <h2 id="aside">{count('queue.aside', rows.length)}</h2>
      <p class="hint">{t('queue.aside.text')}</p>
      <Problem error={retry.error ?? leave.error} />
      <div class="actions">
        {improvable.length > 1 && (
          <button type="button" disabled={leave.isBusy} onClick={() => void leave.run(improvable)}>
            {count('queue.leave', improvable.length)}
          </button>
        )}
        <button type="button" disabled={retry.isBusy} onClick={() => void retry.run(ids)}>
          {t('queue.retry')}
        </button>
        <button type="button" onClick={() => saveAs('csv', rows)}>
          {t('queue.csv')}
        </button>
        <button type="button" onClick={() => saveAs('json', rows)}>
          {t('queue.json')}
        </button>
        <button type="button" class="danger" onClick={() => setDiscarded(rows)}>
          {t('queue.discard.all')}
        </button>
      </div>
      <ul class="list">
        {rows.slice(0, SHOWN).map((scan) => (
          <li key={scan.client_id} class="card">
            <p>
              <Tag tone="bad">{problemOf(scan)}</Tag> <strong>{scan.item.code}</strong>{' '}
              <span class="hint">{instant(scan.item.scanned_at)}</span>
            </p>
            <div class="actions">
              {leftOut(scan).length > 0 && (
                <button type="button" disabled={leave.isBusy} onClick={() => void leave.run([scan])}>
                  {t('queue.leave.these', { what: Object.keys(scan.errors!).map(fieldName).join(', ') })}
                </button>
              )}
              {scan.errors ? (
                <button type="button" onClick={() => setCorrected(scan)}>
                  {t('queue.correct')}
                </button>
              ) : (
                <button type="button" onClick={() => void retry.run([scan.client_id])}>
                  {t('again')}
                </button>
              )}
              <button type="button" class="danger" onClick={() => setDiscarded([scan])}>
                {t('queue.discard')}
              </button>
            </div>
          </li>
        ))}
      </ul>
      {corrected && <Correct scan={corrected} onClose={() => setCorrected(undefined)} />}
      {discarded && <Discard rows={discarded} onClose={() => setDiscarded(undefined)} />}
    </section>
  );
}

function Correct({ scan, onClose }: { scan: QueuedScan; onClose: () => void }) {
  const [code, setCode] = useState(scan.item.code);
  const { run, isBusy, error } = useAction(async () => {
    await (await scans()).correct(scan.client_id, { code });
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
        <TextInput
          label={t('queue.code')}
          name="code"
          value={code}
          onInput={setCode}
          errors={complaints(scan.errors ?? {})}
        />
        <Problem error={error} />
        <button type="submit" class="primary" disabled={isBusy || code.trim() === ''}>
          {t('queue.send')}
        </button>
      </form>
    </Dialog>
  );
}
