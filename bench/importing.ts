import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { TABLE_TYPES } from '../src/contract/content.js';
import { xlsxOf } from '../src/exports/xlsx.js';
import type { Contestant } from './asks.js';
import type { Dataset } from './dataset.js';
import type { Postgres } from './postgres.js';

/** What the import of a file of new purchases takes, by the command and over HTTP, and of the same file again. */
export interface Importing {
  /** Lines of the file. */
  lines: number;
  fresh: Import;
  again: Import;
  csv: Import;
  xlsx: Import;
}

/** Seconds from the start of the command, or of the request, to the end; and the most MiB that the process held. */
export interface Import {
  seconds: number;
  rss: number;
}

export const IMPORTED = [10_000, 100_000];
const LOOK_MS = 20;
const FIELDS = ['code', 'article', 'purchase_date', 'purchase_price', 'serial_number', 'notes'];

export async function measureImporting(
  { folder }: Postgres,
  at: Contestant,
  lines: number,
): Promise<Importing> {
  const { data } = at;
  const file = join(folder, `purchases-${lines}.csv`);
  const articles = await data.articles();
  const row = (prefix: string, n: number) => [
    `${prefix}${lines}-${n}`,
    articles[n % articles.length]!,
    `2026-03-0${1 + (n % 9)}`,
    ((10_000 + n) / 100).toFixed(2),
    `SN${n}`,
    `Bureau ${n % 400}`,
  ];
  const rows = (prefix: string) => Array.from({ length: lines }, (_, n) => row(prefix, n));
  const csv = (prefix: string) =>
    [FIELDS.join(';'), ...rows(prefix).map((cells) => cells.map((cell) => `"${cell}"`).join(';'))].join('\n');
  writeFileSync(file, csv('IMP'));
  await data.settle();
  const fresh = await run(file, data, `${lines} new, 0 updated`);
  await data.settle();
  const again = await run(file, data, `${lines} unchanged`);
  const sent = [await send(at, lines, TABLE_TYPES.csv, Buffer.from(csv('CSV')))];
  sent.push(await send(at, lines, TABLE_TYPES.xlsx, await workbook(rows('XLSX'))));
  return { lines, fresh, again, csv: sent[0]!, xlsx: sent[1]! };
}

const workbook = (rows: string[][]): Promise<Buffer> =>
  buffer(
    xlsxOf([
      {
        title: 'purchases',
        columns: FIELDS.map((field) => ({ field, title: field, kind: 'text', width: 12 })),
        rows: batched(rows),
      },
    ]),
  );

// eslint-disable-next-line @typescript-eslint/require-await -- a table reads from whatever comes in batches
async function* batched(rows: string[][]): AsyncGenerator<string[][]> {
  for (let at = 0; at < rows.length; at += 1000) yield rows.slice(at, at + 1000);
}

/** Over HTTP. @throws Error where it does not write so many lines */
async function send(
  { server, data }: Contestant,
  lines: number,
  type: string,
  body: Buffer,
): Promise<Import> {
  await data.settle();
  const headers = { authorization: data.authorization(), 'content-type': type };
  const measured = { seconds: 0, rss: 0 };
  const before = (await server.usage()).rss / 2 ** 20;
  const grown = await server.grown(async () => {
    const began = performance.now();
    const answer = await fetch(`${server.url}/api/v1/imports/purchases`, { method: 'POST', headers, body });
    const location = answer.headers.get('location');
    if (answer.status !== 202) throw new Error(`The import was answered ${await answer.text()}`);
    for (;;) {
      const state = await (await fetch(`${server.url}${location}`, { headers })).text();
      if (state.includes(`"status":"done"`) && state.includes(`"inserted":${lines},`)) break;
      if (!/"status":"(checking|writing)"/.test(state)) throw new Error(`The import ended as ${state}`);
      await sleep(LOOK_MS);
    }
    measured.seconds = (performance.now() - began) / 1000;
  });
  return { ...measured, rss: before + grown };
}

/** @throws Error where it says anything else */
async function run(file: string, { url }: Dataset, expected: string): Promise<Import> {
  const began = performance.now();
  const command = spawn(process.execPath, ['dist/cli.js', 'import', 'purchases', file], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, DATABASE_URL: url },
  });
  let said = '';
  for (const stream of [command.stdout, command.stderr]) stream.on('data', (text) => (said += String(text)));
  let rss = 0;
  const look = setInterval(() => (rss = Math.max(rss, greatest(command.pid!))), LOOK_MS);
  await once(command, 'close');
  clearInterval(look);
  if (!said.includes(expected)) throw new Error(`The import said: ${said.slice(0, 500)}`);
  return { seconds: (performance.now() - began) / 1000, rss };
}

/** The most that a process has held, in MiB, as Linux tells it; 0 once it has ended. */
function greatest(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}
