import type { Answer } from './client.js';

export interface Latency {
  count: number;
  p50: number;
  p99: number;
  statuses: number[];
}

/** How long answers take, in milliseconds, while `work` runs: so many callers, each with one request after the other. */
export async function latencyDuring(
  work: () => Promise<unknown>,
  callers: number,
  ask: (caller: number) => Promise<Answer>,
): Promise<Latency> {
  const times: number[] = [];
  const statuses = new Set<number>();
  let isDone = false;
  const call = async (caller: number): Promise<void> => {
    while (!isDone) {
      const start = performance.now();
      statuses.add((await ask(caller)).status);
      times.push(performance.now() - start);
    }
  };
  const calls = Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)));
  await work().finally(() => (isDone = true));
  await calls;
  times.sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? NaN);
  return { count: times.length, p50: at(0.5), p99: at(0.99), statuses: [...statuses] };
}
