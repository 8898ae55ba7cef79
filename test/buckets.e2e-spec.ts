// @ts-expect-error -- it has no types
import S3rver from '@20minutes/s3rver';
import { jest } from '@jest/globals';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import sharp from 'sharp';
import { KeptFiles } from '../src/attachments/kept-files.js';
import { Sweeper } from '../src/attachments/sweeper.js';
import { Env, loadEnv } from '../src/config/env.js';
import { BucketFiles } from '../src/files/bucket.js';
import { Files } from '../src/files/files.js';
import { filesOf } from '../src/files/files-of.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import { temporaryFolder, until } from './support/process.js';
import { PDF, upload } from './support/upload.js';

/** An S3 server that checks signatures; its only keys are these. */
const KEYS = { FILES_ACCESS_KEY: 'S3RVER', FILES_SECRET_KEY: 'S3RVER' };
const folder = temporaryFolder();
let server: { run: () => Promise<{ port: number }>; close: () => Promise<void> };
let settings: Record<string, string>;
let t: TestApp;

beforeAll(async () => {
  const options = { address: '127.0.0.1', port: 0, silent: true, directory: folder.path };
  server = new S3rver({ ...options, configureBuckets: [{ name: 'papers' }] }) as typeof server;
  const { port } = await server.run();
  settings = { ...KEYS, FILES_URL: `s3+http://127.0.0.1:${port}/papers/of/recense` };
  t = await startApp(settings);
});
afterAll(async () => {
  await t.stop();
  await server.close();
  folder.remove();
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const { token } = t.as('viewer');
  const answer = await fetch(t.url + path, { headers: { authorization: `Bearer ${token}`, ...headers } });
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const files = () => filesOf(loadEnv(settings));
const kept = async () => {
  const names: string[] = [];
  for await (const found of files().list()) names.push(...found.map(({ name }) => name));
  return names.sort();
};

describe('In a bucket', () => {
  it('photos and papers are kept and had back, in parts and as thumbnails', async () => {
    const { id } = await factories(t).purchase();
    const path = `/purchases/${id}/attachments`;
    const paper = await upload(t.as('manager'), path, PDF, { name: 'facture.pdf' });
    expect(paper.status).toBe(201);
    expect((await get(paper.body.url)).bytes.equals(PDF)).toBe(true);
    const part = await get(paper.body.url, { range: 'bytes=1-3' });
    expect([part.status, part.bytes.toString()]).toEqual([206, 'PDF']);
    const jpeg = await sharp({ create: { width: 900, height: 600, channels: 3, background: 'teal' } })
      .jpeg()
      .toBuffer();
    const photo = await upload(t.as('manager'), path, jpeg);
    const whole = (await get(photo.body.url)).bytes;
    for (const _ of ['made', 'kept'])
      expect(await sharp((await get(`${photo.body.url}?size=320`)).bytes).metadata()).toMatchObject({
        width: 320,
      });
    const sha256 = createHash('sha256').update(whole).digest('hex');
    expect(await kept()).toEqual(
      [createHash('sha256').update(PDF).digest('hex'), sha256, `${sha256}-320`].sort(),
    );
    expect(existsSync(join(t.app.get(Env).DATA_DIR, 'files'))).toBe(false);
  });

  it('nothing is taken for kept where there is no such bucket', async () => {
    const { id } = await factories(t).purchase();
    const path = `/purchases/${id}/attachments`;
    const kept = (await upload(t.as('manager'), path, PDF)).body;
    const lost = await startApp(
      { ...settings, FILES_URL: settings.FILES_URL!.replace('/papers/', '/papier/') },
      t.database,
    );
    try {
      const sent = await upload(lost.as('manager'), path, Buffer.concat([PDF, Buffer.from('%2\n')]));
      expect(sent.status).toBe(503);
      expect((await lost.as('manager').get(path)).body.data).toHaveLength(1);
      expect((await lost.as('manager').get(kept.url.replace('/api/v1', ''))).status).toBe(503);
    } finally {
      await lost.app.close();
    }
  });

  it('nothing is kept without the right key, and whoever sends it is told to come again', async () => {
    const { id } = await factories(t).purchase();
    const stranger = await startApp({ ...settings, FILES_SECRET_KEY: 'wrong' }, t.database);
    try {
      const answer = await upload(
        stranger.as('manager'),
        `/purchases/${id}/attachments`,
        Buffer.concat([PDF, PDF]),
      );
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    } finally {
      await stranger.stop();
    }
  });

  it('they are listed page by page, and removed one by one', async () => {
    const before = await kept();
    const { FILES_URL: url = '' } = settings;
    const paged = new BucketFiles(url, { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }, 2);
    const pages: string[][] = [];
    for await (const page of paged.list()) pages.push(page.map(({ name }) => name));
    expect(pages.length).toBeGreaterThan(1);
    expect([...new Set(pages.flat())].sort()).toEqual(before);
    await t.app.get(Sweeper).sweep();
    expect(await kept()).toEqual(before);
    await files().remove(before[0]!);
    expect(await kept()).toEqual(before.slice(1));
    expect(await files().size(before[0]!)).toBeNull();
    expect(await files().read(before[0]!)).toBeNull();
  });

  it('what is sent while the same bytes are being removed, however slowly, is there after its 201', async () => {
    const { id } = await factories(t).purchase();
    const paper = Buffer.concat([PDF, Buffer.from('%3\n')]);
    const sha256 = createHash('sha256').update(paper).digest('hex');
    await files().put(sha256, Readable.from([paper]), paper.length);
    const other = await startApp({ ...settings, DATABASE_TIMEOUT_MS: '500' }, t.database);
    let sending: ReturnType<typeof upload> | undefined;
    const waits = async () =>
      (await t.database.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`)).length > 0;
    jest.spyOn(other.app.get(Files), 'remove').mockImplementation(async (name) => {
      await sleep(2500); // for longer than a transaction may idle
      sending = upload(t.as('manager'), `/purchases/${id}/attachments`, paper);
      await Promise.race([sending, until(waits)]);
      await files().remove(name);
    });
    try {
      await other.app
        .get(KeptFiles)
        .removeUnlessNamed(sha256)
        .catch(() => undefined);
      const answer = await sending;
      expect(answer?.status).toBe(201);
      expect((await get(answer?.body.url)).bytes.equals(paper)).toBe(true);
    } finally {
      await other.app.close();
    }
  });
});
