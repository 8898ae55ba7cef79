/* eslint-disable @typescript-eslint/no-explicit-any -- messages are asserted, not typed */
import { jest } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { UpkeepService } from '../src/webhooks/upkeep.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { stopClock } from './support/clock.js';
import { createTestDatabase } from './support/database.js';
import { factories, refused } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';

interface Received {
  headers: IncomingHttpHeaders;
  text: string;
  body: any;
  path: string;
}

/** Somebody who is told. What he answers may be said before. */
class Receiver {
  readonly received: Received[] = [];
  answer: (one: Received, response: ServerResponse) => void = (_, response) => void response.end('thanks');
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      let text = '';
      request.on('data', (data: Buffer) => (text += data.toString()));
      request.on('end', () => {
        const one = { headers: request.headers, text, body: JSON.parse(text), path: request.url! };
        this.received.push(one);
        this.answer(one, response);
      });
    });
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/hook`;
  }

  get types(): string[] {
    return this.received.map(({ body }) => body.type);
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

let test: TestApp;
let make: Factories;
let articleId: number;
const receivers: Receiver[] = [];

const admin = () => test.as('admin');
const receiver = async () => {
  const one = await new Receiver().listen();
  receivers.push(one);
  return one;
};
const subscribe = async (url: string, ...events: string[]) => {
  const answer = await admin().post('/webhooks', { url, events });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const deliveries = async (id: number, query = ''): Promise<any[]> =>
  (await admin().get(`/webhooks/${id}/deliveries${query}`)).body.data;
const ping = async (id: number) => (await admin().post(`/webhooks/${id}/ping`)).body;
const delivery = async (webhook: number, id: number) =>
  (await deliveries(webhook)).find((one) => one.id === id);
const verifies = (secret: string, { text, headers }: Received) => {
  try {
    return Boolean(new Webhook(secret).verify(text, headers as Record<string, string>));
  } catch {
    return false;
  }
};
/** As if its time had come. */
const hurry = (id: number) =>
  test.database.query(`UPDATE webhook_deliveries SET due_at = now() WHERE id = $1 AND due_at IS NOT NULL`, [
    id,
  ]);
/** What is kept of sending to one, which is written after the try itself. */
const sending = async (id: number): Promise<any> =>
  (await test.database.query(`SELECT * FROM webhook_sending WHERE webhook_id = $1`, [id]))[0];
const isFailing = async (id: number) => (await sending(id)).failing_since !== null;
const rests = async (id: number) => (await sending(id)).rests_until !== null;
const openSession = async () =>
  (await test.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-09-14' })).body;
const purchase = () => make.purchase({ article_id: articleId });

beforeAll(async () => {
  test = await startApp({
    WEBHOOK_ALLOW: '127.0.0.0/8',
    WEBHOOK_KEY: randomBytes(32).toString('base64'),
  });
  make = factories(test);
  articleId = (await make.article()).id;
});
afterAll(async () => {
  for (const one of receivers) one.stop();
  await test.stop();
});
afterEach(async () => {
  await test.database.query(`UPDATE webhooks SET is_active = false`);
});

describe('/webhooks', () => {
  it('are made, read, changed and deleted, and show their secret once', async () => {
    const fields = { url: 'https://example.org/hooks', events: ['*'], description: 'All', is_active: false };
    const made = await admin().post('/webhooks', fields);
    const { secret, ...shown } = made.body;
    expect([made.status, secret]).toEqual([201, expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/)]);
    expect(shown).toMatchObject({ ...fields, id: expect.any(Number), disabled_reason: null });
    const path = made.headers.get('location')!.replace('/api/v1', '');
    expect((await admin().get(path)).body).toEqual(shown);
    expect((await admin().get('/webhooks?is_active=false')).body.data).toContainEqual(shown);
    const changed = await admin().patch(path, { description: null, events: ['scan.recorded'] });
    expect(changed.body).toEqual({
      ...shown,
      description: null,
      events: ['scan.recorded'],
      updated_at: expect.any(String),
    });
    expect((await admin().delete(path)).body).toEqual({ id: shown.id, deleted: true });
    for (const gone of [path, `${path}/deliveries`]) expect((await admin().get(gone)).status).toBe(404);
    const [row] = await test.database.query(`SELECT FROM webhook_sending WHERE webhook_id = $1`, [shown.id]);
    expect(row).toBeUndefined();
  });

  it('are nobody’s but an administrator’s', async () => {
    for (const role of ['viewer', 'operator', 'manager'] as const)
      expect((await test.as(role).get('/webhooks')).status).toBe(403);
  });

  it('name every wrong field', async () => {
    const wrong = {
      url: 'ftp://example.org',
      events: ['nope'],
      description: 1,
      is_active: 'yes',
      secret: 'x',
    };
    expect(refused(await admin().post('/webhooks', wrong))).toEqual(
      expect.arrayContaining(Object.keys(wrong)),
    );
    expect(refused(await admin().post('/webhooks', {}))).toEqual(['url', 'events']);
    for (const events of [[], ['*', '*'], 'x', ['webhook.ping'], null])
      expect(refused(await admin().post('/webhooks', { url: 'https://example.org', events }))).toEqual([
        'events',
      ]);
    for (const url of [
      'https://user:pass@example.org/',
      'https://',
      'example.org',
      'https://x.org/#a',
      'https://x y/',
    ])
      expect([url, refused(await admin().post('/webhooks', { url, events: ['*'] }))]).toEqual([url, ['url']]);
  });

  it.each([
    'http://169.254.169.254/latest/meta-data', 'http://2852039166/', 'http://0xA9FEA9FE/', 'http://0251.0376.0251.0376/',
    'http://[::ffff:169.254.169.254]/', 'http://[64:ff9b::a9fe:a9fe]/', 'http://[2002:a9fe:a9fe::]/', 'http://10.1.2.3/',
    'http://100.64.1.1/', 'http://[fd00::1]/', 'http://[::1]/', 'http://0/',
  ])('lead to no inner address: %s', async (url) => {
    expect(refused(await admin().post('/webhooks', { url, events: ['*'] }))).toEqual(['url']);
  }); // prettier-ignore

  it('keep no secret where it can be read: not in the audit log, and not with an Idempotency-Key', async () => {
    const body = { url: 'https://example.org/', events: ['*'], is_active: false };
    const send = () => admin().send('POST', '/webhooks', body, { 'idempotency-key': 'once' });
    const first = await send();
    const { id, secret } = first.body;
    const rows = await test.database.query(
      `SELECT k::text FROM idempotency_keys k UNION ALL SELECT e::text FROM audit_entries e
       UNION ALL SELECT s::text FROM webhook_sending s`,
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(JSON.stringify(rows)).not.toContain(secret.slice(6, 40));
    await admin().post(`/webhooks/${id}/rotate-secret`);
    expect((await send()).body).toEqual(first.body);
  });

  it('are made once with an Idempotency-Key, also where the key of the secret that was answered is lost', async () => {
    const database = await createTestDatabase();
    const start = () => startApp({ WEBHOOK_KEY: randomBytes(32).toString('base64') }, database);
    const body = { url: 'https://example.org/', events: ['*'], is_active: false };
    const send = (to: TestApp) =>
      to.as('admin').send('POST', '/webhooks', body, { 'idempotency-key': 'once' });
    const before = await start();
    const { id } = (await send(before)).body;
    await before.stop();
    const after = await start();
    const again = await send(after);
    expect(refused(again)).toEqual(['Idempotency-Key']);
    expect(again.body.errors['Idempotency-Key']).toEqual([expect.stringContaining(`webhook ${id} `)]);
    expect((await after.as('admin').get('/webhooks')).body.meta.total).toBe(1);
    await after.stop();
    await database.drop();
  });
});

describe('A message', () => {
  it('tells what the API answers, signed so that the library of Standard Webhooks verifies it', async () => {
    const there = await receiver();
    const { secret } = await subscribe(there.url, 'purchase.created', 'inventory.opened');
    const bought = await purchase();
    const session = await openSession();
    await until(() => there.received.length === 2);
    for (const { text, headers, body } of there.received) {
      expect(headers['content-type']).toBe('application/json');
      expect(new Webhook(secret).verify(text, headers as Record<string, string>)).toEqual(body);
      expect(body.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(headers['webhook-id']).toMatch(/^msg_[0-9a-f]{32}$/);
    }
    const data = Object.fromEntries(there.received.map(({ body }) => [body.type, body.data]));
    const get = async (path: string) => (await test.as('viewer').get(path)).body;
    expect(data['purchase.created']).toEqual(await get(`/purchases/${bought.id}`));
    expect(data['inventory.opened']).toEqual(await get(`/inventories/${session.id}`));
  });

  it('is sent for each event that was asked for, in order for a session and for a purchase', async () => {
    const there = await receiver();
    const all = await subscribe(there.url, '*');
    const one = await purchase();
    const other = await purchase();
    const { id } = await openSession();
    const scanned = await test.as('operator').post(`/inventories/${id}/scan`, { code: one.code });
    const client_id = '3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a';
    const batch = { scans: [{ code: other.code, client_id, condition: 'damaged', note: 'Rayé' }] };
    const [item] = (await test.as('operator').post(`/inventories/${id}/scans`, batch)).body.results;
    await test.as('operator').delete(`/inventories/${id}/scans/${scanned.body.scan_id}`);
    await test.as('manager').post(`/inventories/${id}/close`);
    await test.as('manager').post(`/inventories/${id}/reopen`, { reason: 'Not yet' });
    await test.as('manager').patch(`/purchases/${one.id}`, { notes: 'Moved' });
    await test.as('manager').patch(`/purchases/${one.id}`, { notes: 'Moved' }); // no change
    await test.as('manager').delete(`/purchases/${one.id}`);
    await until(() => there.received.length === 10);
    const of = (subject: RegExp) =>
      there.received.map(({ body }) => body).filter(({ type }) => subject.test(type));
    const sessions = of(/^(scan|inventory)/);
    expect(sessions.map(({ type }) => type)).toEqual([
      'inventory.opened', 'scan.recorded', 'scan.recorded', 'scan.undone', 'inventory.closed', 'inventory.reopened',
    ]); // prettier-ignore
    const entry = {
      inventory_id: id,
      scanned_by: { name: 'User operator' },
      location: null,
      clock_ahead: false,
    };
    expect(sessions[1].data).toMatchObject({
      ...entry,
      id: scanned.body.scan_id,
      scanned_at: scanned.body.scanned_at,
      purchase: { id: one.id, code: one.code, article: { id: articleId } },
      client_id: null,
    });
    const [listed] = (await test.as('viewer').get(`/inventories/${id}/scans`)).body.data;
    expect(listed.id).toBe(item.scan_id);
    expect(sessions[2].data).toEqual({ ...listed, inventory_id: id });
    expect(sessions[3].data).toMatchObject({
      inventory_id: id,
      id: scanned.body.scan_id,
      purchase: { id: one.id },
    });
    const ofOne = of(/^purchase/).filter(({ data }) => data.id === one.id);
    expect(ofOne.map(({ type }) => type)).toEqual([
      'purchase.created',
      'purchase.updated',
      'purchase.deleted',
    ]);
    expect(ofOne[2].data).toEqual({ id: one.id, deleted: true });
    const sent = await deliveries(all.id, '?status=delivered&event=scan.recorded');
    expect(sent).toHaveLength(2);
    expect(sent[0]).toEqual({
      id: expect.any(Number),
      message_id: expect.stringMatching(/^msg_/),
      event: 'scan.recorded',
      status: 'delivered',
      tries: [{ at: expect.any(String), status: 200, ms: expect.any(Number), error: null }],
      next_try_at: null,
      answer: 'thanks',
      created_at: expect.any(String),
    });
  });

  it('tells of a scan that goes on as expected under another number', async () => {
    const there = await receiver();
    const { id: bought, code } = await purchase();
    await test.as('manager').post(`/purchases/${bought}/dispose`, { date: '2026-03-01', reason: 'lost' });
    const { id } = await openSession();
    await subscribe(there.url, 'scan.recorded', 'scan.undone');
    const scanned = await test.as('operator').post(`/inventories/${id}/scan`, { code });
    await test.as('manager').post(`/purchases/${bought}/dispose/undo`);
    await until(() => there.received.length === 3);
    const [listed] = (await test.as('viewer').get(`/inventories/${id}/scans`)).body.data;
    expect(there.received.map(({ body }) => [body.type, body.data.id])).toEqual([
      ['scan.recorded', scanned.body.scan_id],
      ['scan.undone', scanned.body.scan_id],
      ['scan.recorded', listed.id],
    ]);
    expect(there.received[2]!.body.data).toEqual({ ...listed, inventory_id: id });
  });

  it('is sent of what leaves the register, and of an import that was written', async () => {
    const there = await receiver();
    await subscribe(there.url, 'purchase.disposed', 'import.done');
    const { id } = await purchase();
    await test.as('manager').post(`/purchases/${id}/dispose`, { date: '2026-03-01', reason: 'scrapped' });
    const file = { 'content-type': 'text/csv' };
    const refused = await admin().send('POST', '/imports/brands', 'name\n""\n', file);
    const done = await admin().send('POST', '/imports/brands', 'name\nTold of\n', file);
    await until(() => there.received.length === 2);
    const byType = Object.fromEntries(there.received.map(({ body }) => [body.type, body.data]));
    expect(byType['purchase.disposed']).toMatchObject({
      id,
      disposal: { date: '2026-03-01', reason: 'scrapped' },
    });
    expect(byType['import.done']).toMatchObject({ id: done.body.id, status: 'done', rows: { inserted: 1 } });
    await until(async () => (await admin().get(`/imports/${refused.body.id}`)).body.status === 'refused');
    expect(there.received).toHaveLength(2);
  });

  it('is sent by an instance with one connection too', async () => {
    const small = await startApp({
      DATABASE_POOL: '1',
      WEBHOOK_ALLOW: '127.0.0.0/8',
      WEBHOOK_KEY: randomBytes(32).toString('base64'),
    });
    try {
      const to = await receiver();
      await small
        .as('admin')
        .post('/webhooks', { url: to.url, events: ['purchase.created', 'inventory.opened'] });
      await factories(small).purchase();
      await small.as('manager').post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
      await until(() => to.types.length === 2);
    } finally {
      await small.stop();
    }
  });

  it('is not even written where nobody asks for it', async () => {
    await subscribe('https://example.org/', 'import.done');
    const { code } = await purchase();
    const { id } = await openSession();
    await test.as('operator').post(`/inventories/${id}/scan`, { code });
    expect(await test.database.query(`SELECT event FROM webhook_outbox`)).toEqual([]);
  });

  it('comes once for each of many that one statement writes', async () => {
    const there = await receiver();
    const { id } = await subscribe(there.url, 'purchase.created');
    await test.database.query(
      `INSERT INTO purchases (code, article_id, purchase_date) SELECT 'MANY-' || n, $1, '2026-01-01' FROM generate_series(1, 600) n`,
      [articleId],
    );
    const written = await test.database.query(
      `SELECT items FROM webhook_outbox UNION ALL SELECT to_jsonb(1) FROM webhook_deliveries WHERE webhook_id = $1`,
      [id],
    );
    expect(written.length === 2 || written.length >= 500).toBe(true);
    const queued = `SELECT count(DISTINCT body::json #>> '{data,code}') AS codes, count(*) FROM webhook_deliveries
      WHERE webhook_id = $1 AND due_at IS NOT NULL OR status = 'delivered' AND webhook_id = $1`;
    await until(async () => (await test.database.query<any>(queued, [id]))[0].count === 600);
    expect((await test.database.query<any>(queued, [id]))[0].codes).toBe(600);
  });

  it('is signed by both secrets for a day after a rotation', async () => {
    const there = await receiver();
    const made = await subscribe(there.url, 'import.done');
    const rotated = (await admin().post(`/webhooks/${made.id}/rotate-secret`)).body;
    expect(Date.parse(rotated.previous_secret_until) - Date.now()).toBeGreaterThan(86_000_000);
    await ping(made.id);
    await until(() => there.received.length === 1);
    await test.database.query(`UPDATE webhook_sending SET previous_until = now() WHERE webhook_id = $1`, [
      made.id,
    ]);
    await ping(made.id);
    await until(() => there.received.length === 2);
    const secrets = [rotated.secret, made.secret];
    expect(there.received.map((one) => secrets.map((secret) => verifies(secret, one)))).toEqual([
      [true, true],
      [true, false],
    ]);
    const { data } = (await admin().get(`/audit?action=webhook.rotate&resource_id=${made.id}`)).body;
    expect(data).toHaveLength(1);
  });

  it('is sent again once its secret is rotated, where the key of the one before was lost', async () => {
    const database = await createTestDatabase();
    const start = () =>
      startApp({ WEBHOOK_ALLOW: '127.0.0.0/8', WEBHOOK_KEY: randomBytes(32).toString('base64') }, database);
    const before = await start();
    const there = await receiver();
    const { id } = (await before.as('admin').post('/webhooks', { url: there.url, events: ['import.done'] }))
      .body;
    await before.stop();
    const after = await start();
    const { secret } = (await after.as('admin').post(`/webhooks/${id}/rotate-secret`)).body;
    await after.as('admin').post(`/webhooks/${id}/ping`);
    await until(() => there.received.length === 1);
    expect(verifies(secret, there.received[0]!)).toBe(true);
    await after.stop();
    await database.drop();
  });

  it('is signed for its own day by each secret before, however often one is rotated within it', async () => {
    const there = await receiver();
    const made = await subscribe(there.url, 'import.done');
    const path = `/webhooks/${made.id}/rotate-secret`;
    const secrets: string[] = [made.secret];
    const rotate = async () => secrets.unshift((await admin().post(path)).body.secret as string);
    const signers = async () => {
      const before = there.received.length;
      await ping(made.id);
      await until(() => there.received.length === before + 1);
      return secrets.map((secret) => verifies(secret, there.received[before]!));
    };
    await rotate();
    await rotate();
    expect(await signers()).toEqual([true, true, true]);
    await test.database.query(
      `UPDATE webhook_sending SET earlier = jsonb_set(earlier, '{0,until}', to_jsonb(now())) WHERE webhook_id = $1`,
      [made.id],
    );
    expect(await signers()).toEqual([true, true, false]);
    for (let n = 0; n < 5; n++) await rotate();
    expect(await signers()).toEqual([true, true, true, true, true, true, false, false]);
  });

  it('is a ping where one is asked for, also of a webhook that is not active', async () => {
    const there = await receiver();
    const { id } = await subscribe(there.url, 'import.done');
    const shown = (await admin().patch(`/webhooks/${id}`, { is_active: false })).body;
    const answer = await admin().post(`/webhooks/${id}/ping`);
    expect([answer.status, answer.body.event, answer.body.status]).toEqual([202, 'webhook.ping', 'waiting']);
    await until(() => there.received.length === 1);
    expect(there.received[0]!.body).toMatchObject({ type: 'webhook.ping', data: shown });
  });

  it('is sent at once and dated as it is, also by an instance whose clock is ahead', async () => {
    const there = await receiver();
    const { id, secret } = await subscribe(there.url, 'purchase.created');
    const now = Date.now();
    stopClock('Date', now + 600_000);
    const pinged = await ping(id);
    await purchase();
    await until(() => there.received.length === 2).finally(() => jest.useRealTimers());
    expect(Date.parse(pinged.created_at) - now).toBeLessThan(60_000);
    // Who checks a signature refuses what is more than five minutes off.
    expect(there.received.map((one) => verifies(secret, one))).toEqual([true, true]);
    await until(async () => (await deliveries(id, '?status=delivered')).length === 2);
    for (const { tries } of await deliveries(id)) expect(Date.parse(tries[0].at) - now).toBeLessThan(60_000);
  });
});

describe('A receiver', () => {
  it('that fails is asked again with the same id and body, later and later, while what follows waits', async () => {
    const there = await receiver();
    const { id } = await subscribe(there.url, 'inventory.opened', 'inventory.closed');
    there.answer = (_, response) => void response.writeHead(500).end('x'.repeat(3000));
    const session = await openSession();
    await test.as('manager').post(`/inventories/${session.id}/close`);
    const schedule = [5, 300, 1800, 7200, 18_000, 36_000, 36_000];
    for (const [tries, seconds] of schedule.entries()) {
      await until(async () => (await deliveries(id))[1]?.tries.length === tries + 1);
      const [closed, opened] = await deliveries(id);
      expect(opened).toMatchObject({
        event: 'inventory.opened',
        status: 'waiting',
        answer: 'x'.repeat(1024),
      });
      const last = opened.tries.at(-1);
      const wait = (Date.parse(opened.next_try_at) - Date.parse(last.at) - last.ms) / 1000;
      expect(wait).toBeGreaterThan(seconds - 1);
      expect(wait).toBeLessThan(seconds + 2);
      expect(closed).toMatchObject({
        event: 'inventory.closed',
        status: 'waiting',
        tries: [],
        next_try_at: null,
      });
      await hurry(opened.id);
    }
    await until(async () => (await deliveries(id)).at(-1)?.status === 'failed');
    const ids = there.received.slice(0, 8).map(({ headers, text }) => `${headers['webhook-id']} ${text}`);
    expect([there.received.length >= 8, new Set(ids).size]).toEqual([true, 1]);
    // Only then the next one; and the one before once more, where somebody asks for it.
    there.answer = (_, response) => void response.end();
    const [closed, opened] = await deliveries(id);
    await until(async () => (await delivery(id, closed.id)).tries.length > 0);
    await hurry(closed.id);
    await until(async () => (await delivery(id, closed.id)).status === 'delivered');
    const resent = await admin().post(`/webhooks/${id}/deliveries/${opened.id}/resend`);
    expect([resent.status, resent.body.status]).toEqual([200, 'waiting']);
    await until(async () => (await delivery(id, opened.id)).status === 'delivered');
    expect(there.received.at(-1)!.headers['webhook-id']).toBe(opened.message_id);
  });

  it('that sends elsewhere, hangs up or is not there has failed, and nobody is followed', async () => {
    const [there, inner] = [await receiver(), await receiver()];
    there.answer = (_, response) => void response.writeHead(307, { location: inner.url }).end();
    const { id } = await subscribe(there.url, 'import.done');
    const outcome = async () => {
      const { id: one } = await ping(id);
      await until(async () => (await delivery(id, one)).tries.length === 1);
      return (await delivery(id, one)).tries[0];
    };
    expect(await outcome()).toMatchObject({ status: 307 });
    expect(inner.received).toEqual([]);
    there.answer = (_, response) => void response.socket?.destroy();
    expect(await outcome()).toMatchObject({
      status: null,
      error: expect.stringMatching(/hang up|ECONNRESET/),
    });
    there.answer = (_, response) =>
      void response.socket?.end(
        'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n',
      );
    expect(await outcome()).toMatchObject({ status: null, error: 'answered 101, which was not asked for' });
    await admin().patch(`/webhooks/${id}`, { url: 'http://127.0.0.1:1/' });
    expect(await outcome()).toMatchObject({ status: null, error: expect.stringContaining('ECONNREFUSED') });
    // Of a name that led elsewhere when it was taken, and of one that came past the check.
    for (const url of ['http://localhost:1/', 'http://10.0.0.1/', 'http://2852039166/']) {
      await test.database.query(`UPDATE webhooks SET url = $2 WHERE id = $1`, [id, url]);
      if (url.includes('localhost')) continue; // ::1 or 127.0.0.1, as the machine has it
      expect(await outcome()).toMatchObject({
        error: expect.stringContaining('not reachable from everywhere'),
      });
    }
  });

  it('that is gone is told nothing more, and the audit log says so', async () => {
    const there = await receiver();
    there.answer = (_, response) => void response.writeHead(410).end();
    const { id } = await subscribe(there.url, 'purchase.created');
    await purchase();
    await until(async () => !(await admin().get(`/webhooks/${id}`)).body.is_active);
    expect((await admin().get(`/webhooks/${id}`)).body.disabled_reason).toBe('gone');
    expect((await deliveries(id))[0]).toMatchObject({ status: 'failed', tries: [{ status: 410 }] });
    const [entry] = (await admin().get(`/audit?action=webhook.disable&resource_id=${id}`)).body.data;
    expect(entry).toMatchObject({ resource: 'webhook', after: { reason: 'gone' } });
  });

  it.each([
    ['that it is gone', 410, {}],
    ['to be left alone', 429, { 'Retry-After': '3600' }],
  ])(
    'that says %s while it is replaced by another address says so of itself alone',
    async (_, status, head) => {
      const [old, next] = [await receiver(), await receiver()];
      const held: ServerResponse[] = [];
      old.answer = (_one, response) => void held.push(response);
      const { id } = await subscribe(old.url, 'import.done');
      const first = await ping(id);
      await until(() => held.length === 1);
      await admin().patch(`/webhooks/${id}`, { url: next.url });
      held[0]!.writeHead(status, head).end();
      await until(async () => (await delivery(id, first.id)).tries.length === 1);
      expect((await admin().get(`/webhooks/${id}`)).body).toMatchObject({
        is_active: true,
        disabled_reason: null,
      });
      const second = await ping(id);
      await until(async () => (await delivery(id, second.id)).status === 'delivered');
    },
  );

  it('that fails for five days is told nothing more; switched on again, it has five days again', async () => {
    const there = await receiver();
    there.answer = (_, response) => void response.writeHead(502).end();
    const { id } = await subscribe(there.url, 'import.done');
    const first = await ping(id);
    await until(() => isFailing(id));
    await test.database.query(
      `UPDATE webhook_sending SET failing_since = now() - interval '121 hours' WHERE webhook_id = $1`,
      [id],
    );
    await hurry(first.id);
    await until(async () => !(await admin().get(`/webhooks/${id}`)).body.is_active);
    const back = await admin().patch(`/webhooks/${id}`, { is_active: true });
    expect(back.body).toMatchObject({ is_active: true, disabled_reason: null });
    await hurry(first.id);
    await until(async () => (await delivery(id, first.id)).tries.length === 3);
    expect((await admin().get(`/webhooks/${id}`)).body.is_active).toBe(true);
  });

  it('that was told nothing since it failed has five days from its next failure', async () => {
    const there = await receiver();
    there.answer = (_, response) => void response.writeHead(502).end();
    const { id } = await subscribe(there.url, 'import.done');
    const [first, second] = [await ping(id), await ping(id)];
    for (const one of [first, second])
      await until(async () => (await delivery(id, one.id)).tries.length === 1);
    await until(() => isFailing(id));
    const giveUp = async (one: { id: number }) => {
      await test.database.query(`UPDATE webhook_deliveries SET failures = 7 WHERE id = $1`, [one.id]);
      await hurry(one.id);
      await until(async () => (await delivery(id, one.id)).status === 'failed');
    };
    await giveUp(first);
    expect(await isFailing(id)).toBe(true); // the other one is still to be sent
    await giveUp(second);
    await until(async () => !(await isFailing(id)));
  });

  it('that says when to come again is left alone until then', async () => {
    const there = await receiver();
    there.answer = (_, response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    const { id } = await subscribe(there.url, 'import.done');
    const first = await ping(id);
    await until(async () => (await delivery(id, first.id)).tries.length === 1);
    const wait = Date.parse((await delivery(id, first.id)).next_try_at) - Date.now();
    expect(wait).toBeGreaterThan(590_000);
    await until(() => rests(id));
    const second = await ping(id);
    await hurry(first.id);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(there.received).toHaveLength(1);
    expect((await delivery(id, second.id)).tries).toEqual([]);
  });

  it('that says when to come again is heard, though it takes one that was on its way', async () => {
    const there = await receiver();
    const held: ServerResponse[] = [];
    there.answer = (_, response) => void held.push(response);
    const { id } = await subscribe(there.url, 'import.done');
    // As after an earlier failure: whatever is taken then ends that.
    await test.database.query(`UPDATE webhook_sending SET failing_since = now() WHERE webhook_id = $1`, [id]);
    for (let n = 0; n < 2; n++) await ping(id);
    await until(() => held.length === 2);
    const [busy, calm] = held;
    busy!.writeHead(429, { 'retry-after': '600' }).end();
    await until(() => rests(id));
    calm!.end('thanks');
    await until(async () =>
      (await deliveries(id)).some((one: { status: string }) => one.status === 'delivered'),
    );
    const third = await ping(id);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    expect(there.received).toHaveLength(2);
    expect((await delivery(id, third.id)).tries).toEqual([]);
  });

  it('that never answers holds up nobody else', async () => {
    const [dead, alive] = [await receiver(), await receiver()];
    dead.answer = () => undefined;
    await subscribe(dead.url, 'purchase.created');
    await subscribe(alive.url, 'purchase.created');
    for (let n = 0; n < 12; n++) await purchase();
    await until(() => alive.received.length === 12);
    expect(dead.received.length).toBeLessThanOrEqual(4);
    dead.stop();
  });
});

describe('What was sent', () => {
  it('is forgotten after some days, and what waited for it is due', async () => {
    const { id } = await subscribe('http://127.0.0.1:1/', 'import.done');
    await admin().patch(`/webhooks/${id}`, { is_active: false });
    await test.database.query(
      `INSERT INTO webhook_deliveries (webhook_id, event, subject, body, created_at, due_at)
       SELECT $1, 'purchase.updated', 'purchase 1', '{}', now() - make_interval(days => n), CASE n WHEN 15 THEN now() END
       FROM unnest('{15, 13}'::integer[]) n`,
      [id],
    );
    await test.app.get(UpkeepService).clear();
    expect(await deliveries(id)).toMatchObject([{ status: 'waiting', next_try_at: expect.any(String) }]);
    await admin().patch(`/webhooks/${id}`, { is_active: true });
    await test.app.get(UpkeepService).measure();
    const { text } = await test.anonymous.get('//metrics');
    expect(text).toMatch(/^webhook_messages_waiting [1-9]/m);
    expect(Number(/^webhook_oldest_waiting_seconds (.+)$/m.exec(text)![1])).toBeGreaterThan(12 * 86_400);
    expect(text).toMatch(/^webhook_tries_total\{outcome="failed"\} [1-9]/m);
  });
});
