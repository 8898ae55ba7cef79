import { unwrap } from '@recense/client';
import type { paths } from '@recense/client';
import { signal } from '@preact/signals';
import { user } from './account.js';
import { api, isProblem } from './api.js';
import { onOutcome } from './scans.js';
import { database } from './store.js';
import type { Afterwards } from './store.js';

/** What waits for its scan to be recorded, or for the network: photos, corrections, scans that were taken back. */
export const laterCount = signal(0);

/** Done as soon as the scan is recorded and there is a network; kept until then. */
export async function doAfterwards(
  scan: { clientId: string; sessionId: number; scanId: number | null },
  what: Afterwards['what'],
): Promise<void> {
  await (
    await database()
  ).add('afterwards', {
    client_id: scan.clientId,
    user_id: user.value!.id,
    session_id: scan.sessionId,
    scan_id: scan.scanId,
    what,
  });
  void catchUp();
}

let running: Promise<void> = Promise.resolve();

/** One after the other; what fails for want of a network waits on. */
export function catchUp(): Promise<void> {
  running = running.then(doAll).catch(() => undefined);
  return running;
}

async function doAll(): Promise<void> {
  const me = user.value?.id;
  if (me === undefined) return;
  const db = await database();
  for (const key of await db.getAllKeysFromIndex('afterwards', 'user_id', me)) {
    const row = await db.get('afterwards', key);
    if (row?.scan_id === undefined || row.scan_id === null) continue;
    try {
      await carryOut(row, row.scan_id);
    } catch (error) {
      // What is refused would be refused again: the scan is gone, its session is closed, the photo is none.
      if (!isProblem(error) || error.problem.status >= 500 || [401, 429].includes(error.problem.status))
        break;
    }
    await db.delete('afterwards', key);
  }
  laterCount.value = await db.countFromIndex('afterwards', 'user_id', me);
}

type Upload = NonNullable<
  paths['/api/v1/inventories/{id}/scans/{scan_id}/attachments']['post']['requestBody']
>['content']['multipart/form-data'];

async function carryOut({ session_id, what }: Afterwards, scanId: number): Promise<void> {
  const params = { path: { id: session_id, scan_id: scanId } };
  if ('undo' in what) {
    await unwrap(api.DELETE('/api/v1/inventories/{id}/scans/{scan_id}', { params }));
  } else if ('change' in what) {
    await unwrap(api.PATCH('/api/v1/inventories/{id}/scans/{scan_id}', { params, body: what.change }));
  } else {
    const form = new FormData();
    form.append('kind', 'photo');
    form.append('file', what.photo, 'photo.jpg');
    await unwrap(
      api.POST('/api/v1/inventories/{id}/scans/{scan_id}/attachments', {
        params,
        body: form as unknown as Upload,
        bodySerializer: (body) => body as unknown as FormData,
      }),
    );
  }
}

/** From the start of the page on. */
export function keepCatchingUp(): void {
  onOutcome(async ({ scan, result }) => {
    if (!result?.scan_id) return;
    await recorded(scan.client_id, result.scan_id);
    void catchUp(); // not awaited: the queue waits for this
  });
  addEventListener('online', () => void catchUp());
  void catchUp();
}

async function recorded(clientId: string, scanId: number): Promise<void> {
  const { store, done } = (await database()).transaction('afterwards', 'readwrite');
  for (let at = await store.index('client_id').openCursor(clientId); at; at = await at.continue())
    await at.update({ ...at.value, scan_id: scanId });
  await done;
}
