import { parseArgs } from 'node:util';
import { UsageError } from '../src/common/command-line.js';
import type { Size } from './dataset.js';
import { SCENARIOS } from './scenarios.js';

/** What is measured besides the scenarios. */
const OTHERS = {
  start: 'from `node dist/main.js` to ready, and look-ups in the ten seconds after; not with --growth',
  import: 'npm run import -- purchases, of files of 10 000 and 100 000 lines; not with --growth',
  browser: 'the app at /app in Chromium; not with --growth',
  opening: 'POST /inventories, beside scans and reads; only with --growth',
  closing: 'POST /inventories/{id}/close, beside scans and reads; only with --growth',
  uploads: 'POST /purchases/{id}/attachments, of photos of 12 megapixels; only with --growth',
  webhooks: 'POST /inventories/{id}/scan, with a webhook and without; only with --growth',
  memory:
    'what the process holds after a campaign and after an export, and a minute later; only with --growth',
  long: 'GET /inventories/{id}/pack and /report, whole, one at a time; only with --growth',
};
const ONLY_GROWING = ['opening', 'closing', 'uploads', 'webhooks', 'memory', 'long'];

export interface Options {
  rounds: number;
  duration: number;
  connections: number;
  purchases: number;
  /** Of the databases that --growth compares, from the smallest on. */
  sizes: Size[];
  /** Where the databases are kept for the next run; none where they go with this one. */
  folder?: string;
  growth: boolean;
  /** Whether requests arrive at fixed rates. */
  open: boolean;
  /** Writes no file. */
  dryRun: boolean;
  scenarios: string[];
}

/** With fewer, not every search would fill its page. */
const LEAST = 10_000;

const list = (scenarios: Record<string, string>) =>
  Object.entries(scenarios)
    .map(([name, what]) => `  ${name.padEnd(16)} ${what}`)
    .join('\n');

export const HELP = `Usage: npm run bench -- [options]

Compares the service with a bare node:http server, a bare Express 5 and an idiomatic Nest with TypeORM, which take
turns on a PostgreSQL of its own. Prints tables, and writes them to bench/results.json and bench/RESULTS.md, in place
of what they had of the same scenarios. Any answer other than the one expected ends the run. One run at a time: two
would slow each other down.

  --purchases N      how many purchases there are, from 10000 on (100000)
  --rounds N         how often each server has its turn (5)
  --duration S       seconds of a turn, after a warm-up of 2 (8)
  --connections N    how many connections ask at the same time (32)
  --scenario NAME    only this one; may be given several times
  --growth           the service alone, on databases of several sizes
  --open             requests that arrive at fixed rates, whatever becomes of those before; over 200 connections
                     unless told otherwise
  --size N[+C]       a size for --growth, with C closed sessions of at most 1 000 000 lines; may be given several times
                     (10000, 100000, 1000000)
  --folder PATH      keeps the databases there, and takes those that an earlier run has left there
  --dry-run          prints the tables, and leaves the files as they are
  --help             this

Scenarios:
${list(Object.fromEntries(SCENARIOS.map(({ name, what }) => [name, what])))}
${list(OTHERS)}

The database is in the system's temporary directory (TMPDIR), which should be on a real disk, since scans wait for it.
`;

/** @throws UsageError for an option that is unknown or makes no sense; null where help was asked for */
export function readOptions(args: string[]): Options | null {
  const values = parse(args);
  if (values.help) return null;
  const scenarios = values.scenario ?? [];
  const known = [...SCENARIOS.map(({ name }) => name), ...Object.keys(OTHERS)];
  const unknown = scenarios.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UsageError(`No scenario ${unknown}; there are ${known.join(', ')}.`);
  const growing = scenarios.find((name) => ONLY_GROWING.includes(name));
  if (!values.growth && growing) throw new UsageError(`${growing} needs --growth.`);
  const alone = scenarios.find((name) => ['start', 'import', 'browser'].includes(name));
  if (values.growth && alone) throw new UsageError(`${alone} is not measured with --growth.`);
  if (values.open && (values.growth || scenarios.length > 0))
    throw new UsageError('--open is for itself: neither with --growth nor with --scenario.');
  if (values.growth && values.purchases)
    throw new UsageError('--purchases is not for --growth; take --size.');
  if (!values.growth && values.size) throw new UsageError('--size needs --growth.');
  const { size = ['10000', '100000', '1000000'] } = values;
  const sizes = size.map(readSize).sort((a, b) => a.purchases - b.purchases || a.closed - b.closed);
  const isCompared = scenarios.length === 0 || !scenarios.every((name) => ONLY_GROWING.includes(name));
  const different = new Set(sizes.map(({ purchases, closed }) => `${purchases}+${closed}`));
  if (different.size < sizes.length || (sizes.length < 2 && isCompared))
    throw new UsageError('--growth compares at least two different sizes.');
  return {
    rounds: whole('rounds', values.rounds),
    duration: whole('duration', values.duration),
    connections: whole('connections', values.connections ?? (values.open ? '200' : '32')),
    purchases: whole('purchases', values.purchases ?? '100000', LEAST),
    sizes,
    folder: values.folder,
    growth: values.growth,
    open: values.open,
    dryRun: values['dry-run'],
    scenarios,
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        purchases: { type: 'string' },
        rounds: { type: 'string', default: '5' },
        duration: { type: 'string', default: '8' },
        connections: { type: 'string' },
        scenario: { type: 'string', multiple: true },
        growth: { type: 'boolean', default: false },
        open: { type: 'boolean', default: false },
        size: { type: 'string', multiple: true },
        folder: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function readSize(text: string): Size {
  const [purchases, closed = '0', ...others] = text.split('+');
  if (others.length > 0) throw new UsageError('--size must be like 1000000 or 1000000+20.');
  return { purchases: whole('size', purchases!, LEAST), closed: whole('size', closed, 0) };
}

function whole(name: string, value: string, min = 1): number {
  if (/^\d{1,8}$/.test(value) && Number(value) >= min) return Number(value);
  throw new UsageError(`--${name} must be a whole number from ${min} on.`);
}
