import { readFileSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** The app in the browser as it was built beside the service. */
const folder = join(realpathSync('dist'), '../app');
const read = (name: string): Buffer => readFileSync(join(folder, name));
const names = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1));

describe('The build of the app in the browser', () => {
  it('loads at most 60 kB of JavaScript at first, compressed', () => {
    const scripts = [
      ...read('index.html')
        .toString()
        .matchAll(/\/app\/(assets\/[^"]+\.js)"/g),
    ];
    const sizes = scripts.map(([, name]) => gzipSync(read(name!)).length);
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(60_000);
  });

  it('has no more files than the limit of an address counts for one who opens it', () => {
    const [, limit] = /FILES_OF_APP = (\d+)/.exec(readFileSync('src/http/rate-limit.ts', 'utf8'))!;
    expect(names.length).toBeLessThanOrEqual(Number(limit));
  });

  it('is kept for offline use as a whole, but for the decoder, which only some need', () => {
    const worker = read('service-worker.js').toString();
    const isWanted = (name: string) => !/^(index\.html|service-worker\.js)$|decoder|\.wasm$/.test(name);
    for (const name of names.filter(isWanted)) expect(worker).toContain(`/app/${name}`);
    expect(worker).not.toMatch(/decoder-\w|\.wasm"/);
  });

  it('has a service worker that one can read: less than 150 lines', () => {
    const lines = readFileSync('web/src/workers/service-worker.ts', 'utf8').split('\n');
    expect(lines.length).toBeLessThan(150);
  });
});
