import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const WORKER = 'service-worker.js';
/** Loaded by who needs it, and kept then: the decoder of codes, with its WebAssembly. */
const WHEN_NEEDED = /decoder|\.wasm$|\.map$/;

/** What several pages use. */
const SHARED = /web\/src\/(shared|texts)|clients\/typescript|node_modules\/(@?preact|idb|openapi-fetch)/;

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Tells the service worker which files a build has, and by what name: another build has another one. */
const precache: Plugin = {
  name: 'precache',
  enforce: 'post', // style sheets come last
  generateBundle(_, bundle) {
    const worker = bundle[WORKER];
    if (worker?.type !== 'chunk') return;
    const digest = createHash('sha256').update(worker.code);
    const icons = readdirSync(here('public'));
    for (const icon of icons) digest.update(readFileSync(here(`public/${icon}`)));
    // Whatever else has changed has another name, or is named by index.html.
    const names = Object.keys(bundle).filter((name) => name !== WORKER && !WHEN_NEEDED.test(name));
    const page = bundle['index.html'];
    digest.update(names.sort().join()).update(page?.type === 'asset' ? page.source : '');
    const files = ['', ...names.filter((name) => name !== 'index.html'), ...icons];
    worker.code = worker.code
      .replace('__FILES__', () => JSON.stringify(files.map((name) => `/app/${name}`)))
      .replace('__BUILD__', () => JSON.stringify(digest.digest('hex').slice(0, 12)));
  },
};

export default defineConfig(({ command }) => ({
  root: here('.'),
  base: '/app/',
  resolve: {
    alias: {
      '@recense/client': here('../clients/typescript/src/index.ts'),
    },
  },
  plugins: [precache],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: false, // its folder is new
    cssCodeSplit: false, // all of it is less than one picture
    assetsInlineLimit: 0, // the policy of its pages lets nothing stand inline
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: here('index.html'),
        'service-worker': here('src/workers/service-worker.ts'),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? WORKER : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
        // What most pages use is one file, instead of a dozen that each would ask for.
        codeSplitting: { groups: [{ name: 'shared', test: SHARED }] },
      },
    },
  },
  // `npm run dev:web`: pages from the sources, everything else from the service on its own port.
  ...(command === 'serve' && {
    server: { proxy: { '/api': process.env.RECENSE_URL ?? 'http://localhost:3000' } },
  }),
}));
