// Keeps the files of one build, so that the page opens without a network. The API is none of its business: what is
// read offline and what waits to be sent is in IndexedDB.
const worker = self as unknown as ServiceWorkerGlobalScope;
declare const __FILES__: string[];
declare const __BUILD__: string;

const FILES = __FILES__;
const BUILD = `build-${__BUILD__}`;
/** The decoder, once it was needed: its name changes with its content, so that builds share it. */
const DECODER = 'decoder';
const DECODER_FILE = /\/app\/assets\/.*(decoder|\.wasm$)/;

worker.addEventListener('install', (event) => event.waitUntil(keepBuild()));

async function keepBuild(): Promise<void> {
  // Past the browser's own cache: index.html must be that of this build.
  const asked = (file: string) => new Request(file, { cache: 'no-cache' });
  const page = await fetch(asked('/app'));
  if (!page.ok || !isOfBuild(await page.clone().text())) throw new Error('/app is not of this build');
  const cache = await caches.open(BUILD);
  await cache.addAll(FILES.filter((file) => file !== '/app/').map(asked));
  await cache.put('/app', page);
}

/** An instance that has another version may answer while they are replaced, or a network that wants a login first. */
function isOfBuild(html: string): boolean {
  const named = html.match(/\/app\/assets\/[^"]+/g) ?? [];
  return named.length > 0 && named.every((file) => FILES.includes(file));
}

worker.addEventListener('activate', (event) => {
  const old = async () => {
    for (const name of await caches.keys()) if (name !== BUILD && name !== DECODER) await caches.delete(name);
    await worker.clients.claim();
  };
  event.waitUntil(old());
});

/** The page says when: never in the middle of a scan. */
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});

worker.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== worker.location.origin || !/^\/app(\/|$)/.test(pathname)) return;
  event.respondWith(DECODER_FILE.test(pathname) ? decoder(request) : file(request));
});

async function file(request: Request): Promise<Response> {
  const cache = await caches.open(BUILD);
  // Every page is the same file.
  const kept = await cache.match(request.mode === 'navigate' ? '/app' : request);
  return kept ?? fetch(request);
}

async function decoder(request: Request): Promise<Response> {
  const cache = await caches.open(DECODER);
  const kept = await cache.match(request);
  if (kept) return kept;
  const answer = await fetch(request);
  // Where the browser has no room for it, it is loaded each time.
  if (answer.ok) await cache.put(request, answer.clone()).catch(() => undefined);
  return answer;
}
