import { ApiError, idempotencyKey, isFinal, unwrap } from '@recense/client';
import type { QueuedScan, paths } from '@recense/client';
import { effect, signal } from '@preact/signals';
import { user } from './account.js';
import { api, isOnline, isProblem, patient } from './api.js';
import { change, remove, replace, rows, rowsOf } from './kept-afterwards.js';
import { beforeSending, discardInTurn, inTurn, isKept, keptScans, onOutcome, scans } from './scans.js';
import type { Outcome } from './scans.js';
import type { Afterwards } from './store.js';
import { isOfAnother, sentenceOf } from './verdicts.js';

/** What waits for its scan to be recorded, or for the network: photos, remarks, scans that were taken back. */
export const later = signal<Afterwards[]>([]);

/** Why something is refused whose scan the service has not: it may have been taken back. */
export const GONE = 'gone';

/** The longest first pause after a failure, which doubles with each, and the longest of all, in milliseconds. */
const PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 60_000;
/** What setTimeout() can count to. */
const MAX_PAUSE_MS = 2 ** 31 - 1;

let timer: ReturnType<typeof setTimeout> | undefined;
let notBefore = 0;
let failures = 0;
/** How often what belongs to a scan has failed, by its client_id. */
const timesFailed = new Map<string, number>();

const show = async (): Promise<void> => {
  later.value = await rows();
};

const isUndo = ({ what }: Afterwards): boolean => 'undo' in what;

export type Scanned = Omit<Afterwards, 'id' | 'what'>;
type Change = Extract<Afterwards['what'], { change: unknown }>['change'];

/** Kept until its scan is recorded and there is a network. */
export async function sendPhoto(scan: Scanned, photo: Blob): Promise<void> {
  await replace([], [{ id: idempotencyKey(), ...scan, what: { photo } }]);
  void catchUp();
}

/** Likewise. What was said before and still waits goes with it, since rows are in no order. */
export async function sendChange(scan: Scanned, said: Change): Promise<void> {
  const before = (await rowsOf(scan.client_id)).filter(({ what }) => 'change' in what);
  const all = before.map(({ what }) => ('change' in what ? what.change : {}));
  const what = { change: Object.assign({}, ...all, said) as Change };
  await replace(before, [{ id: idempotencyKey(), ...scan, what }]);
  void catchUp();
}

/** Together, so that none of them is sent in place of another. What was said of them goes with them. */
export async function takeBack(taken: Scanned[]): Promise<void> {
  const ids = taken.map(({ client_id }) => client_id);
  const said = (await Promise.all(ids.map(rowsOf))).flat();
  await replace(
    said,
    taken.map((scan) => ({ id: idempotencyKey(), ...scan, what: { undo: true } })),
  );
  // The service may have them already: then they are taken back there, before anything else is sent.
  await (await scans()).discard(ids);
  void catchUp();
}

/** By the user's word: what was refused, or the scan it belongs to. */
export async function forgetLater(which: (row: Afterwards) => boolean): Promise<void> {
  for (const row of await rows()) if (which(row)) await remove(row.id);
  await show();
}

/** Once more what was refused. */
export async function retryLater(): Promise<void> {
  for (const { refused, ...row } of await rows()) if (refused !== undefined) await change(row);
  await catchUp();
}

let trying: Promise<void> = Promise.resolve();
let next: Promise<void> | undefined;
let isTrying = false;

/** What fails for want of a network is tried again. Whoever comes before a try begins waits for the same. */
export async function catchUp(): Promise<void> {
  await show();
  if (later.value.length === 0 || Date.now() < notBefore) return;
  next ??= trying.then(() => {
    next = undefined;
    trying = tryAll();
    return trying;
  });
  await next;
}

/** Scans are not sent while others are taken back; they wait for no photo. */
async function tryAll(): Promise<void> {
  isTrying = true;
  clearTimeout(timer);
  const tried = await Promise.allSettled([
    inTurn(() => doAll(isUndo)),
    alone(() => doAll((row) => !isUndo(row))),
  ]);
  isTrying = false;
  const failed = tried.find((one) => one.status === 'rejected');
  if (failed) tryLater(failed.reason);
  else failures = 0;
}

