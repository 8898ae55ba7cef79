import { randomUUID } from 'node:crypto';
import { SCANNED_EVERY } from './dataset.js';
import type { Dataset } from './dataset.js';
import type { Ask, Asks } from './fire.js';
import { codeOf } from './load.js';
import type { Server } from './server.js';
import { inAnyOrder } from './unscanned.js';

/** Who is measured: a server, and the data behind it. */
export interface Contestant {
  name: string;
  server: Server;
  data: Dataset;
}

const API = '/api/v1';

function read(data: Dataset, path: string, accepts: Ask['accepts']): Ask {
  return { method: 'GET', path: API + path, headers: { Authorization: data.authorization() }, accepts };
}

export function post(data: Dataset, path: string, body: object, accepts: Ask['accepts']): Ask {
  const headers = { Authorization: data.authorization(), 'Content-Type': 'application/json' };
  return { method: 'POST', path: API + path, headers, body: JSON.stringify(body), accepts };
}

/** Looks up one purchase after another. */
export function lookups(data: Dataset): Asks {
  const next = () => {
    const code = codeOf(1 + Math.floor(Math.random() * data.purchases));
    const expected = `"code":"${code}"`;
    return read(data, `/scan/${code}`, (answer) => answer.includes(expected));
  };
  return { next };
}

/** Scans purchases of one session, each once: all that there are, or enough for so many seconds. */
export function scans(data: Dataset, seconds: number): Promise<Scans> {
  return firstScans(data, Math.min(data.purchases, seconds * SCANS_A_SECOND));
}

/** More than any server here has answered. */
const SCANS_A_SECOND = 6000;

/** Enough first scans for so many seconds: where a session ends, the next one goes on. */
export const manyScans = (data: Dataset, seconds: number): Promise<Scans> =>
  firstScans(data, seconds * SCANS_A_SECOND);

async function firstScans(data: Dataset, count: number): Promise<Scans> {
  const unscanned = await data.unscanned(count);
  return {
    session: () => unscanned.session,
    take: (count) => unscanned.takeAll(count),
    next: () => {
      const { session } = unscanned;
      return scan(data, session, codeOf(unscanned.take()), 'success');
    },
    left: () => unscanned.left,
  };
}

/** The same in batches of so many, as phones send what they have gathered. */
export async function batches(data: Dataset, seconds: number, size: number): Promise<Asks> {
  const { take, left } = await manyScans(data, seconds * Math.min(size, 10)); // faster by less than that
  const accepts = (answer: string) => answer.includes(`"summary":{"success":${size},"warning":0,"error":0}`);
  const next = () => {
    const { session, purchases } = take(size);
    const scans = purchases.map((purchase) => ({ client_id: randomUUID(), code: codeOf(purchase) }));
    return post(data, `/inventories/${session}/scans`, { scans }, accepts);
  };
  return { next, left };
}

export interface Scans extends Asks {
  /** The one that is scanned in now. */
  session: () => number;
  /** The next ones of one session that are not scanned yet. */
  take: (count: number) => { session: number; purchases: number[] };
}

export function scan(data: Dataset, session: number, code: string, status: string): Ask {
  const begin = new RegExp(`^{"status":"(${status})"`);
  const expected = `"code":"${code}"`;
  const accepts = (answer: string) => begin.test(answer) && answer.includes(expected);
  return post(data, `/inventories/${session}/scan`, { code }, accepts);
}

export const progress = (data: Dataset, session: number): Ask =>
  read(data, `/inventories/${session}`, (answer) => answer.includes(`"progress":{"scanned":`));

