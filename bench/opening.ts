import { setTimeout as sleep } from 'node:timers/promises';
import { lookups, manyScans, post, send } from './asks.js';
import type { Contestant } from './asks.js';
import { SCANNED_EVERY } from './dataset.js';
import type { Dataset } from './dataset.js';
import { WARM_UP_S, fire, warmUp } from './fire.js';
import type { Ask, Fired } from './fire.js';
import type { Options } from './options.js';
import { median } from './turns.js';

/**
 * What opening a session takes, or closing it, and what it costs those who scan and read meanwhile; medians of the
 * rounds.
 */
export interface Opening {
  name: string;
  /** Seconds that filling the database took. */
  loaded: number;
  /** Seconds of the request. */
  alone: number;
  underLoad: number;
  scansBefore: Waits;
  scansMeanwhile: Waits;
  readsBefore: Waits;
  readsMeanwhile: Waits;
}

/** Milliseconds that 99 % of the requests took at most, and all of them. */
export interface Waits {
  p99: number;
  longest: number;
}

/** Scans and reads go on for so long, so that those that waited for the opening are answered, and counted. */
const AFTERWARDS_S = 1;
/** By then it is done, or something is wrong. */
const limitOf = ({ purchases }: Dataset) => 40 + purchases / 20_000;

/** What is asked once for a session; prepared before the clock runs. */
type Prepare = (at: Contestant) => Ask | Promise<Ask>;

const isSession = (answer: string) => answer.startsWith('{"id":');

export const opening: Prepare = ({ data }) =>
  post(data, '/inventories', { year: 2026, inventory_date: '2026-11-16' }, isSession);

/** Of a session of which four fifths are scanned. */
export const closing: Prepare = async ({ data }) => {
  const session = await data.openSession(`p.id % ${SCANNED_EVERY} > 0`);
  return post(data, `/inventories/${session}/close`, {}, isSession);
};

export async function measureOpening(at: Contestant, options: Options, prepare: Prepare): Promise<Opening> {
  const rounds: Omit<Opening, 'name' | 'loaded'>[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const [first, second] = [await prepare(at), await prepare(at)];
    await at.data.settle();
    const alone = await secondsOf(at, first);
    const before = await scanAndRead(at, options, () => sleep(options.duration * 1000));
    const meanwhile = await scanAndRead(at, options, () => secondsOf(at, second));
    rounds.push({
      alone,
      underLoad: meanwhile.result,
      scansBefore: before.scans,
      scansMeanwhile: meanwhile.scans,
      readsBefore: before.reads,
      readsMeanwhile: meanwhile.reads,
    });
  }
  const of = (figure: 'alone' | 'underLoad') => median(rounds.map((round) => round[figure]));
  const waits = (of: 'scansBefore' | 'scansMeanwhile' | 'readsBefore' | 'readsMeanwhile'): Waits => ({
    p99: median(rounds.map((round) => round[of].p99)),
    longest: Math.max(...rounds.map((round) => round[of].longest)),
  });
  return {
    name: at.name,
    loaded: at.data.loaded,
    alone: of('alone'),
    underLoad: of('underLoad'),
    scansBefore: waits('scansBefore'),
    scansMeanwhile: waits('scansMeanwhile'),
    readsBefore: waits('readsBefore'),
    readsMeanwhile: waits('readsMeanwhile'),
  };
}

async function secondsOf(at: Contestant, ask: Ask): Promise<number> {
  const began = performance.now();
  await send(at, ask);
  return (performance.now() - began) / 1000;
}

/** Half of the connections scan in a session of their own and the others look codes up, for as long as `work` takes. */
async function scanAndRead<T>(
  { server, data }: Contestant,
  { connections, duration }: Options,
  work: () => Promise<T>,
): Promise<{ scans: Waits; reads: Waits; result: T }> {
  const limit = duration + limitOf(data);
  const scans = await manyScans(data, WARM_UP_S + limit);
  await data.settle();
  await warmUp(server.url, scans, connections);
  const end = new AbortController();
  const load = { connections: Math.ceil(connections / 2), duration: limit, signal: end.signal };
  const working = work().finally(() => setTimeout(() => end.abort(), AFTERWARDS_S * 1000));
  const [scanned, read, result] = await Promise.all([
    fire(server.url, scans, load),
    fire(server.url, lookups(data), load),
    working,
  ]);
  return { scans: waits(scanned), reads: waits(read), result };
}

const waits = ({ percentile }: Fired): Waits => ({ p99: percentile(99), longest: percentile(100) });
