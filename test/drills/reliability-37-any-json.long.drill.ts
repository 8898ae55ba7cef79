import { isUtf8 } from 'node:buffer';
import { readJson, textOf } from '../../src/http/json.js';
import { report } from './support/report.js';

const DRILL = 'reliability-37-any-json';
const MEBIBYTE = 1_048_576;
const WITHIN_MS = 15;
const ROUNDS = 30;
/** Nearly as many as there may be in a body, and how long each is then. */
const MANY = 4990;
const LONG = Math.floor(MEBIBYTE / MANY) - 10;

const filled = (part: string, bytes: number): string =>
  part.repeat(Math.floor(bytes / Buffer.byteLength(part)));
const text = (part: string): string => `"${filled(part, MEBIBYTE - 2)}"`;
const list = (one: (n: number) => string): string =>
  `[${Array.from({ length: MANY }, (_, n) => one(n)).join()}]`;
const object = (name: (n: number) => string): string =>
  `{${Array.from({ length: MANY }, (_, n) => `"${name(n)}":1`).join()}}`;
/** All different, or the last alone one of the others. */
const names = (part: string): string => object((n) => filled(part, LONG - 4) + String(n));
const twice = (part: string): string => object((n) => filled(part, LONG - 4) + String(n % (MANY - 1)));

const bodies: Record<string, string> = {
  'a text': text('x'),
  'a text of two bytes': text('é'),
  'a text of three bytes': text('語'),
  'a text of escapes': text('\\n'),
  'a text of escaped quotes': text('\\"'),
  'a text of numbered escapes': text('\\u00e9'),
  'texts': list(() => `"${filled('x', LONG)}"`),
  'a number': '1'.repeat(MEBIBYTE),
  'fractions': list(() => `0.${filled('123456789', LONG)}`),
  'spaces': `${' '.repeat(MEBIBYTE - 1)}1`,
  'a long name': `{${text('x').slice(0, -6)}":1}`,
  'long names': names('x'),
  'names of two bytes': names('é'),
  'names of three bytes': names('語'),
  'names of escapes': names('\\n'),
  'names of numbered escapes': names('\\u00e9'),
  'a long name twice': twice('x'),
  'a name of two bytes twice': twice('é'),
  'a name of escapes twice': twice('\\n'),
  'the same name of escapes': object(() => filled('\\n', LONG)),
  'numbers as names': object((n) => String(n * 7919)),
  'empty objects': `[${filled('{},', MEBIBYTE - 4)}{}]`,
  'an object in an object': filled('{"a":', MEBIBYTE),
}; // prettier-ignore

describe(DRILL, () => {
  it(`1 MiB of any JSON is read in less than ${WITHIN_MS} ms`, () => {
    const least = Object.entries(bodies).map(([kind, body]) => {
      const raw = Buffer.from(body);
      expect(raw.length).toBeLessThanOrEqual(MEBIBYTE);
      return { kind, ms: Math.min(...Array.from({ length: ROUNDS }, () => timeOf(raw))) };
    });
    least.sort((a, b) => b.ms - a.ms);
    report(DRILL, least.map(({ kind, ms }) => `${kind} ${ms.toFixed(1)} ms`).join(', '));
    expect(least.filter(({ ms }) => ms >= WITHIN_MS)).toEqual([]);
  });
});

/** In the processor, as a body is read (src/http/body.ts). */
function timeOf(raw: Buffer): number {
  const before = process.cpuUsage();
  if (!isUtf8(raw)) throw new Error('No UTF-8');
  readJson(textOf(raw));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
