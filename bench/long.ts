import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { file, inGzip, packs, reports } from './asks.js';
import type { Contestant } from './asks.js';
import type { Asks } from './fire.js';
import { median } from './turns.js';

/** What a long answer takes, asked alone: medians of the rounds. */
export interface Long {
  title: string;
  seconds: number;
  /** MiB of the answer. */
  size: number;
  /** MiB that the process held at most, above what it had before. */
  grown: number;
}

const LABELLED = Array.from({ length: 1000 }, (_, n) => n + 1).join();

const LONG: Record<string, (at: Contestant) => Asks | Promise<Asks>> = {
  'a pack': (at) => packs(at),
  'a pack in gzip': async (at) => inGzip(await packs(at)),
  'the figures of a report': (at) => reports(at, 'json', '{"session":'),
  'a report as CSV': (at) => reports(at, 'csv', '\ufeffcode,'),
  'a report as a workbook': (at) => reports(at, 'xlsx', 'PK'),
  'a report as pages': (at) => reports(at, 'pdf', '%PDF-1.7'),
  'all purchases as CSV': (at) => file(at, '/purchases?format=csv', '\ufeffarticle;'),
  'all purchases as a workbook': (at) => file(at, '/purchases?format=xlsx', 'PK'),
  '1 000 labels as PDF': (at) => file(at, `/purchases/labels?ids=${LABELLED}`, '%PDF-1.3'),
  '1 000 labels for a Zebra printer': (at) => file(at, `/purchases/labels?format=zpl&ids=${LABELLED}`, '^XA'),
};

export async function measureLong(at: Contestant, rounds: number): Promise<Long[]> {
  const measured: Long[] = [];
  for (const [title, prepare] of Object.entries(LONG)) {
    const asks = await prepare(at);
    const turns: Omit<Long, 'title'>[] = [];
    for (let round = 0; round < rounds; round++) {
      await at.data.settle();
      const turn = { seconds: 0, size: 0, grown: 0 };
      turn.grown = await at.server.grown(async () => Object.assign(turn, await read(at, asks)));
      turns.push(turn);
    }
    const of = (figure: 'seconds' | 'size' | 'grown') => median(turns.map((turn) => turn[figure]));
    measured.push({ title, seconds: of('seconds'), size: of('size'), grown: of('grown') });
  }
  return measured;
}

/** @throws Error where the answer does not begin as it should */
export async function read({ server }: Contestant, asks: Asks): Promise<{ seconds: number; size: number }> {
  const { path, headers, accepts } = asks.next();
  const began = performance.now();
  const [answer] = (await once(get(server.url + path, { headers }), 'response')) as [IncomingMessage];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    if (size === 0 && (answer.statusCode !== 200 || !accepts(chunk.toString())))
      throw new Error(`${path} answered ${answer.statusCode}: ${chunk.toString('utf8', 0, 500)}`);
    size += chunk.length;
  }
  if (!answer.complete) throw new Error(`${path} broke off`);
  return { seconds: (performance.now() - began) / 1000, size: size / 2 ** 20 };
}
