import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dataset } from './dataset.js';
import type { Postgres } from './postgres.js';

/** What `npm run import -- purchases FILE` takes of a file of new purchases, and of the same file again. */
export interface Importing {
  /** Lines of the file. */
  lines: number;
  fresh: Import;
  again: Import;
}

/** Seconds from the start of the command to its end, and the most MiB that it held. */
export interface Import {
  seconds: number;
  rss: number;
}

export const IMPORTED = [10_000, 100_000];
const LOOK_MS = 20;

export async function measureImporting(
  { folder }: Postgres,
  data: Dataset,
  lines: number,
): Promise<Importing> {
  const file = join(folder, `purchases-${lines}.csv`);
  const articles = await data.articles();
  const line = (n: number) =>
    `IMP${lines}-${n};"${articles[n % articles.length]}";2026-03-0${1 + (n % 9)};${((10_000 + n) / 100).toFixed(2)};SN${n};Bureau ${n % 400}`;
  const header = 'code;article;purchase_date;purchase_price;serial_number;notes';
  writeFileSync(file, [header, ...Array.from({ length: lines }, (_, n) => line(n))].join('\n'));
  await data.settle();
  const fresh = await run(file, data, `${lines} new, 0 updated`);
  await data.settle();
  return { lines, fresh, again: await run(file, data, `${lines} unchanged`) };
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
