import type { NestExpressApplication } from '@nestjs/platform-express';
import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import { extname, join } from 'node:path';
import { servePage } from '../contract/page.js';

/** Where the build of `web/` lies beside that of the service; tests run from the sources, and take the one that is there. */
const built = [
  () => join(import.meta.dirname, '../../app'),
  () => join(realpathSync(join(import.meta.dirname, '../../dist')), '../app'),
];

/** It runs and shows its own files, calls this service, and nothing else. */
const policy = (scripts: string): string =>
  [
    "default-src 'none'",
    `script-src ${scripts}`,
    "style-src 'self'",
    "img-src 'self' blob: data:", // photos are read with the token; the style sheet draws small marks
    "media-src 'self' blob:",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** A worker has the policy that comes with it: of all files only the decoder of codes compiles WebAssembly. */
const DECODER = 'assets/decoder-';
const policyOf = (name: string): string =>
  policy(name.startsWith(DECODER) ? "'self' 'wasm-unsafe-eval'" : "'self'");

const FOR_EVER = 'public, max-age=31536000, immutable';
/** Asked for every time, so that a new build is seen; what has a digest in its name never changes. */
const cachingOf = (name: string): string => (name.startsWith('assets/') ? FOR_EVER : 'no-cache');

const TYPES: Record<string, string> = { '.webmanifest': 'application/manifest+json' };

/** What is no file. */
const PAGES = /^\/app(?!\/assets\/)(\/[^/.]+){0,3}\/?$/;

/** The app in the browser at /app; every address below it that is no file is a page of its own. */
export function serveWeb(app: NestExpressApplication): void {
  const folder = folderOf();
  if (folder === undefined) return;
  const serve = (name: string, path: string | RegExp = `/app/${name}`): void =>
    servePage(app, path, {
      type: TYPES[extname(name)] ?? extname(name),
      headers: {
        'Content-Security-Policy': policyOf(name),
        'Permissions-Policy': 'camera=(self), microphone=(), geolocation=()',
        'Cache-Control': cachingOf(name),
        ...(name === 'service-worker.js' && { 'Service-Worker-Allowed': '/app' }),
      },
      make: () => readFileSync(join(folder, name)),
    });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => extname(name) !== '' && name !== 'index.html');
  for (const name of names) serve(name);
  serve('index.html', PAGES);
}

/** Undefined where the service was compiled without it. */
function folderOf(): string | undefined {
  for (const where of built) {
    try {
      const folder = where();
      if (existsSync(join(folder, 'index.html'))) return folder;
    } catch {
      // there is no build
    }
  }
  return undefined;
}
