/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { Sweeper } from '../src/attachments/sweeper.js';
import { Env } from '../src/config/env.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { watchDeadlocks } from './support/database.js';
import type { Client } from './support/client.js';
import { factories, idsOf, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { PDF, cutOff, upload } from './support/upload.js';

const FORM = { 'content-type': 'multipart/form-data; boundary=x' };

let t: TestApp;
let make: Factories;
let manager: Client;
let viewer: Client;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = t.as('manager');
  viewer = t.as('viewer');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

/** Of one colour, the upper half black. */
const image = (width = 80, height = 60, background = '#3366cc') =>
  sharp({ create: { width, height, channels: 3, background } }).composite([
    { input: { create: { width, height: height / 2, channels: 3, background: 'black' } }, gravity: 'north' },
  ]);
let seed = 0;
/** Another picture each time. */
const photo = () =>
  image(80, 60, `#${(0x336600 + 0x171717 * ++seed).toString(16).slice(-6)}`)
    .jpeg()
    .toBuffer();

async function bytesOf(path: string, headers: Record<string, string> = {}, client = viewer) {
  const answer = await fetch(`${t.url}${path}`, {
    headers: { authorization: `Bearer ${client.token}`, ...headers },
  });
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

const purchasePath = async () => `/purchases/${(await make.purchase()).id}`;
const kept = () =>
  readdirSync(join(t.app.get(Env).DATA_DIR, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);

describe('A photo', () => {
  it('is taken by its content, told of, and had back', async () => {
    const path = await purchasePath();
    const sent = await upload(manager, `${path}/attachments`, await photo(), {
      name: 'Été à l’atelier.jpg',
      type: 'text/html',
    });
    expect(sent.status).toBe(201);
    const { id } = sent.body;
    expect(sent.headers.get('location')).toBe(`/api/v1/attachments/${id}`);
    expect(sent.body).toMatchObject({
      kind: 'photo', name: 'Été à l’atelier.jpg', type: 'image/jpeg', width: 80, height: 60, is_cover: true,
      url: `/api/v1/attachments/${id}`, article_id: null, created_by: { name: 'User manager' },
    }); // prettier-ignore
    expect((await viewer.get(`${path}/attachments`)).body.data).toEqual([sent.body]);

    const file = await bytesOf(sent.body.url);
    expect([file.status, file.bytes.length]).toEqual([200, sent.body.size]);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(sent.body.size),
      'content-disposition': `inline; filename="Ete a l_atelier.jpg"; filename*=UTF-8''%C3%89t%C3%A9%20%C3%A0%20l%E2%80%99atelier.jpg`,
      'cache-control': 'private, no-cache',
      'accept-ranges': 'bytes',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; frame-ancestors 'none'; sandbox`,
      etag: sent.headers.get('etag'),
    });
    const name = createHash('sha256').update(file.bytes).digest('hex');
    expect(kept()).toContain(name);
  });

  it('is turned upright, and what the camera noted is left out', async () => {
    const gps = { GPSLatitudeRef: 'N', GPSLatitude: '48/1 23/1 0/1' };
    const original = await image()
      .jpeg()
      .withExif({ IFD0: { Make: 'Phone' }, IFD3: gps })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await sharp(original).metadata()).orientation).toBe(6);
    const sent = await upload(manager, `${await purchasePath()}/attachments`, original);
    expect([sent.body.width, sent.body.height]).toEqual([60, 80]);
    const { bytes } = await bytesOf(sent.body.url);
    const { exif, orientation, width, height } = await sharp(bytes).metadata();
    expect([exif, orientation, width, height]).toEqual([undefined, undefined, 60, 80]);
    expect(bytes.includes('Phone')).toBe(false);
    // What was above is at the right now.
    const { data } = await sharp(bytes).extract({ left: 55, top: 40, width: 1, height: 1 }).raw().toBuffer({ resolveWithObject: true }); // prettier-ignore
    expect(Math.max(...data)).toBeLessThan(30);
  });

  it.each(['png', 'webp'] as const)('may be %s, which it stays', async (format) => {
    const sent = await upload(
      manager,
      `${await purchasePath()}/attachments`,
      await image().toFormat(format).toBuffer(),
    );
    expect(sent.body).toMatchObject({ type: `image/${format}`, kind: 'photo' });
    expect((await sharp((await bytesOf(sent.body.url)).bytes).metadata()).format).toBe(format);
  });

  it('has thumbnails, which are made once and never larger than itself', async () => {
    const large = await image(1600, 1200).jpeg().toBuffer();
    const { body } = await upload(manager, `${await purchasePath()}/attachments`, large);
    for (const [size, width] of [
      ['320', 320],
      ['1280', 1280],
    ] as const) {
      // prettier-ignore
      const before = kept().length;
      const [first, second] = [
        await bytesOf(`${body.url}?size=${size}`),
        await bytesOf(`${body.url}?size=${size}`),
      ];
      expect(first.headers.get('content-type')).toBe('image/webp');
      expect(await sharp(first.bytes).metadata()).toMatchObject({ format: 'webp', width });
      expect(second.bytes.equals(first.bytes)).toBe(true);
      expect(kept()).toHaveLength(before + 1);
    }
    const small = (await upload(manager, `${await purchasePath()}/attachments`, await photo())).body;
    expect(await sharp((await bytesOf(`${small.url}?size=320`)).bytes).metadata()).toMatchObject({
      width: 80,
    });
    expect(refused(await viewer.get(`/attachments/${body.id}?size=640`))).toEqual(['size']);
  });

  it('is refused where it is none, is damaged or would fill the memory', async () => {
    const path = `${await purchasePath()}/attachments`;
    const french = { headers: { 'accept-language': 'fr' } };
    const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
    for (const wrong of [Buffer.from('<html></html>'), Buffer.from('GIF89a'), Buffer.alloc(0)])
      expect((await upload(manager, path, wrong)).status).toBe(415);
    const answer = await upload(manager, path, heic, { name: 'IMG_1.jpg', type: 'image/jpeg', ...french });
    expect([answer.status, answer.body.detail]).toEqual([
      415,
      expect.stringContaining('« Le plus compatible »'),
    ]);
    const whole = await image(400, 300).jpeg().toBuffer();
    expect(refused(await upload(manager, path, whole.subarray(0, whole.length / 2)))).toEqual(['file']);
    expect(refused(await upload(manager, path, Buffer.from('\xff\xd8\xff\xe0nonsense', 'latin1')))).toEqual([
      'file',
    ]);
    const bomb = await upload(manager, path, pngOf(50_000, 50_000));
    expect([bomb.status, bomb.body.errors?.file[0]]).toEqual([
      422,
      expect.stringContaining('65 million pixels'),
    ]);
    expect((await upload(manager, path, Buffer.alloc(15 * 1_048_576 + 1))).status).toBe(413);
    expect((await viewer.get(path)).body.data).toEqual([]);
  });

  it('is refused where its kind would fill the memory with fewer pixels', async () => {
    const path = `${await purchasePath()}/attachments`;
    for (const [file, why] of [
      [pngOf(8000, 8000, '\x10\x06\0\0\x01'), 'more than 33 million pixels'],
      [progressiveOf(8000, 8000), 'more than 44 million pixels'],
      [webpOf(5000, 5000), 'more than 20 million pixels'],
      [webpOf(3000, 3000, true), 'more than 7 million pixels'],
      [pngOf(65_000_000, 1), 'a side of more than 20000 pixels'],
      [pngOf(1, 65_000_000), 'a side of more than 20000 pixels'],
    ] as const) {
      const { status, body } = await upload(manager, path, file);
      expect([status, body.errors?.file[0]]).toEqual([422, expect.stringContaining(why)]);
    }
  });
});

/** The beginning of one that says it is so large, and how its pixels come: one byte for each of three colours. */
function pngOf(width: number, height: number, pixels = '\x08\x02\0\0\0'): Buffer {
  const header = Buffer.from(`\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0\0\0\0\0${pixels}`, 'latin1');
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  return Buffer.concat([
    header,
    crcOf(header.subarray(12)),
    Buffer.from('\0\0\0\0IDAT', 'latin1'),
    Buffer.alloc(4),
  ]);
}

/** The beginning of a JPEG in several passes. */
function progressiveOf(width: number, height: number): Buffer {
  const header = Buffer.from(
    'ffd8 ffc2 0011 08 0000 0000 03 011100 021100 031100 ffda 000c 03 0100 0200 0300 00 00 00'.replaceAll(
      ' ',
      '',
    ),
    'hex',
  );
  header.writeUInt16BE(height, 7);
  header.writeUInt16BE(width, 9);
  return header;
}

/** The beginning of one in WebP, without losses. */
function webpOf(width: number, height: number, isTransparent = false): Buffer {
  const header = Buffer.from('RIFF\x12\0\0\0WEBPVP8L\x06\0\0\0\x2f\0\0\0\0\0', 'latin1');
  header.writeUInt32LE((width - 1) | ((height - 1) << 14) | (isTransparent ? 1 << 28 : 0), 21);
  return header;
}

function crcOf(bytes: Buffer): Buffer {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  const written = Buffer.alloc(4);
  written.writeUInt32BE(~crc >>> 0);
  return written;
}

describe('A paper', () => {
  it('is a PDF, kept as it is, to be saved', async () => {
    const path = `${await purchasePath()}/attachments`;
    const { body } = await upload(manager, path, PDF, { name: 'facture.pdf', fields: { kind: 'invoice' } });
    expect(body).toMatchObject({ kind: 'invoice', type: 'application/pdf', width: null, is_cover: false });
    const file = await bytesOf(body.url);
    expect(file.bytes.equals(PDF)).toBe(true);
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="facture.pdf"');
    expect((await upload(manager, path, PDF)).body.kind).toBe('other');
    expect(refused(await upload(manager, path, PDF, { fields: { kind: 'photo' } }))).toEqual(['kind']);
    expect(refused(await manager.patch(`/attachments/${body.id}`, { kind: 'photo' }))).toEqual(['kind']);
    expect(refused(await manager.patch(`/attachments/${body.id}`, { is_cover: true }))).toEqual(['is_cover']);
    expect(refused(await viewer.get(`/attachments/${body.id}?size=320`))).toEqual(['size']);
  });

  it('may be had in parts', async () => {
    const { body } = await upload(manager, `${await purchasePath()}/attachments`, PDF);
    const part = async (range: string, more = {}) => {
      const { status, bytes, headers } = await bytesOf(body.url, { range, ...more });
      return [status, headers.get('content-range'), bytes.toString()];
    };
    const text = PDF.toString();
    const { length } = text;
    expect(await part('bytes=0-7')).toEqual([206, `bytes 0-7/${length}`, text.slice(0, 8)]);
    expect(await part('bytes=60-')).toEqual([206, `bytes 60-${length - 1}/${length}`, text.slice(60)]);
    expect(await part('bytes=-6')).toEqual([206, `bytes ${length - 6}-${length - 1}/${length}`, '%%EOF\n']);
    expect(await part(`bytes=5-${length + 99}`)).toEqual([
      206,
      `bytes 5-${length - 1}/${length}`,
      text.slice(5),
    ]);
    expect((await part(`bytes=${length}-`)).slice(0, 2)).toEqual([416, `bytes */${length}`]);
    for (const range of ['bytes=0-1,3-4', 'bytes=9-3', 'lines=1-2', 'bytes=-'])
      expect(await part(range)).toEqual([200, null, text]);
    const tag = (await bytesOf(body.url)).headers.get('etag')!;
    expect((await part('bytes=0-0', { 'if-range': tag }))[0]).toBe(206);
    expect((await part('bytes=0-0', { 'if-range': '"other"' }))[0]).toBe(200);
    expect((await bytesOf(body.url, { 'if-none-match': tag })).status).toBe(304);
  });
});

describe('The cover', () => {
  const coverOf = async (path: string) => (await viewer.get(path)).body.photo_url as string | null;

  it('is the first photo, unless another one was chosen', async () => {
    const path = await purchasePath();
    expect(await coverOf(path)).toBeNull();
    await upload(manager, `${path}/attachments`, PDF);
    expect(await coverOf(path)).toBeNull();
    const photos: any[] = [];
    for (let n = 0; n < 3; n++)
      photos.push((await upload(manager, `${path}/attachments`, await photo())).body);
    const [first, second, third] = photos;
    expect(await coverOf(path)).toBe(first.url);
    const before = (await viewer.get(path)).headers.get('etag');
    const chosen = await manager.patch(`/attachments/${third.id}`, { is_cover: true });
    expect([chosen.status, chosen.body.is_cover]).toEqual([200, true]);
    expect(await coverOf(path)).toBe(third.url);
    expect((await viewer.get(path)).headers.get('etag')).not.toBe(before);
    const { data } = (await viewer.get(`${path}/attachments?kind=photo`)).body;
    expect(data.map((one: any) => one.is_cover)).toEqual([false, false, true]);
    await manager.patch(`/attachments/${third.id}`, { kind: 'other' });
    expect(await coverOf(path)).toBe(first.url);
    await manager.delete(`/attachments/${first.id}`);
    expect(await coverOf(path)).toBe(second.url);
    await manager.delete(`/attachments/${second.id}`);
    expect(await coverOf(path)).toBeNull();
  });

  it.each([
    ['not chosen any more', (id: number) => manager.patch(`/attachments/${id}`, { is_cover: false })],
    ['deleted', (id: number) => manager.delete(`/attachments/${id}`)],
  ])('is the first photo again where the chosen one is %s, whatever was chosen before', async (_, leave) => {
    const path = await purchasePath();
    const photos: any[] = [];
    for (let n = 0; n < 3; n++)
      photos.push((await upload(manager, `${path}/attachments`, await photo())).body);
    const choose = ({ id }: any) => manager.patch(`/attachments/${id}`, { is_cover: true });
    // At the same time, too: whoever was chosen last is the only one.
    const deadlocks = await watchDeadlocks(t.database);
    for (let time = 0; time < 5; time++)
      for (const { status } of await Promise.all(photos.map(choose))) expect(status).toBe(200);
    expect(await deadlocks()).toEqual([]);
    for (const one of photos.slice(1)) await choose(one);
    expect(await coverOf(path)).toBe(photos[2].url);
    expect((await leave(photos[2].id)).status).toBeLessThan(300);
    expect(await coverOf(path)).toBe(photos[0].url);
  });

  it('is chosen, deleted and made another kind at once, and nobody waits for another in a circle', async () => {
    const deadlocks = await watchDeadlocks(t.database);
    for (let time = 0; time < 6; time++) {
      const path = await purchasePath();
      const ids: number[] = [];
      for (let n = 0; n < 4; n++)
        ids.push((await upload(manager, `${path}/attachments`, await photo())).body.id);
      const [first, second, third, last] = ids.map((id) => `/attachments/${id}`);
      await manager.patch(first!, { is_cover: true });
      const answers = await Promise.all([
        manager.patch(second!, { is_cover: true }),
        manager.delete(first!),
        manager.patch(third!, { is_cover: true }),
        manager.patch(last!, { kind: 'other' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    }
    expect(await deadlocks()).toEqual([]);
  });

  it('stands in the lists and under the code too, and not in their files', async () => {
    const purchase = await make.purchase();
    const { body } = await upload(manager, `/purchases/${purchase.id}/attachments`, await photo());
    const listed = (await viewer.get(`/purchases?code=${purchase.code}`)).body.data[0];
    expect([listed.photo_url, listed.updated_at > purchase.updated_at]).toEqual([body.url, true]);
    expect((await viewer.get(`/scan/${purchase.code}`)).body.photo_url).toBe(body.url);
    const csv = await viewer.get(`/purchases?format=csv&code=${purchase.code}`);
    expect(csv.text).not.toContain('photo');
  });

  it.each([
    ['articles', () => make.article()],
    ['equipments', () => make.equipment()],
  ])('is one of %s too', async (list, owner) => {
    const path = `/${list}/${(await owner()).id}`;
    const { body } = await upload(manager, `${path}/attachments`, await photo());
    expect((await viewer.get(path)).body.photo_url).toBe(body.url);
    expect(idsOf((await viewer.get(`${path}/attachments`)).body.data)).toEqual([body.id]);
    expect((await bytesOf(body.url)).status).toBe(200);
  });

  it('is the first one also where several come at once', async () => {
    const path = await purchasePath();
    const files = await Promise.all(Array.from({ length: 6 }, photo));
    const sent = await Promise.all(files.map((file) => upload(manager, `${path}/attachments`, file)));
    const first = Math.min(...sent.map(({ body }) => body.id as number));
    expect(await coverOf(path)).toBe(`/api/v1/attachments/${first}`);
  });
});

describe('A photo of a scan', () => {
  const scanOf = async (session: string) => {
    const { code, id } = await make.purchase();
    const { body } = await t.as('operator').post(`${session}/scan`, { code });
    return { purchase_id: id, scan_id: body.scan_id as number, path: `${session}/scans/${body.scan_id}` };
  };
  const open = async () => {
    const { body } = await manager.post('/inventories', { year: 2026, inventory_date: '2026-11-23' });
    return `/inventories/${body.id}`;
  };

  it('is taken by who scans, and goes with the scan', async () => {
    const { path, scan_id } = await scanOf(await open());
    const sent = await upload(t.as('operator'), `${path}/attachments`, await photo());
    expect([sent.status, sent.body.scan_id, sent.body.is_cover]).toEqual([201, scan_id, false]);
    expect(refused(await manager.patch(`/attachments/${sent.body.id}`, { is_cover: true }))).toEqual([
      'is_cover',
    ]);
    expect((await upload(viewer, `${path}/attachments`, PDF)).status).toBe(403);
    expect(idsOf((await viewer.get(`${path}/attachments`)).body.data)).toEqual([sent.body.id]);
    expect((await bytesOf(sent.body.url)).status).toBe(200);
    await t.as('operator').delete(path);
    expect((await viewer.get(`${path}/attachments`)).status).toBe(404);
    expect((await bytesOf(sent.body.url)).status).toBe(404);
    expect((await upload(manager, `${path}/attachments`, PDF)).status).toBe(404);
  });

  it('is taken back by who sent it while the session is open, and else by who manages attachments', async () => {
    const [session, phone, other] = [await open(), t.as('operator'), await t.asNewUser('other', 'operator')];
    const { path, purchase_id } = await scanOf(session);
    const send = async (client: Client, to = path) =>
      (await upload(client, `${to}/attachments`, await photo())).body.id as number;
    const remove = async (client: Client, id: number) => {
      const { status, body } = await client.delete(`/attachments/${id}`);
      return [status, body.type];
    };
    const FORBIDDEN = [403, '/problems/forbidden'];
    const own = await send(phone);
    expect([await remove(other, own), await remove(viewer, own)]).toEqual([FORBIDDEN, FORBIDDEN]);
    expect(await remove(phone, await send(manager, `/purchases/${purchase_id}`))).toEqual(FORBIDDEN);
    expect(await remove(phone, own)).toEqual([200, undefined]);
    expect(await remove(phone, own)).toEqual([404, '/problems/not-found']);
    expect((await viewer.get(`${path}/attachments`)).body.data).toEqual([]);

    const late = await send(phone);
    await manager.post(`${session}/close`);
    expect(await remove(phone, late)).toEqual([409, '/problems/session-closed']);
    expect(await remove(manager, late)).toEqual([200, undefined]);
  });

  it('is not taken back while its session is being closed', async () => {
    const session = await open();
    const { path } = await scanOf(session);
    const { body } = await upload(t.as('operator'), `${path}/attachments`, await photo());
    const closing = await begin(t.database);
    await closing.query(
      `UPDATE inventories SET closed_at = now(), closed_by = opened_by, final_scanned = 1, final_total = 1 WHERE id = $1`,
      [session.split('/').at(-1)],
    );
    const answer = t.as('operator').delete(`/attachments/${body.id}`);
    await blocked(t.database);
    await closing.end('COMMIT');
    expect((await answer).body.type).toBe('/problems/session-closed');
  });

  it('goes on with a scan that was unexpected and is expected since', async () => {
    const { code, id } = await make.purchase();
    await manager.post(`/purchases/${id}/dispose`, { date: '2026-11-20', reason: 'lost' });
    const session = await open();
    const { body } = await t.as('operator').post(`${session}/scan`, { code });
    expect(body.reason).toBe('disposed');
    const sent = await upload(manager, `${session}/scans/${body.scan_id}/attachments`, await photo());
    await manager.post(`/purchases/${id}/dispose/undo`);
    const [scan] = (await viewer.get(`${session}/scans`)).body.data;
    expect(scan.id).not.toBe(body.scan_id);
    expect(idsOf((await viewer.get(`${session}/scans/${scan.id}/attachments`)).body.data)).toEqual([
      sent.body.id,
    ]);
  });
});

describe('The files', () => {
  const sweep = () => t.app.get(Sweeper).sweep();
  const folder = () => join(t.app.get(Env).DATA_DIR, 'files');
  const age = (name: string, days: number) => {
    const at = new Date(Date.now() - days * 86_400_000);
    utimesSync(join(folder(), name), at, at);
  };
  const put = (name: string, days: number) => {
    mkdirSync(join(folder(), name, '..'), { recursive: true });
    writeFileSync(join(folder(), name), 'x');
    age(name, days);
  };

  it('that no row names are removed after a day, and unfinished ones, whatever else lies there', async () => {
    const [old, young] = ['0a'.repeat(32), '0b'.repeat(32)] as const;
    const names = [`0a/${old}`, `0a/${old}-320`, 'unfinished/x', 'unfinished/y', `0b/${young}`];
    for (const [at, name] of names.entries()) put(name, at < 3 ? 1.01 : 0.9);
    const { body } = await upload(manager, `${await purchasePath()}/attachments`, await photo());
    const own = createHash('sha256')
      .update((await bytesOf(body.url)).bytes)
      .digest('hex');
    const place = `${own.slice(0, 2)}/${own}`;
    age(place, 3);
    writeFileSync(join(folder(), '.DS_Store'), 'x');
    mkdirSync(join(folder(), 'lost+found'));
    await sweep();
    expect(names.filter((name) => existsSync(join(folder(), name)))).toEqual(names.slice(3));
    await manager.delete(`/attachments/${body.id}`);
    await sweep();
    expect(existsSync(join(folder(), place))).toBe(true);
    await t.database.query(`UPDATE attachments SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [
      body.id,
    ]);
    await sweep();
    expect(existsSync(join(folder(), place))).toBe(false);
  });

  it('that are lost are told of, and those that cannot be written are tried again', async () => {
    const path = `${await purchasePath()}/attachments`;
    const { body } = await upload(manager, path, await photo());
    const [{ sha256 }] = (await t.database.query(`SELECT sha256 FROM attachments WHERE id = $1`, [
      body.id,
    ])) as any;
    rmSync(join(folder(), sha256.slice(0, 2), sha256));
    for (const query of ['', '?size=320']) expect((await bytesOf(`${body.url}${query}`)).status).toBe(404);
    rmSync(join(folder(), 'unfinished'), { recursive: true });
    writeFileSync(join(folder(), 'unfinished'), '');
    const answer = await upload(manager, path, await photo());
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
    rmSync(join(folder(), 'unfinished'));
  });
});

describe('An attachment', () => {
  it('is changed and deleted by who has seen it', async () => {
    const path = `${await purchasePath()}/attachments`;
    const { body, headers } = await upload(manager, path, await photo());
    const own = `/attachments/${body.id}`;
    const etag = headers.get('etag')!;
    const renamed = await manager.send('PATCH', own, { name: 'plaque.jpg' }, { 'if-match': etag });
    expect(renamed.body).toMatchObject({ name: 'plaque.jpg', kind: 'photo' });
    for (const name of ['a\nb.jpg', 'a\u2028b.jpg', '../plaque.jpg', 'C:\\plaque.jpg', 'a\u200bb.jpg', ' '])
      expect(refused(await manager.patch(own, { name }))).toEqual(['name']);
    expect((await manager.send('DELETE', own, undefined, { 'if-match': etag })).status).toBe(412);
    expect((await viewer.patch(own, {})).status).toBe(403);
    expect((await manager.delete(own)).body).toEqual({ id: body.id, deleted: true });
    for (const client of [viewer, manager]) expect((await client.get(own)).status).toBe(404);
    expect((await viewer.get(path)).body.data).toEqual([]);
  });

  it('is made once, however often it is sent with the same key', async () => {
    const path = `${await purchasePath()}/attachments`;
    const file = await photo();
    const headers = { 'idempotency-key': 'b8f2' };
    const [first, second] = [
      await upload(manager, path, file, { headers }),
      await upload(manager, path, file, { headers }),
    ];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await viewer.get(path)).body.meta.total).toBe(1);
    expect(refused(await upload(manager, path, await photo(), { headers }))).toEqual(['Idempotency-Key']);
    const other = `${await purchasePath()}/attachments`;
    expect(refused(await upload(manager, other, file, { headers }))).toEqual(['Idempotency-Key']);
    await manager.delete(path.replace('/attachments', ''));
    expect((await upload(manager, path, file, { headers })).body).toEqual(first.body);
  });

  it('is seen by who may see what it is of, as long as that is there', async () => {
    const path = await purchasePath();
    const { body } = await upload(manager, `${path}/attachments`, await photo());
    await t.as('admin').post('/roles', { name: 'catalogue', permissions: ['articles.view'] });
    const other = await t.asNewUser('reader', 'catalogue');
    expect((await bytesOf(body.url, {}, other)).status).toBe(403);
    const log = await t.as('admin').get(`/audit?action=forbidden&user_id=${other.userId}`);
    expect(log.body.data).toMatchObject([{ resource: 'attachment', resource_id: body.id }]);
    await manager.delete(path);
    expect((await bytesOf(body.url)).status).toBe(404);
    expect((await viewer.get(`${path}/attachments`)).status).toBe(404);
    await manager.post(`${path}/restore`);
    expect((await bytesOf(body.url)).status).toBe(200);
    expect((await upload(manager, '/purchases/999999/attachments', PDF)).status).toBe(404);
  });

  it('is in the audit log, with what it is of', async () => {
    const { id: purchase_id } = await make.purchase();
    const { body } = await upload(manager, `/purchases/${purchase_id}/attachments`, await photo());
    await manager.delete(`/attachments/${body.id}`);
    const log = await t.as('admin').get(`/audit?resource=attachment&resource_id=${body.id}`);
    const told = log.body.data.map(({ action, before, after }: any) => [
      action,
      (after ?? before).purchase_id,
    ]);
    expect(told).toEqual([['attachment.delete', purchase_id], ['attachment.create', purchase_id]]); // prettier-ignore
    const ofPurchase = await t.as('admin').get(`/audit?resource=purchase&resource_id=${purchase_id}`);
    expect(ofPurchase.body.data.map(({ action }: any) => action)).toEqual(['purchase.create']);
  });

  it('refuses a form that is none of ours', async () => {
    const path = `${await purchasePath()}/attachments`;
    expect(refused(await upload(manager, path, PDF, { fields: { kind: 'letter' } }))).toEqual(['kind']);
    expect(refused(await upload(manager, path, PDF, { fields: { name: 'x' } }))).toEqual(['name']);
    expect((await manager.send('POST', path, PDF, { 'content-type': 'application/pdf' })).status).toBe(415);
    expect((await manager.post(path, {})).status).toBe(415);
    const nameless = (disposition: string) =>
      `--x\r\nContent-Disposition: form-data${disposition}\r\n\r\n%PDF-1.4\r\n--x--\r\n`;
    for (const form of [nameless(''), nameless('; filename="a.pdf"')]) {
      const answer = await manager.send('POST', path, form, {
        'content-type': 'multipart/form-data; boundary=x',
      });
      expect([answer.status, answer.body.type]).toEqual([400, '/problems/malformed-body']);
    }
  });

  it('is refused where the form ends in the middle of it, and nobody is the worse for it', async () => {
    const path = `${await purchasePath()}/attachments`;
    const begun = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n';
    const forms = [begun, `${begun}%PDF`, begun + '%'.repeat(200_000), begun.replace('"file"', '"photo"')];
    for (const form of [...forms, '--x', '--x\r\nContent-'])
      expect((await manager.send('POST', path, form, FORM)).status).toBe(400);
    expect((await viewer.get(path)).body.data).toEqual([]);
  });

  it('that is cut off makes room for the next one', async () => {
    const path = `${await purchasePath()}/attachments`;
    const phone = { url: `${t.url}/api/v1${path}`, token: manager.token };
    const cut = Array.from({ length: 64 }, () => cutOff(phone));
    await Promise.all(cut);
    const all = () => Promise.all(cut.map(() => upload(manager, path, PDF)));
    await until(async () => (await all()).every(({ status }) => status === 201));
  });
});
