import { setTimeout as sleep } from 'node:timers/promises';
import { lookups, manyScans, post, send } from './asks.js';
import type { Contestant } from './asks.js';
import { WARM_UP_S, fire, warmUp } from './fire.js';
import type { Fired } from './fire.js';
import type { Options } from './options.js';
import { median } from './turns.js';

/** What opening a session takes, and what it costs those who scan and read meanwhile; medians of the rounds. */
export interface Opening {
  name: string;
  /** Seconds that filling the database took. */
  loaded: number;
  /** Seconds of POST /inventories. */
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
/** By then every session is open, or something is wrong. */
const OPENING_LIMIT_S = 15;

export async function measureOpening(at: Contestant, options: Options): Promise<Opening> {
  const rounds: Omit<Opening, 'name' | 'loaded'>[] = [];
  for (let round = 0; round < options.rounds; round++) {
    await at.data.settle();
    const alone = await open(at);
    const before = await scanAndRead(at, options, () => sleep(options.duration * 1000));
    const meanwhile = await scanAndRead(at, options, () => open(at));
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

async function open(at: Contestant): Promise<number> {
  const body = { year: 2026, inventory_date: '2026-11-16' };
  const began = performance.now();
  await send(
    at,
    post(at.data, '/inventories', body, (answer) => answer.startsWith('{"id":')),
  );
  return (performance.now() - began) / 1000;
}

/** Half of the connections scan in a session of their own and the others look codes up, for as long as `work` takes. */
async function scanAndRead<T>(
  { server, data }: Contestant,
  { connections, duration }: Options,
  work: () => Promise<T>,
): Promise<{ scans: Waits; reads: Waits; result: T }> {
  const limit = duration + OPENING_LIMIT_S;
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
