import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { format, resolveConfig } from 'prettier';
import type { Options } from './options.js';
import type { Postgres } from './postgres.js';
import { number } from './format.js';
import { nameOf, render } from './report.js';
import type { Results, Run } from './results.js';

const JSON_FILE = 'bench/results.json';
const MARKDOWN_FILE = 'bench/RESULTS.md';

export function describeRun({ version }: Postgres, options: Options): Run {
  const { growth, sizes, purchases, rounds, duration, connections } = options;
  const cores = `${os.cpus().length} cores of ${os.cpus()[0]?.model.trim()}`;
  const memory = `${number(os.totalmem() / 2 ** 30)} GiB`;
  const amount = growth ? sizes.map(nameOf).join(', ') : number(purchases);
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cores}, ${memory}, Node.js ${process.versions.node}, PostgreSQL ${version}`,
    settings: `${amount} purchases, ${rounds} × ${duration} s, ${connections} connections`,
  };
}

/** Writes both files, with what older runs have measured and this one has not. */
export async function save({ compared, growth, past, ...others }: Results): Promise<void> {
  const older: Results = existsSync(JSON_FILE)
    ? (JSON.parse(readFileSync(JSON_FILE, 'utf8')) as Results)
    : { compared: {}, growth: {}, past: {} };
  const all = {
    ...older,
    ...others,
    compared: { ...older.compared, ...compared },
    growth: { ...older.growth, ...growth },
    past: { ...older.past, ...past },
  };
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(6)) : value;
  await write(JSON_FILE, JSON.stringify(all, rounded));
  await write(MARKDOWN_FILE, render(all));
}

async function write(filepath: string, text: string): Promise<void> {
  writeFileSync(filepath, await format(text, { ...(await resolveConfig(filepath)), filepath }));
}
