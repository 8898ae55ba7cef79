import type { QueuedScan } from '@recense/client';
import { useState } from 'preact/hooks';
import { gone, keptScans } from '../shared/scans.js';
import { t } from '../shared/texts.js';
import { Discard } from './discard.js';

/** What waits for a session that does not exist any more waits for ever, unless the user lets go of it. */
export function Gone() {
  const [rows, setRows] = useState<QueuedScan[]>();
  const ask = async (): Promise<void> =>
    setRows((await keptScans()).filter(({ inventory_id }) => gone.value.has(inventory_id)));
  return (
    <>
      <button type="button" class="danger" onClick={() => void ask()}>
        {t('queue.discard')}
      </button>
      {rows && <Discard rows={rows} onClose={() => setRows(undefined)} />}
    </>
  );
}