/** Of a session of which a fifth is scanned, while somebody scans more. */
export async function progressBy(at: Contestant, by: string): Promise<Asks> {
  const session = await at.data.openSession(`p.id % ${SCANNED_EVERY} = 0`);
  const path = `/inventories/${session}/progress?by=${by}`;
  await get(at, path); // the lines are read once, by whoever asks first
  const order = inAnyOrder(at.data.purchases).filter((purchase) => purchase % SCANNED_EVERY > 0);
  let done = 0;
  const beside = {
    connections: 1,
    next: () => scan(at.data, session, codeOf(order[done++]!), 'success'),
    left: () => order.length - done,
  };
  return { next: () => read(at.data, path, (answer) => answer.startsWith('{"data":[{"key":')), beside };
}

/** What a phone takes along of a session, whole or what has changed. */
export async function packs(at: Contestant, query = ''): Promise<Asks> {
  const path = `/inventories/${await at.data.readSession()}/pack${query}`;
  return { next: () => read(at.data, path, (answer) => answer.startsWith('{"session":')) };
}

/** The same in gzip, which nobody unpacks here. */
export const inGzip = ({ next, ...asks }: Asks): Asks => ({
  ...asks,
  next: () => {
    const ask = next();
    const headers = { ...ask.headers, 'Accept-Encoding': 'gzip' };
    return { ...ask, headers, accepts: (answer) => answer.startsWith('\x1f') };
  },
});

/** The report of a session, and with which letters each begins. */
export async function reports(at: Contestant, format: string, begin: string): Promise<Asks> {
  const path = `/inventories/${await at.data.readSession()}/report?format=${format}`;
  return { next: () => read(at.data, path, (answer) => answer.startsWith(begin)) };
}

/** A file, and with which letters it begins. */
export const file = ({ data }: Contestant, path: string, begin: string): Asks => ({
  next: () => read(data, path, (answer) => answer.startsWith(begin)),
});

/** Pages that nobody changes meanwhile, so that each answer is the first one again, character by character. */
export async function pages(at: Contestant, paths: string[]): Promise<Asks> {
  const expected = new Map<string, string>();
  for (const path of paths) {
    const answer = await get(at, path);
    if (!answer.startsWith('{"data":[{"id":')) throw new Error(`${path} answered ${answer.slice(0, 500)}`);
    expected.set(path, answer);
  }
  const all = [...expected].map(([path, page]) => ({ path, accepts: (answer: string) => answer === page }));
  let turn = 0;
  const next = () => {
    const { path, accepts } = all[turn++ % all.length]!;
    return read(at.data, path, accepts);
  };
  return { next };
}

/** A page that others change meanwhile. */
const changingPage = (data: Dataset, path: string): Ask =>
  read(data, path, (answer) => answer.startsWith('{"data":['));

/** What phones ask in a campaign: 70 % scans, 15 % look-ups, 10 % progress, 5 % lists. */
export async function campaign(data: Dataset, seconds: number): Promise<Asks> {
  const scanned = await manyScans(data, seconds);
  const lookedUp = lookups(data);
  const lists = [() => `/inventories/${scanned.session()}/unscanned?cursor=`, () => '/purchases?cursor='];
  let turn = 0;
  const next = () => {
    const share = Math.random();
    if (share < 0.7) return scanned.next();
    if (share < 0.85) return lookedUp.next();
    if (share < 0.95) return progress(data, scanned.session());
    return changingPage(data, lists[turn++ % 2]!());
  };
  return { next };
}

/** The cursor with which a page of a list begins. */
export async function cursorOf(at: Contestant, path: string, page: number): Promise<string> {
  const { meta } = JSON.parse(await get(at, `${path}?page=${page - 1}`)) as {
    meta: { next_cursor: string };
  };
  return meta.next_cursor;
}

export const get = (at: Contestant, path: string): Promise<string> =>
  send(
    at,
    read(at.data, path, () => true),
  );

/** @throws Error where the answer is not the one expected */
export async function send({ server }: Contestant, { path, accepts, ...request }: Ask): Promise<string> {
  const answer = await fetch(server.url + path, request);
  const text = await answer.text();
  if (!answer.ok || !accepts(text))
    throw new Error(`${request.method} ${path} answered ${answer.status}: ${text.slice(0, 500)}`);
  return text;
}
