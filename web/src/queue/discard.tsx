import type { QueuedScan } from '@recense/client';
import { forgetLater } from '../shared/afterwards.js';
import { scans } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import { Confirm } from './confirm.js';

async function discard(rows: QueuedScan[]): Promise<void> {
  const ids = new Set(rows.map(({ client_id }) => client_id));
  await (await scans()).discard([...ids]);
  await forgetLater(({ client_id }) => ids.has(client_id));
}

/** Asks whether these are to be lost, and what belongs to them. */
export function Discard({ rows, onClose }: { rows: QueuedScan[]; onClose: () => void }) {
  return (
    <Confirm title={t('queue.discard')} onConfirm={() => discard(rows)} onClose={onClose}>
      <p>{count('queue.discard.sure', rows.length)}</p>
      <p>
        {rows
          .slice(0, 5)
          .map(({ item }) => item.code)
          .join(', ')}
        {rows.length > 5 && '…'}
      </p>
    </Confirm>
  );
}
