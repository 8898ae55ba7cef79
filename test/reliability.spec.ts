import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A promise of docs/reliability.md: its number, and the titles of the tests and drills that show it. */
const rows = [...readFileSync('docs/reliability.md', 'utf8').matchAll(/^\| +(\d+) \|(.*)$/gm)].map((row) => ({
  number: Number(row[1]),
  titles: row[2]!.match(/reliability-\d\d-[a-z0-9-]+/g) ?? [],
}));

/** The titles in all tests and drills. */
const shown = ['src', 'test']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /(spec|drill)\.ts$/.test(file) && !file.endsWith('reliability.spec.ts'))
  .flatMap((file) => readFileSync(file, 'utf8').match(/reliability-\d\d-[a-z0-9-]+/g) ?? []);

describe('docs/reliability.md', () => {
  it('has each promise once, in the order of their numbers', () => {
    const numbers = rows.map(({ number }) => number);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    expect(rows.length).toBeGreaterThan(0);
  });

  it.each(rows)('names tests for $number that there are', ({ number, titles }) => {
    expect(titles).not.toEqual([]);
    for (const title of titles) {
      expect(title).toMatch(new RegExp(`^reliability-${String(number).padStart(2, '0')}-`));
      expect(shown).toContain(title);
    }
  });

  it('leaves out no test that shows a promise', () => {
    const named = rows.flatMap(({ titles }) => titles);
    expect(shown.filter((title) => !named.includes(title))).toEqual([]);
  });
});
