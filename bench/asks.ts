import type { Dataset } from './dataset.js';
import type { Ask, Asks } from './fire.js';
import { codeOf } from './load.js';
import type { Server } from './server.js';

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

/** Scans every purchase of a new session once, in any order. */
export async function scans(data: Dataset): Promise<Asks & { session: number }> {
  const { session, order } = await sessionToScan(data);
  let done = 0;
  const next = () => scan(data, session, codeOf(order[done++]!), 'success');
  return { session, next, left: () => order.length - done };
}

/** Scans for ever, as long as a measurement beside it may take: once all is scanned, again in the same order. */
export async function endlessScans(data: Dataset): Promise<Asks & { session: number }> {
  const { session, order } = await sessionToScan(data);
  let done = 0;
  return {
    session,
    next: () => scan(data, session, codeOf(order[done++ % order.length]!), 'success|warning'),
  };
}

async function sessionToScan(data: Dataset): Promise<{ session: number; order: Uint32Array }> {
  return { session: await data.openSession(), order: shuffled(data.purchases) };
}

export function scan(data: Dataset, session: number, code: string, status: string): Ask {
  const begin = new RegExp(`^{"status":"(${status})"`);
  const expected = `"code":"${code}"`;
  const accepts = (answer: string) => begin.test(answer) && answer.includes(expected);
  return post(data, `/inventories/${session}/scan`, { code }, accepts);
}

export const progress = (data: Dataset, session: number): Ask =>
  read(data, `/inventories/${session}`, (answer) => answer.includes(`"progress":{"scanned":`));

/** Pages that nobody changes meanwhile, so that each answer is the first one again, character by character. */
export async function pages({ server, data }: Contestant, paths: string[]): Promise<Asks> {
  const expected = new Map<string, string>();
  for (const path of paths) {
    const answer = await get(server, data, path);
    if (!answer.startsWith('{"data":[{"id":')) throw new Error(`${path} answered ${answer.slice(0, 500)}`);
    expected.set(path, answer);
  }
  const all = [...expected].map(([path, page]) => ({ path, accepts: (answer: string) => answer === page }));
  let turn = 0;
  const next = () => {
    const { path, accepts } = all[turn++ % all.length]!;
    return read(data, path, accepts);
  };
  return { next };
}

/** A page that others change meanwhile. */
export const changingPage = (data: Dataset, path: string): Ask =>
  read(data, path, (answer) => answer.startsWith('{"data":['));

/** The cursor with which a page of a list begins. */
export async function cursorOf({ server, data }: Contestant, path: string, page: number): Promise<string> {
  const { meta } = JSON.parse(await get(server, data, `${path}?page=${page - 1}`)) as {
    meta: { next_cursor: string };
  };
  return meta.next_cursor;
}

export async function get(server: Server, data: Dataset, path: string): Promise<string> {
  const answer = await fetch(server.url + API + path, { headers: { Authorization: data.authorization() } });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.text();
}

/** 1 to `count`, in any order. */
function shuffled(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, index) => index + 1);
  for (let last = count - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [order[last], order[other]] = [order[other]!, order[last]!];
  }
  return order;
}
