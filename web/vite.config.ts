import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import type { Plugin } from 'vite';

const WORKER = 'service-worker.js';
/** Loaded by who needs it, and kept then: the decoder of codes, with its WebAssembly. */
const WHEN_NEEDED = /decoder|\.wasm$|\.map$/;

/** Tells the service worker which files a build has, and by what name: another build has another one. */
const precache: Plugin = {
  name: 'precache',
  generateBundle(_, bundle) {
    const names = Object.keys(bundle)
      .filter((name) => name !== WORKER && !WHEN_NEEDED.test(name))
      .sort();
    const worker = bundle[WORKER];
    if (worker?.type !== 'chunk') return;
    const build = createHash('sha256').update(names.join()).update(worker.code).digest('hex').slice(0, 12);
    const files = ['', ...names.filter((name) => name !== 'index.html')].map((name) => `/app/${name}`);
    worker.code = worker.code
      .replace('__FILES__', () => JSON.stringify(files))
      .replace('__BUILD__', () => JSON.stringify(build));
  },
};

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  resolve: {
    alias: {
      '@recense/client': fileURLToPath(new URL('../clients/typescript/src/index.ts', import.meta.url)),
    },
  },
  plugins: [precache],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    emptyOutDir: false, // its folder is new
    assetsInlineLimit: 0, // the policy of its pages lets nothing stand inline
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: {
        index: fileURLToPath(new URL('index.html', import.meta.url)),
        'service-worker': fileURLToPath(new URL('src/workers/service-worker.ts', import.meta.url)),
      },
      output: {
        entryFileNames: ({ name }) => (name === 'service-worker' ? WORKER : 'assets/[name]-[hash].js'),
        chunkFileNames: 'assets/[name]-[hash].js',
        assetFileNames: 'assets/[name]-[hash][extname]',
      },
    },
  },
  // `npm run dev:web`: pages from the sources, everything else from the service on its own port.
  ...(command === 'serve' && {
    server: { proxy: { '/api': process.env.RECENSE_URL ?? 'http://localhost:3000' } },
  }),
}));
