import { arrive } from './arrivals.js';
import type { Waited } from './arrivals.js';
import type { Contestant } from './asks.js';
import { WARM_UP_S, fire, warmUp } from './fire.js';
import type { Asks, Firing } from './fire.js';
import type { ServerName } from './server.js';

/** What one turn of one contestant has shown. */
export interface Turn {
  /** Requests per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** Microseconds of CPU of the server process for a request; null where others asked it something else as well. */
  cpu: number | null;
  /** The same of its main thread alone; null also where no Linux tells it, and older runs have not measured it. */
  main?: number | null;
  /** MiB that the server held after the turn. */
  rss: number;
}

/** A value that was measured in every round. */
export interface Spread {
  median: number;
  min: number;
  max: number;
}

export interface Standing {
  name: string;
  median: Turn;
  /** How many times as fast the reference was, round by round; 1 for itself. */
  ratio: Spread;
  turns: Turn[];
}

export interface Case {
  title: string;
  standings: Standing[];
  /** How many times as fast as the first of its scenario, round by round, where those are compared. */
  ratio?: Spread;
}

/** How often, for how many seconds and over how many connections everybody asks. */
export interface Rounds extends Firing {
  rounds: number;
}

/** What is asked in one turn of so many seconds, the warm-up among them; called before the clock runs. */
export type Prepare = (at: Contestant, seconds: number) => Asks | Promise<Asks>;

export interface Scenario {
  name: string;
  what: string;
  servers: ServerName[];
  /** Where it is not for --connections to say. */
  connections?: number;
  /** By title. */
  cases: Record<string, Prepare>;
  /** Whether the others are compared with the first of them. */
  isCompared?: boolean;
}

/** What is asked of whom, and what that has shown. */
interface Seat {
  title: string;
  prepare: Prepare;
  contestant: Contestant;
  turns: Turn[];
}

/** Every other round goes back the way of the one before it, and the next two begin with another one. */
function orderIn<T>(round: number, all: T[]): T[] {
  const first = Math.floor(round / 2) % all.length;
  const order = [...all.slice(first), ...all.slice(0, first)];
  return round % 2 === 0 ? order : order.reverse();
}

/** Everybody's turn in every round, of each case: what is compared is seconds apart, not minutes. */
export async function takeTurns(
  { cases, isCompared, connections: own }: Scenario,
  contestants: Contestant[],
  reference: Contestant,
  { rounds, duration, connections: usual }: Rounds,
): Promise<Case[]> {
  const connections = own ?? usual;
  const seats = Object.entries(cases).flatMap(([title, prepare]) =>
    contestants.map((contestant): Seat => ({ title, prepare, contestant, turns: [] })),
  );
  for (let round = 0; round < rounds; round++) {
    for (const { prepare, contestant, turns } of orderIn(round, seats)) {
      const asks = await prepare(contestant, WARM_UP_S + duration);
      await contestant.data.settle();
      await warmUp(contestant.server.url, asks, connections);
      turns.push(await turn(contestant, asks, { connections, duration }));
      asks.end?.();
    }
  }
  const referred = seats.filter(({ contestant }) => contestant === reference);
  return referred.map(({ title, turns: against }) => ({
    title,
    standings: seats
      .filter((seat) => seat.title === title)
      .map(({ contestant, turns }) => ({
        name: contestant.name,
        median: medians(turns),
        ratio: ratiosOf(against, turns),
        turns,
      })),
    ...(isCompared && { ratio: ratiosOf(against, referred[0]!.turns) }),
  }));
}

/** How many times as fast, round by round. */
const ratiosOf = (turns: Turn[], others: Turn[]): Spread =>
  spread(turns.map(({ rate }, round) => rate / others[round]!.rate));

/** The same where requests arrive at a fixed rate: medians of the rounds. */
export async function takeArrivals(
  contestants: Contestant[],
  prepare: Prepare,
  { rounds, duration, connections, rate }: Rounds & { rate: number },
): Promise<{ name: string; waited: Waited }[]> {
  const turns = new Map<Contestant, Waited[]>(contestants.map((contestant) => [contestant, []]));
  for (let round = 0; round < rounds; round++) {
    for (const contestant of orderIn(round, contestants)) {
      const asks = await prepare(contestant, WARM_UP_S + duration);
      await contestant.data.settle();
      await warmUp(contestant.server.url, asks, connections);
      turns.get(contestant)!.push(await arrive(contestant.server.url, asks, { rate, connections, duration }));
    }
  }
  return [...turns].map(([{ name }, own]) => {
    const of = (figure: keyof Waited) => median(own.map((waited) => waited[figure]));
    return { name, waited: { p50: of('p50'), p99: of('p99'), p999: of('p999'), rate: of('rate') } };
  });
}

async function turn({ server }: Contestant, asks: Asks, options: Firing): Promise<Turn> {
  const { beside } = asks;
  const before = await server.usage();
  const [{ requests, seconds, percentile }] = await Promise.all([
    fire(server.url, asks, options),
    beside && fire(server.url, beside, { ...options, connections: beside.connections }),
  ]);
  const after = await server.usage();
  const each = (begin: number | null, end: number | null) =>
    beside || begin === null || end === null ? null : ((end - begin) * 1e6) / requests;
  return {
    rate: requests / seconds,
    p50: percentile(50),
    p99: percentile(99),
    cpu: each(before.cpu, after.cpu),
    main: each(before.main, after.main),
    rss: after.rss / 2 ** 20,
  };
}

export function spread(values: number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

function medians(turns: Turn[]): Turn {
  const of = (figure: (turn: Turn) => number) => median(turns.map(figure));
  const each = (figure: 'cpu' | 'main') =>
    turns.some((turn) => turn[figure] === null) ? null : of((turn) => turn[figure]!);
  return {
    rate: of((turn) => turn.rate),
    p50: of((turn) => turn.p50),
    p99: of((turn) => turn.p99),
    cpu: each('cpu'),
    main: each('main'),
    rss: of((turn) => turn.rss),
  };
}
