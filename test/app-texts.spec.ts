import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const readTexts = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(`web/src/texts/${language}.json`, 'utf8'));
const en = readTexts('en');
const fr = readTexts('fr');

const sources = readdirSync('web/src', { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => readFileSync(join('web/src', name), 'utf8'))
  .join('\n');

const placeholders = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();

describe('What the app in the browser says', () => {
  it('has the same keys in both languages, sorted', () => {
    expect(Object.keys(fr)).toEqual(Object.keys(en));
    expect(Object.keys(en)).toEqual([...Object.keys(en)].sort());
  });

  it('is never empty, and names the same values', () => {
    for (const [key, text] of Object.entries(en)) {
      expect([key, text.trim(), fr[key]!.trim()]).not.toContain('');
      expect([key, placeholders(fr[key]!)]).toEqual([key, placeholders(text)]);
    }
  });

  it('says how many in both forms', () => {
    for (const key of Object.keys(en).filter((one) => /\.(one|other)$/.test(one)))
      expect(Object.keys(en)).toContain(
        key.replace(/\.(one|other)$/, (form) => (form === '.one' ? '.other' : '.one')),
      );
  });

  it('is said somewhere: as it stands, or by a key that is put together', () => {
    // What stands before `${` in a template is the beginning of a key.
    const templates = [...sources.matchAll(/`([a-z][a-z.-]*[.-])\$\{/g)].map(([, beginning]) => beginning!);
    // word(PREFIX, those that are known, one of them) of shared/texts.
    const words = [...sources.matchAll(/\bword\('([a-z.-]+)'/g)].map(([, prefix]) => `${prefix}.`);
    const beginnings = [...templates, ...words];
    const unsaid = Object.keys(en).filter((key) => {
      const name = key.replace(/\.(one|other)$/, '');
      const isWhole = sources.includes(`'${name}'`) || sources.includes(`'${key}'`);
      return !isWhole && !beginnings.some((beginning) => key.startsWith(beginning));
    });
    expect(unsaid).toEqual([]);
  });
});
