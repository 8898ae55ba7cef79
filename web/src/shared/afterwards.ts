import { idempotencyKey, unwrap } from '@recense/client';
import type { QueuedScan, paths } from '@recense/client';
import { effect, signal } from '@preact/signals';
import { user } from './account.js';
import { api, isProblem, patient } from './api.js';
import { beforeSending, inTurn, isKept, keptScans, onOutcome, scans } from './scans.js';
import type { Outcome } from './scans.js';
import { database, write } from './store.js';
import type { Afterwards } from './store.js';
import { t } from './texts.js';

/** What waits for its scan to be recorded, or for the network: photos, remarks, scans that were taken back. */
export const later = signal<Afterwards[]>([]);

/** Where the browser keeps nothing. */
const unkept = new Map<string, Afterwards>();

async function rows(): Promise<Afterwards[]> {
  const me = user.value?.id;
  if (me === undefined) return [];
  if (isKept.value) return (await database()).getAllFromIndex('afterwards', 'user_id', me);
  return [...unkept.values()].filter(({ user_id }) => user_id === me);
}

async function rowsOf(clientId: string): Promise<Afterwards[]> {
  if (isKept.value) return (await database()).getAllFromIndex('afterwards', 'client_id', clientId);
  return [...unkept.values()].filter(({ client_id }) => client_id === clientId);
}

async function put(row: Afterwards): Promise<void> {
  if (isKept.value) await write((to) => void to.objectStore('afterwards').put(row), 'strict');
  else unkept.set(row.id, row);
}

async function remove(id: string): Promise<void> {
  if (isKept.value) await write((to) => void to.objectStore('afterwards').delete(id));
  else unkept.delete(id);
}

const show = async (): Promise<void> => {
  later.value = await rows();
};

type Scanned = Omit<Afterwards, 'id' | 'what'>;

/** Done as soon as the scan is recorded and there is a network; kept until then. */
export async function doAfterwards(scan: Scanned, what: Afterwards['what']): Promise<void> {
  const before = await rowsOf(scan.client_id);
  await put({ id: idempotencyKey(), ...scan, what });
  if ('undo' in what) {
    // What was said of it goes with it.
    for (const { id } of before) await remove(id);
    // The service may have it already: then it is taken back there, before anything else is sent.
    await (await scans()).discard([scan.client_id]);
  }
  void catchUp();
}

/** By the user's word: what was refused, or the scan it belongs to. */
export async function forgetLater(which: (row: Afterwards) => boolean): Promise<void> {
  for (const row of await rows()) if (which(row)) await remove(row.id);
  await show();
}

/** Once more what was refused. */
export async function retryLater(): Promise<void> {
  for (const { refused, ...row } of await rows()) if (refused !== undefined) await put(row);
  await catchUp();
}

/** What fails for want of a network waits on. */
export async function catchUp(): Promise<void> {
  await show();
  if (later.value.length === 0) return;
  await inTurn(() => doAll(() => true)).catch(() => undefined);
}

async function doAll(which: (row: Afterwards) => boolean): Promise<void> {
  try {
    const due = (await rows()).filter((row) => row.refused === undefined && which(row));
    if (due.length === 0) return;
    const waiting = new Set((await keptScans(due[0]!.user_id)).map(({ client_id }) => client_id));
    for (const row of due) {
      const isUndo = 'undo' in row.what;
      if (row.scan_id === null && !isUndo && waiting.has(row.client_id)) continue;
      try {
        const scanId = row.scan_id ?? (await recordedAs(row));
        if (row.user_id !== user.value?.id) return; // it is not his who has signed in since
        if (scanId !== undefined) await carryOut(row, scanId);
        else if (!isUndo) {
          await put({ ...row, refused: t('queue.later.gone') });
          continue;
        }
        await remove(row.id);
      } catch (error) {
        if (!isProblem(error) || error.problem.status >= 500 || [401, 429].includes(error.problem.status))
          throw error;
        // What is to be taken back is gone already.
        if (isUndo && error.problem.status === 404) await remove(row.id);
        else await put({ ...row, refused: error.problem.detail });
      }
    }
  } finally {
    await show();
  }
}

/** What the service has recorded of a message whose answer never came; undefined where it has nothing. */
async function recordedAs({ session_id, client_id }: Afterwards): Promise<number | undefined> {
  const params = { path: { id: session_id }, query: { client_id } };
  const { data } = await unwrap(api.GET('/api/v1/inventories/{id}/scans', { params }));
  return (data as { id: number }[])[0]?.id;
}

type Upload = NonNullable<
  paths['/api/v1/inventories/{id}/scans/{scan_id}/attachments']['post']['requestBody']
>['content']['multipart/form-data'];

async function carryOut({ id, session_id, what }: Afterwards, scanId: number): Promise<void> {
  const path = { id: session_id, scan_id: scanId };
  if ('undo' in what) {
    await unwrap(api.DELETE('/api/v1/inventories/{id}/scans/{scan_id}', { params: { path } }));
  } else if ('change' in what) {
    await unwrap(
      api.PATCH('/api/v1/inventories/{id}/scans/{scan_id}', { params: { path }, body: what.change }),
    );
  } else {
    const form = new FormData();
    form.append('kind', 'photo');
    form.append('file', what.photo, 'photo.jpg');
    await unwrap(
      api.POST('/api/v1/inventories/{id}/scans/{scan_id}/attachments', {
        params: { path, header: { 'Idempotency-Key': id } },
        body: form as unknown as Upload,
        bodySerializer: (body) => body as unknown as FormData,
        fetch: patient,
      }),
    );
  }
}

/** From the start of the page on. */
export function keepCatchingUp(): void {
  onOutcome(async ({ scan, result }) => {
    if (await hasRecorded(scan, result)) void catchUp(); // not awaited: it waits for the queue's turn to end
  });
  beforeSending(() => doAll(({ what }) => 'undo' in what));
  addEventListener('online', () => void catchUp());
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void catchUp();
  });
  effect(() => {
    if (user.value) void scans().then(catchUp, () => undefined);
    else later.value = [];
  });
}

/** Lets what belongs to the scan know of it. */
async function hasRecorded(scan: QueuedScan, result: Outcome['result']): Promise<boolean> {
  if (!result) return false;
  const mine = await rowsOf(scan.client_id);
  for (const row of mine) {
    // That scan is another one, which stays.
    if ('undo' in row.what && result.reason === 'already-scanned') await remove(row.id);
    else if (result.scan_id) await put({ ...row, scan_id: result.scan_id });
    else if (!['late', 'session-closed'].includes(result.reason))
      await put({ ...row, refused: result.message });
  }
  return mine.length > 0;
}
