import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Response } from 'express';
import { ApiError, createClient, follow as followAs } from '../clients/typescript/src/index.js';
import type { LiveEvent } from '../clients/typescript/src/index.js';
import { Listener } from '../src/http/event-stream.js';
import { eventsAfter } from '../src/live/events.queries.js';
import { EventsService } from '../src/live/events.service.js';
import { beginOf } from '../src/live/position.js';
import { Watch } from '../src/live/watch.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories, readByCursor } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { Follower } from './support/follower.js';
import { until } from './support/process.js';

/** Two instances on one database. */
let here: TestApp;
let there: TestApp;
let make: Factories;
let codes: string[];
const followers: Follower[] = [];

/** Begun first, since its comments come every 15 seconds. */
let quiet: Follower;
/** Reads nothing of a session in which much has happened, for as long as it takes. */
let deaf: Socket;
let deafSession: number;
/** Of what the service has for it, the most bytes that waited at one time. */
let keptForDeaf = 0;
let watching: NodeJS.Timeout;

const follow = (
  test: TestApp,
  session: number,
  lastEventId?: string,
  client = test.as('viewer'),
  encoding?: string,
): Follower => {
  const follower = new Follower(client, session, lastEventId, encoding);
  followers.push(follower);
  return follower;
};

const openSession = async (): Promise<number> => {
  const body = { year: 2026, inventory_date: '2026-09-14' };
  return (await here.as('manager').post('/inventories', body)).body.id;
};
const scan = (test: TestApp, session: number, code: string, fields: object = {}) =>
  test.as('operator').post(`/inventories/${session}/scan`, { code, ...fields });
const listed = (session: number) =>
  readByCursor(here.as('viewer'), `/inventories/${session}/scans?sort=scanned_at&per_page=200`);