/** By one tab at a time, where the browser can tell. */
const alone = (work: () => Promise<void>): Promise<unknown> =>
  isKept.value && 'locks' in navigator ? navigator.locks.request('afterwards', work) : work();

/** At random, so that phones which lost the service together do not come back together. */
function tryLater(error: unknown): void {
  const told = error instanceof ApiError ? Number(error.response.headers.get('Retry-After')) * 1000 || 0 : 0;
  const pause = told + Math.random() * Math.min(LONGEST_PAUSE_MS, PAUSE_MS * 2 ** failures++);
  notBefore = Date.now() + told;
  timer = setTimeout(
    () => {
      notBefore = 0;
      void catchUp();
    },
    Math.min(pause, MAX_PAUSE_MS),
  );
}

/** @throws the first error that may pass: of one that concerns a scan alone, once all others are done */
async function doAll(which: (row: Afterwards) => boolean): Promise<void> {
  const errors = new Map<string, unknown>();
  try {
    const due = (await rows()).filter((row) => row.refused === undefined && which(row));
    if (due.length === 0) return;
    // What fails again and again holds up nothing.
    due.sort((a, b) => (timesFailed.get(a.client_id) ?? 0) - (timesFailed.get(b.client_id) ?? 0));
    const waiting = new Set((await keptScans(due[0]!.user_id)).map(({ client_id }) => client_id));
    for (const row of due) {
      const { client_id } = row;
      if (errors.has(client_id)) continue;
      if (row.scan_id === null && !isUndo(row) && waiting.has(client_id)) continue;
      try {
        // It was taken back just before the page ended: else it would be sent after all.
        if (isUndo(row) && waiting.has(client_id)) await discardInTurn(row.user_id, client_id);
        const scanId = row.scan_id ?? (await recordedAs(row));
        if (row.user_id !== user.value?.id) return; // it is not his who has signed in since
        if (scanId !== undefined) await carryOut(row, scanId);
        if (scanId !== undefined || isUndo(row)) await remove(row.id);
        else await change({ ...row, refused: GONE });
        timesFailed.delete(client_id);
      } catch (error) {
        const refusal = refusalOf(error);
        if (!refusal) {
          timesFailed.set(client_id, (timesFailed.get(client_id) ?? 0) + 1);
          if (isOfAll(error)) throw error;
          errors.set(client_id, error);
        }
        // What is to be taken back is gone already.
        else if (isUndo(row) && refusal.status === 404) await remove(row.id);
        else await change({ ...row, refused: refusal.detail });
      }
    }
  } finally {
    await show();
  }
  for (const error of errors.values()) throw error;
}

/** Of the network, the login or the service, whatever is sent. */
const isOfAll = (error: unknown): boolean =>
  !isProblem(error) || [401, 429, 503].includes(error.problem.status);

/** What the service would say again; undefined of what may pass, such as a conflict with a try that still runs. */
function refusalOf(error: unknown) {
  if (!isProblem(error) || error.problem.status >= 500) return undefined;
  const mayPass = [401, 429].includes(error.problem.status) || error.response.headers.has('Retry-After');
  return mayPass ? undefined : error.problem;
}

/** What the service has recorded of a message whose answer never came; undefined where it has nothing. */
async function recordedAs({ session_id, client_id }: Afterwards): Promise<number | undefined> {
  const params = { path: { id: session_id }, query: { client_id } };
  const { data: scanned } = await unwrap(api.GET('/api/v1/inventories/{id}/scans', { params }));
  if (scanned[0]) return scanned[0].id;
  // What the session did not expect is in a list of its own.
  const { data: others } = await unwrap(api.GET('/api/v1/inventories/{id}/unexpected', { params }));
  return others[0]?.scan_id;
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
  beforeSending(() => doAll(isUndo));
  addEventListener('online', () => void catchUp());
  // A try that ends it by itself has its pauses.
  isOnline.subscribe((is) => void (is && !isTrying && catchUp()));
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
    if (isUndo(row) && result.reason === 'already-scanned') await remove(row.id);
    else if ('change' in row.what && isOfAnother(result, row.user_id))
      await change({ ...row, refused: result.reason });
    else if (result.scan_id) await change({ ...row, scan_id: result.scan_id });
    else if (isFinal(result))
      await change({ ...row, refused: sentenceOf(result.reason) ? result.reason : result.message });
  }
  return mine.length > 0;
}
