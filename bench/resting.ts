import { setTimeout as sleep } from 'node:timers/promises';
import { campaign, file } from './asks.js';
import type { Contestant } from './asks.js';
import { fire } from './fire.js';
import type { Firing } from './fire.js';
import { read } from './long.js';

/** MiB that the process holds right after some work, and a minute after it, in which nobody asks. */
interface Held {
  after: number;
  later: number;
}

export interface Resting {
  name: string;
  /** MiB of a process that is ready. */
  ready: number;
  campaign: Held;
  exported: Held;
}

const REST_MS = 60_000;

/** What a process that has just begun holds, and what is left of it: V8 gives back what it took once nobody asks. */
export async function measureResting(at: Contestant, { connections, duration }: Firing): Promise<Resting> {
  const held = async () => (await at.server.usage()).rss / 2 ** 20;
  const left = async (work: Promise<unknown>): Promise<Held> => {
    await work;
    const after = await held();
    await sleep(REST_MS);
    return { after, later: await held() };
  };
  const ready = await held();
  const asks = await campaign(at.data, duration);
  return {
    name: at.name,
    ready,
    campaign: await left(fire(at.server.url, asks, { connections, duration })),
    exported: await left(read(at, file(at, '/purchases?format=csv', '\ufeffarticle;'))),
  };
}