beforeAll(async () => {
  here = await startApp();
  there = await startApp({}, here.database);
  make = factories(here);
  const article = await make.article();
  codes = [];
  for (let n = 0; n < 40; n++) codes.push((await make.purchase({ article_id: article.id })).code);
  quiet = follow(here, await openSession());

  // 20 000 events of 700 bytes, more than any socket takes; all older than the stream, which is asked to resume.
  const { id: bulk } = await make.article();
  await here.database.query(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, 'BULK-' || n, '2026-01-01' FROM generate_series(1, 20000) n`,
    [bulk],
  );
  deafSession = await openSession();
  await here.database.query(
    `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(),
       scanned_by = (SELECT min(id) FROM users), note = repeat('x', 400) WHERE inventory_id = $1`,
    [deafSession],
  );
  here.app.getHttpServer().once('connection', (served: Socket) => {
    watching = setInterval(() => (keptForDeaf = Math.max(keptForDeaf, served.writableLength)), 20);
  });
  deaf = connect(Number(new URL(here.url).port), '127.0.0.1');
  deaf.on('error', () => undefined);
  deaf.pause();
  const id = `${deafSession}-${Date.now() - 600_000}-0-0`;
  deaf.write(
    `GET /api/v1/inventories/${deafSession}/events HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${here.as('viewer').token}\r\nLast-Event-ID: ${id}\r\n\r\n`,
  );
});
afterAll(async () => {
  clearInterval(watching);
  deaf.destroy();
  followers.forEach((follower) => follower.leave());
  await there.stop();
  await here.stop();
});

describe('Following a session', () => {
  it('is a stream of events that begins with the progress, at once', async () => {
    const session = await openSession();
    await scan(here, session, codes[0]!);
    const follower = follow(here, session);
    const [first] = await follower.has(1, 'progress');
    expect(follower.events[0]).toBe(first);
    expect(follower.response!.statusCode).toBe(200);
    expect(follower.response!.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const { progress } = (await here.as('viewer').get(`/inventories/${session}`)).body;
    expect(first).toMatchObject({ data: progress, id: expect.stringMatching(new RegExp(`^${session}-`)) });
  });

  it('leaves four fifths of the connections to others, however much one user follows', async () => {
    const small = await startApp({ MAX_CONNECTIONS: '10' }, here.database);
    const session = await openSession();
    const phone = await small.asNewUser('follower', 'viewer');
    const tablet = await small.asNewUser('follower');
    const streams = [phone, tablet].map((client) => follow(small, session, undefined, client));
    for (const stream of streams) await stream.has(1, 'progress');
    const path = `/inventories/${session}/events`;
    for (const client of [phone, tablet]) {
      const { status, headers } = await client.get(path);
      expect([status, headers.get('retry-after')]).toEqual([429, '10']);
    }
    const other = follow(small, session);
    await other.has(1, 'progress');
    streams[0]!.leave();
    await until(async () => (await tablet.send('HEAD', path)).status === 200);
    const again = follow(small, session, undefined, tablet);
    await again.has(1, 'progress');
    for (const stream of [...streams, other, again]) stream.leave();
    await small.stop();
  });

  it('tells each scan as the list has it, what was undone, and the closing', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    const { id: location_id } = await make.location();
    const fields = {
      location_id,
      client_id: '6f1c2a52-3b1e-4f57-9c2e-0d6a3f2b7c10',
      condition: 'damaged',
      note: 'é <b>\n"x"',
    };
    await scan(here, session, codes[0]!);
    await scan(there, session, codes[1]!, fields);
    const scans = await follower.has(2, 'scan');
    expect(scans.map(({ data }) => data)).toEqual(await listed(session));
    const undone = (await there.as('manager').delete(`/inventories/${session}/scans/${scans[0]!.data.id}`))
      .body;
    const [event] = await follower.has(1, 'undone');
    expect(event!.data).toEqual({
      id: undone.id,
      undone_at: expect.stringMatching(/Z$/),
      undone_by: { id: expect.any(Number), name: 'User manager' },
      purchase: scans[0]!.data.purchase,
    });
    const closed = (await there.as('manager').post(`/inventories/${session}/close`)).body;
    expect((await follower.has(1, 'closed'))[0]!.data).toEqual(closed);
    await until(() => follower.of('progress').at(-1)!.data.scanned === 1);
    const ids = follower.of('scan', 'undone', 'closed').map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  });

  it('says of clocks that differ what the list says', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    for (const [n, scanned_at] of ['2000-02-29T12:00:00+02:00', '2099-12-31T23:59:59.999Z'].entries())
      await scan(here, session, codes[n]!, { scanned_at });
    const scans = await follower.has(2, 'scan');
    expect(scans.map(({ data }) => data)).toEqual(await listed(session));
    expect(scans.map(({ data }) => [data.device_scanned_at, data.clock_behind, data.clock_ahead])).toEqual([
      ['2000-02-29T10:00:00.000Z', true, false],
      ['2099-12-31T23:59:59.999Z', false, true],
    ]);
  });

  it('tells what was recorded later than it counts, and what the session did not expect', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    const recorded = `scan_id = nextval('inventory_scan_seq'), scanned_by = (SELECT min(id) FROM users)`;
    await here.database.query(
      `UPDATE inventory_lines SET ${recorded}, scanned_at = now() - interval '2 days', recorded_at = change_instant()
       WHERE (inventory_id, purchase_id) = (SELECT $1::integer, min(id) FROM purchases)`,
      [session],
    );
    const { id, code } = await make.purchase();
    await here.database.query(
      `WITH gone AS (DELETE FROM inventory_lines WHERE inventory_id = $1 AND purchase_id = $2)
       INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at)
       SELECT $1, $2, nextval('inventory_scan_seq'), now(), min(id), change_instant() FROM users`,
      [session, id],
    );
    const [late, unexpected] = await follower.has(2, 'scan');
    expect(late!.data.purchase.code).toBe(codes[0]);
    expect(Date.parse(late!.data.scanned_at)).toBeLessThan(Date.now() - 86_400_000);
    expect(unexpected!.data.purchase).toMatchObject({ id, code });
  });

  it('tells of codes that nobody knows, when they are read and when they are decided upon', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    const list = `/inventories/${session}/unknown-codes`;
    const row = async () => (await here.as('viewer').get(list)).body.data[0];
    await scan(there, session, 'NOBODY-KNOWS');
    const [first] = await follower.has(1, 'unknown');
    expect(first!.data).toEqual(await row());
    await scan(here, session, 'nobody-knows', { note: 'again' });
    const [, second] = await follower.has(2, 'unknown');
    expect(second!.data).toEqual({ ...(await row()), times: 2 });
    const { id } = await make.purchase();
    await here.as('manager').post(`${list}/${first!.data.id}/link`, { purchase_id: id });
    const [, , third] = await follower.has(3, 'unknown');
    expect(third!.data).toMatchObject({ status: 'linked', resolution: { purchase: { id } } });
    // The scan counts from the first read on, and is told when it was decided.
    const [linked] = await follower.has(1, 'scan');
    expect([linked!.data]).toEqual(await listed(session));
    expect(linked!.data.scanned_at).toBe(first!.data.first_seen.at);
  });

  it('tells of a reopening, and of the next closing', async () => {
    const session = await openSession();
    await here.as('manager').post(`/inventories/${session}/close`);
    await sleep(10);
    const follower = follow(there, session);
    await follower.has(1, 'progress');
    const reopened = await here
      .as('manager')
      .post(`/inventories/${session}/reopen`, { reason: 'A room was forgotten' });
    expect(reopened.status).toBe(200);
    const [event] = await follower.has(1, 'reopened');
    expect(event!.data).toEqual(reopened.body);
    expect(event!.data.reopened[0].at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(follower.of('closed')).toEqual([]);
    const closed = await here.as('manager').post(`/inventories/${session}/close`);
    expect((await follower.has(1, 'closed'))[0]!.data).toEqual(closed.body);
    const resumed = follow(here, session, event!.id);
    expect((await resumed.has(1, 'closed'))[0]!.data).toEqual(closed.body);
    expect(resumed.of('reopened')).toEqual([]);
  });

  it('tells progress at most once a second, and only when it has changed', async () => {
    const session = await openSession();
    const began = performance.now();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    for (const code of codes.slice(0, 25)) {
      await scan(here, session, code);
      await sleep(60);
    }
    await until(() => follower.of('progress').at(-1)!.data.scanned === 25);
    const told = follower.of('progress');
    // At the beginning, and then as often as seconds have begun: on a slow machine the scans take more of them.
    expect(told.length - 1).toBeLessThanOrEqual(1 + Math.ceil((performance.now() - began) / 1000));
    await sleep(1500);
    expect(follower.of('progress')).toHaveLength(told.length);
  });

  it('misses nothing and tells nothing twice, in one order, with phones on two instances', async () => {
    const session = await openSession();
    const [a, b] = [follow(here, session), follow(there, session)];
    await Promise.all([a.has(1, 'progress'), b.has(1, 'progress')]);
    await Promise.all(
      codes.map(async (code, n) => {
        await sleep(40 * (n % 20));
        await scan(n % 2 ? here : there, session, code);
      }),
    );
    await Promise.all([a.has(40, 'scan'), b.has(40, 'scan')]);
    await sleep(1200);
    const expected = await listed(session);
    expect(a.of('scan').map(({ data }) => data)).toEqual(expected);
    expect(b.of('scan').map(({ data, id }) => [id, data])).toEqual(
      a.of('scan').map(({ data, id }) => [id, data]),
    );

    // From the middle, on either instance, exactly what came after.
    for (const [test, at] of [
      [here, 0],
      [there, 17],
      [here, 39],
    ] as const) {
      const resumed = follow(test, session, a.of('scan')[at]!.id);
      await resumed.has(1, 'progress');
      await resumed.has(39 - at, 'scan');
      expect(resumed.of('scan').map(({ data }) => data)).toEqual(expected.slice(at + 1));
      expect(resumed.of('reset')).toEqual([]);
      await scan(here, session, 'nobody knows it');
      resumed.leave();
    }
  });

  it('keeps what a transaction that is under way will tell, and what comes after it', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    const slow = here.database.query(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(),
         scanned_by = (SELECT min(id) FROM users), note = pg_sleep(2.5)::text
       WHERE inventory_id = $1 AND purchase_id = (SELECT min(id) FROM purchases)`,
      [session],
    );
    const sleeping = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'`;
    await until(async () => (await there.database.query(sleeping)).length > 0);
    await scan(there, session, codes[1]!);
    await slow;
    const told = await follower.has(2, 'scan');
    expect(told.map(({ data }) => data.purchase.code)).toEqual([codes[0], codes[1]]);
  });

  it.each(['x', '1-1-1-1', '', ' ', '999999999999999999999'])(
    'says reset where the last id is none of the session: %j',
    async (id) => {
      const session = await openSession();
      await scan(here, session, codes[0]!);
      const follower = follow(here, session, id);
      await follower.has(1, 'progress');
      expect(follower.events.map(({ event }) => event)).toEqual(
        id.trim() === '' ? ['progress'] : ['reset', 'progress'],
      );
    },
  );

  it('resumes for an hour or 10 000 events, and says reset where neither is so', async () => {
    const session = await openSession();
    const ago = (hours: number) => `${session}-${Date.now() - hours * 3_600_000}-0-0`;
    await scan(here, session, codes[0]!);
    await here.database.query(
      `UPDATE inventory_lines SET scanned_at = now() - interval '30 hours' WHERE inventory_id = $1 AND scan_id IS NOT NULL`,
      [session],
    );
    expect(await follow(here, session, ago(40)).has(1, 'scan')).toHaveLength(1);
    for (const encoding of [undefined, 'gzip']) {
      const id = `${deafSession}-${Date.now() - 3_500_000}-0-0`;
      const recent = follow(here, deafSession, id, here.as('viewer'), encoding);
      await recent.has(20_000, 'scan');
      recent.leave();
      const ids = recent.of('scan').map(({ data }) => data.id);
      expect(new Set(ids).size).toBe(ids.length);
    }
    const lost = follow(here, deafSession, `${deafSession}-${Date.now() - 3_700_000}-0-0`);
    await lost.has(1, 'progress');
    expect(lost.events.map(({ event }) => event)).toEqual(['reset', 'progress']);
    const ahead = follow(here, session, ago(-1));
    expect(await ahead.has(1, 'reset')).toHaveLength(1);
  });

  it('ends with its token, on any instance, however that ends', async () => {
    const session = await openSession();
    const clients = await Promise.all(
      ['revoked', 'disabled', 'demoted', 'expired', 'stays'].map((login) =>
        here.asNewUser(`live-${login}`, 'viewer'),
      ),
    );
    const [revoked, disabled, demoted, expired, stays] = clients;
    const streams = clients.map((client, n) =>
      follow(
        n % 2 ? here : there,
        session,
        undefined,
        Object.assign(client, { url: (n % 2 ? here : there).url }),
      ),
    );
    await Promise.all(streams.map((stream) => stream.has(1, 'progress')));
    const [{ id }] = (await revoked!.get('/me/tokens')).body.data;
    await revoked!.delete(`/me/tokens/${id}`);
    await here.as('admin').patch(`/users/${disabled!.userId}`, { is_active: false });
    await here.as('admin').patch(`/users/${demoted!.userId}`, { roles: [] });
    await here.database.query(
      `UPDATE access_tokens SET created_at = now() - interval '366 days' WHERE user_id = $1`,
      [expired!.userId],
    );
    await Promise.all(streams.slice(0, 4).map((stream) => stream.over()));
    expect(streams[4]!.isOver).toBe(false);
    expect((await stays!.get('/me')).status).toBe(200);
  });

  it('comes in gzip to those who take it, each event as it happens, and is told as it is to others', async () => {
    const session = await openSession();
    const viewer = await here.asNewUser('live-packed', 'viewer');
    const inGzip = (id?: string) => follow(here, session, id, viewer, 'gzip, deflate, br');
    const [plain, packed, refusing] = [
      follow(here, session, undefined, viewer),
      inGzip(),
      follow(here, session, undefined, viewer, 'deflate, gzip;q=0'),
    ];
    await Promise.all([plain, packed, refusing].map((follower) => follower.has(1, 'progress')));
    const encoding = ({ response }: Follower) => [
      response!.headers['content-encoding'],
      response!.headers.vary,
    ];
    expect(encoding(plain)).toEqual([undefined, expect.stringContaining('Accept-Encoding')]);
    expect(encoding(packed)).toEqual(['gzip', expect.stringContaining('Accept-Encoding')]);
    expect(encoding(refusing)).toEqual(encoding(plain));

    const note = 'é 中 👍 <b>\n"x"';
    await scan(there, session, codes[0]!, { note });
    expect((await packed.has(1, 'scan'))[0]!.data.note).toBe(note);
    for (const code of codes.slice(1, 20)) await scan(here, session, code);
    await scan(here, session, 'nobody knows it');
    const resumed = inGzip(packed.of('scan')[0]!.id);
    await resumed.has(19, 'scan');
    await Promise.all([plain, packed, resumed].map((follower) => follower.has(1, 'unknown')));
    const told = (follower: Follower) =>
      follower.of('scan', 'unknown').map(({ event, id, data }) => [event, id, data]);
    expect(told(plain)).toHaveLength(21);
    expect(told(packed)).toEqual(told(plain));
    expect(told(resumed)).toEqual(told(plain).slice(1));

    expect((await viewer.post('/logout')).status).toBe(200);
    const all = [plain, packed, refusing, resumed];
    await Promise.all(all.map((follower) => follower.over()));
    expect(all.map(({ damage }) => damage)).toEqual(all.map(() => undefined));
  });

  it('tells ten thousand scans of one second once each, in their order, packed or not', async () => {
    const session = await openSession();
    const all = [
      follow(here, session),
      follow(here, session, undefined, here.as('viewer'), 'gzip'),
      follow(there, session),
    ];
    await Promise.all(all.map((follower) => follower.has(1, 'progress')));
    const rows = await here.database.query<{ id: number }>(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(),
         scanned_by = (SELECT min(id) FROM users)
       WHERE inventory_id = $1 AND purchase_id IN (
         SELECT purchase_id FROM inventory_lines WHERE inventory_id = $1 ORDER BY 1 LIMIT 10000)
       RETURNING scan_id::integer AS id`,
      [session],
    );
    const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
    for (const follower of all) {
      await follower.has(10_000, 'scan');
      expect(follower.of('scan').map(({ data }) => data.id)).toEqual(ids);
    }
  });

  it('tells a share of many scans in a turn, none of them twice, and the rest once there are fewer', async () => {
    const session = await openSession();
    const events = here.app.get(EventsService);
    const progress = (scanned: number) => ({ scanned, total: 20_000, percentage: 0 });
    const watch = new Watch(session, events, await events.horizon(), progress(0));
    // Of 200 milliseconds, ten of each, none of which is told before they have passed.
    await here.database.query(
      `WITH begin AS MATERIALIZED (SELECT change_instant() AS at), lines AS (
         SELECT purchase_id, row_number() OVER () AS n FROM inventory_lines WHERE inventory_id = $1 LIMIT 2000)
       UPDATE inventory_lines l SET scan_id = nextval('inventory_scan_seq'),
         scanned_at = begin.at + (lines.n % 200) * interval '1 millisecond', scanned_by = (SELECT min(id) FROM users)
       FROM lines, begin WHERE l.inventory_id = $1 AND l.purchase_id = lines.purchase_id`,
      [session],
    );
    await sleep(200);
    const stream = new PassThrough({ highWaterMark: 10_000_000 });
    const listener = new Listener(stream as unknown as Response);
    const telling = watch.tell(listener, null, false);
    const behind: number[] = [];
    const told = async (scanned: number): Promise<string[]> => {
      await watch.advance(await events.horizon(), 95, () => Promise.resolve(progress(scanned)));
      behind.push(watch.behind);
      await setImmediate();
      return Array.from(String(stream.read()).matchAll(/^event: scan\nid: \d+-(.+)$/gm), ([, id]) => id!);
    };
    const turns = [await told(100), await told(200), await told(200)];
    listener.end();
    watch.leave(listener);
    await telling;
    expect(turns.map(({ length }) => length)).toEqual([100, 100, 1800]);
    const scans = (await listed(session)).map(({ id, scanned_at }) => `${Date.parse(scanned_at)}-1-${id}`);
    expect(turns.flat()).toEqual(scans);
    expect(behind).toEqual([expect.any(Number), expect.any(Number), 0]);
    expect(Math.min(...behind.slice(0, 2))).toBeGreaterThan(0);
  });

  it('reads no more of a session than it tells at a time, however far behind it is', async () => {
    const session = await openSession();
    await here.database.query('DELETE FROM inventory_closed_lines');
    await here.database.query('VACUUM (ANALYZE) inventory_lines, inventory_closed_lines');
    const before = new Date();
    await here.database.query(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(),
         scanned_by = (SELECT min(id) FROM users) WHERE inventory_id = $1 AND purchase_id % 10 = 0`,
      [session],
    );
    const { text, values } = eventsAfter(session, beginOf(before), new Date(), 100);
    const [plan] = await here.database.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const read = JSON.stringify(plan).matchAll(/"Relation Name":"inventory_lines",.*?"Actual Rows":(\d+)/g);
    expect(Array.from(read, ([, rows]) => Number(rows))).toEqual([100, 0]);
  });

  it('tells each of many who follow all of it, in order', async () => {
    const session = await openSession();
    const all = Array.from({ length: 60 }, (_, n) =>
      follow(here, session, undefined, here.as('viewer'), n % 2 ? 'gzip' : undefined),
    );
    await Promise.all(all.map((follower) => follower.has(1, 'progress')));
    for (const code of codes.slice(0, 5)) await scan(here, session, code);
    const scans = await listed(session);
    expect(scans).toHaveLength(5);
    for (const follower of all) {
      expect((await follower.has(5, 'scan')).map(({ data }) => data)).toEqual(scans);
      await until(() => follower.of('progress').at(-1)!.data.scanned === 5);
      follower.leave();
    }
  });

  it('ends when the session is deleted', async () => {
    const session = await openSession();
    const follower = follow(here, session);
    await follower.has(1, 'progress');
    await here.as('manager').delete(`/inventories/${session}`);
    await follower.over();
  });

  it('answers problems before it begins, and HEAD without a stream', async () => {
    const session = await openSession();
    const path = `/inventories/${session}/events`;
    expect((await here.anonymous.get(path)).status).toBe(401);
    expect((await (await here.asNewUser('live-nothing')).get(path)).status).toBe(403);
    const missing = await here
      .as('viewer')
      .get('/inventories/2147483647/events', { 'accept-language': 'fr' });
    expect([missing.status, missing.body.detail]).toEqual([404, 'Cet inventaire n’existe pas.']);
    expect((await here.as('viewer').get(`${path}?x=1`)).status).toBe(422);
    expect((await here.as('viewer').post(path)).headers.get('allow')).toBe('GET, HEAD');
    const head = await here.as('viewer').send('HEAD', path);
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8',
    ]);
  });

  it('tells operators how many follow', async () => {
    const third = await startApp({}, here.database); // of the others, one who does not read is dropped some time
    const isTold = async (count: number) =>
      (await third.anonymous.get('//metrics')).text.includes(`\nlive_listeners ${count}\n`);
    const session = await openSession();
    const all = [1, 2, 3].map(() => follow(third, session));
    await Promise.all(all.map((follower) => follower.has(1, 'progress')));
    await until(() => isTold(3));
    all.forEach((follower) => follower.leave());
    await until(() => isTold(0));
    await third.stop();
  });

  it('is followed by the TypeScript client, which comes back and goes on where it was', async () => {
    const third = await startApp({}, here.database);
    const session = await openSession();
    // Behind one address, as behind a proxy: first one instance, then the other.
    let at = third.url;
    const client = createClient({ baseUrl: here.url, token: here.as('viewer').token });
    const fetch = ({ url, headers, signal }: Request) =>
      globalThis.fetch(url.replace(here.url, at), { headers, signal });
    const ending = new AbortController();
    const seen: LiveEvent[] = [];
    const all = (async () => {
      for await (const event of followAs(client, session, { signal: ending.signal, fetch, delayMs: 100 }))
        seen.push(event);
    })();
    await until(() => seen.length > 0);
    await scan(here, session, codes[0]!);
    await until(() => seen.some(({ event }) => event === 'scan'));
    at = here.url;
    await third.stop();
    await scan(here, session, codes[1]!);
    const told = () => seen.flatMap(({ event, data }) => (event === 'scan' ? [data.purchase.code] : []));
    await until(() => told().length === 2);
    expect(told()).toEqual([codes[0], codes[1]]);
    ending.abort();
    await all;
    client.token = '1|wrong';
    await expect(followAs(client, session).next()).rejects.toThrow(ApiError);
  });

  it.each(['\u2028', '\u2029'])('is followed past a note that holds %j', async (separator) => {
    const session = await openSession();
    const client = createClient({ baseUrl: here.url, token: here.as('viewer').token });
    const ending = new AbortController();
    const seen: LiveEvent[] = [];
    const all = (async () => {
      for await (const event of followAs(client, session, { signal: ending.signal })) seen.push(event);
    })();
    const notes = () => seen.flatMap(({ event, data }) => (event === 'scan' ? [data.note] : []));
    await until(() => seen.length > 0); // a stream begins with now
    await scan(here, session, codes[0]!, { note: `a${separator}b` });
    await scan(here, session, codes[1]!, { note: 'after' });
    await until(() => notes().includes('after'));
    ending.abort();
    await all;
    expect(notes()).toEqual([`a${separator}b`, 'after']);
  });

  it('sends a comment every 15 seconds', async () => {
    await until(() => quiet.comments > 0, 16_000);
    expect(quiet.of('progress')).toHaveLength(quiet.events.length);
  });

  it('drops who does not read, and keeps nothing for him', async () => {
    await until(async () => {
      const { text } = await here.anonymous.get('//metrics');
      return /^live_listeners_dropped_total [1-9]/m.test(text);
    }, 30_000);
    expect(keptForDeaf).toBeGreaterThan(0); // of 14 MB
    expect(keptForDeaf).toBeLessThan(1024 * 1024);
  });

  it('ends at a shutdown, which it does not hold up, and says when to come back', async () => {
    const third = await startApp({}, here.database);
    const session = await openSession();
    const streams = [1, 2, 3].map(() => follow(third, session));
    await Promise.all(streams.map((stream) => stream.has(1, 'progress')));
    await third.stop();
    await Promise.all(streams.map((stream) => stream.over()));
    for (const { retry } of streams) expect(retry).toBeGreaterThanOrEqual(500);
  });
});
