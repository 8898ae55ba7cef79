import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { manyScans } from './asks.js';
import type { Contestant } from './asks.js';
import { WARM_UP_S, fire, warmUp } from './fire.js';
import type { Options } from './options.js';
import { median, spread } from './turns.js';
import type { Spread } from './turns.js';

/** What it costs those who scan that somebody is told of each scan, and how soon he is: medians of the rounds. */
export interface Sending {
  name: string;
  /** Scans a second, without a webhook and with one. */
  without: number;
  with: number;
  /** With to without, round by round. */
  ratio: Spread;
  /** Messages a second, from the first scan until the last message has come. */
  messages: number;
  /** MiB that the process held at most meanwhile, above what it had before. */
  grown: number;
}

/** After that no more messages come; after this something is wrong. */
const QUIET_MS = 2000;
const LIMIT_MS = 60_000;
const LOOK_MS = 50;

export async function measureSending(at: Contestant, options: Options): Promise<Sending> {
  const receiver = await Receiver.listen();
  const webhook = await call(at, 'POST', '/webhooks', {
    url: receiver.url,
    events: ['scan.recorded'],
    is_active: false,
  });
  const rounds: { without: number; with: number; messages: number; grown: number }[] = [];
  try {
    for (let round = 0; round < options.rounds; round++) {
      const turn = { without: 0, with: 0, messages: 0, grown: 0 };
      // Who comes first changes from round to round.
      for (const isTold of round % 2 === 0 ? [false, true] : [true, false]) {
        await call(at, 'PATCH', `/webhooks/${String(webhook.id)}`, { is_active: isTold });
        if (isTold) Object.assign(turn, await told(at, options, receiver));
        else turn.without = (await scansASecond(at, options)).rate;
      }
      rounds.push(turn);
    }
  } finally {
    await call(at, 'DELETE', `/webhooks/${String(webhook.id)}`);
    receiver.close();
  }
  const of = (figure: 'without' | 'with' | 'messages' | 'grown') =>
    median(rounds.map((turn) => turn[figure]));
  return {
    name: at.name,
    without: of('without'),
    with: of('with'),
    ratio: spread(rounds.map((turn) => turn.with / turn.without)),
    messages: of('messages'),
    grown: of('grown'),
  };
}

async function told(at: Contestant, options: Options, receiver: Receiver) {
  const turn = { with: 0, messages: 0, grown: 0 };
  receiver.count = 0;
  turn.grown = await at.server.grown(async () => {
    const began = performance.now();
    const { rate, scans } = await scansASecond(at, options);
    // Of the warm-up too, and of those that were under way at its end: nobody knows how many.
    while (receiver.count < scans || performance.now() - receiver.lastAt < QUIET_MS) {
      if (performance.now() - receiver.lastAt > LIMIT_MS)
        throw new Error(`${receiver.count} of ${scans} messages have come.`);
      await sleep(LOOK_MS);
    }
    turn.with = rate;
    turn.messages = receiver.count / ((receiver.lastAt - began) / 1000);
  });
  return turn;
}

async function scansASecond(at: Contestant, { duration, connections }: Options) {
  const asks = await manyScans(at.data, WARM_UP_S + duration);
  await at.data.settle();
  await warmUp(at.server.url, asks, connections);
  const { requests, seconds } = await fire(at.server.url, asks, { connections, duration });
  return { rate: requests / seconds, scans: requests };
}

async function call({ server, data }: Contestant, method: string, path: string, body?: object) {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: data.authorization(), 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return JSON.parse(text) as { id: number };
}

/** Somebody who is told, and answers at once. */
class Receiver {
  count = 0;
  lastAt = performance.now();
  private readonly server = createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      this.count++;
      this.lastAt = performance.now();
      response.writeHead(204).end();
    });
  });

  static async listen(): Promise<Receiver> {
    const receiver = new Receiver();
    receiver.server.listen(0, '127.0.0.1');
    await once(receiver.server, 'listening');
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
