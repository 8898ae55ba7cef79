import { setTimeout as sleep } from 'node:timers/promises';
import { endlessScans, lookups, post } from './asks.js';
import type { Contestant } from './asks.js';
import { fire, warmUp } from './fire.js';
import type { Options } from './options.js';
import { median } from './turns.js';

/** What opening a session takes, and what it costs those who scan and read meanwhile; medians of the rounds. */
export interface Opening {
  name: string;
  /** Seconds of POST /inventories. */
  alone: number;
  underLoad: number;
  /** Milliseconds that 99 % of the requests took at most. */
  scansBefore: number;
  scansMeanwhile: number;
  readsBefore: number;
  readsMeanwhile: number;
}

const NEVER_S = 3600;

export async function measureOpening(at: Contestant, options: Options): Promise<Opening> {
  const rounds: Omit<Opening, 'name'>[] = [];
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
  const of = (figure: keyof (typeof rounds)[number]) => median(rounds.map((round) => round[figure]));
  return {
    name: at.name,
    alone: of('alone'),
    underLoad: of('underLoad'),
    scansBefore: of('scansBefore'),
    scansMeanwhile: of('scansMeanwhile'),
    readsBefore: of('readsBefore'),
    readsMeanwhile: of('readsMeanwhile'),
  };
}

async function open({ server, data }: Contestant): Promise<number> {
  const body = { year: 2026, inventory_date: '2026-11-16' };
  const { path, accepts, ...request } = post(data, '/inventories', body, (answer) =>
    answer.startsWith('{"id":'),
  );
  const began = performance.now();
  const answer = await fetch(server.url + path, request);
  const text = await answer.text();
  if (!accepts(text)) throw new Error(`POST ${path} answered ${answer.status}: ${text}`);
  return (performance.now() - began) / 1000;
}

/** Half of the connections scan in a session of their own and the others look codes up, for as long as `work` takes. */
async function scanAndRead<T>(
  { server, data }: Contestant,
  { connections, duration }: Options,
  work: () => Promise<T>,
): Promise<{ scans: number; reads: number; result: T }> {
  const scans = await endlessScans(data);
  await data.settle();
  await warmUp(server.url, scans, { connections, duration });
  const end = new AbortController();
  const load = { connections: Math.ceil(connections / 2), duration: NEVER_S, signal: end.signal };
  const [scanned, read, result] = await Promise.all([
    fire(server.url, scans, load),
    fire(server.url, lookups(data), load),
    work().finally(() => end.abort()),
  ]);
  return { scans: scanned.percentile(99), reads: read.percentile(99), result };
}
