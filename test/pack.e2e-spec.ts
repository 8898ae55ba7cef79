/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
import fc from 'fast-check';
import { once } from 'node:events';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Client } from './support/client.js';
import { factories, idsOf, readByCursor, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';
import { begin, rollbackAll } from './support/transactions.js';

let t: TestApp;
let make: Factories;
let manager: Client;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = t.as('manager');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

const pathOf = (session: number, since?: string) =>
  `/inventories/${session}/pack${since === undefined ? '' : `?updated_since=${encodeURIComponent(since)}`}`;

/** The first line, and the others by their ids. */
async function pack(session: number, since?: string): Promise<{ head: any; lines: Map<number, any> }> {
  const { status, text } = await t.as('viewer').get(pathOf(session, since));
  expect([status, text.at(-1)]).toEqual([200, '\n']);
  const [head, ...lines] = text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line));
  return { head, lines: new Map(lines.map((line) => [line.id, line])) };
}

const open = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const { body } = await manager.post('/inventories', {
    year: 2026,
    inventory_date: '2026-11-16',
    ...fields,
  });
  return body.id;
};
const scan = async (session: number, code: string): Promise<any> =>
  (await manager.post(`/inventories/${session}/scan`, { code })).body;

let keys = 0;
/** As deciding on an unknown code does it: a code of the purchase from now on. */
async function link(session: number, purchase: number, alias: string): Promise<void> {
  await t.database.query(
    `WITH code AS (INSERT INTO purchase_codes (code_key, purchase_id, alias) VALUES (code_key($3), $2, $3))
     INSERT INTO inventory_unknown_codes (inventory_id, code, cleaned, code_key, times, first_at, first_by, last_at, last_by,
       location_ids, notes, status, purchase_id, decided_at, decided_by, changed_at)
     VALUES ($1, $3, $3, code_key($3), 1, now(), 1, now(), 1, '{}', '{}', 'linked', $2, now(), 1, change_instant())`,
    [session, purchase, alias],
  );
}
/** As the scan of a purchase does it that the session does not expect. */
const unexpected = (session: number, purchase: number) =>
  t.database.query(
    `INSERT INTO inventory_unexpected (inventory_id, purchase_id, scan_id, scanned_at, scanned_by, recorded_at)
     SELECT $1, $2, nextval('inventory_scan_seq'), at, 1, at FROM change_instant() at ON CONFLICT DO NOTHING`,
    [session, purchase],
  );

describe('GET /inventories/{id}/pack', () => {
  it('is the session, and a line for each live purchase', async () => {
    const category = await make.category({ name: 'Câbles "à vis" \\ é' });
    const article = await make.article({ name: 'Écran 27" \\ 4K\ttab', category_id: category.id });
    const place = await make.location();
    const code = unique('PÄCK"\\');
    const first = await make.purchase({ article_id: article.id, location_id: place.id, code });
    const second = await make.purchase();
    const third = await make.purchase();
    const deleted = await make.purchase();
    const session = await open({ location_ids: [place.id] });
    await manager.delete(`/purchases/${deleted.id}`);
    const { scanned_at } = await scan(session, first.code);
    const old = second.code;
    await manager.patch(`/purchases/${second.id}`, { code: unique('NEW') });
    for (const alias of ['Z-alias', 'a "quoted" \\ alias']) await link(session, second.id, alias);
    await unexpected(session, third.id);
    const { head, lines } = await pack(session);
    expect(head).toEqual({
      session: (await manager.get(`/inventories/${session}`)).body,
      synced_until: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    });
    expect(lines.get(first.id)).toEqual({
      id: first.id,
      code,
      aliases: [],
      article: { id: article.id, name: article.name },
      category: { id: category.id, name: category.name },
      location_id: place.id,
      expected: true,
      scanned_at,
    });
    const { code: label } = (await manager.get(`/purchases/${second.id}`)).body;
    expect(label).not.toBe(old);
    expect(lines.get(second.id)).toEqual({
      id: second.id,
      code: label,
      aliases: ['Z-alias', 'a "quoted" \\ alias'],
      article: { id: second.article.id, name: second.article.name },
      category: null,
      location_id: null,
      expected: false,
      scanned_at: null,
    });
    expect(lines.get(third.id)).toMatchObject({ expected: false, scanned_at: expect.stringMatching(/Z$/) });
    expect(lines.has(deleted.id)).toBe(false);
    // An alias that becomes the label is no other code any more.
    await manager.patch(`/purchases/${second.id}`, { code: 'z-ALIAS' });
    const again = (await pack(session)).lines.get(second.id);
    expect([again.code, again.aliases]).toEqual(['z-ALIAS', ['a "quoted" \\ alias']]);
  });

  it('has what the lists have', async () => {
    const session = await open();
    const purchases = await readByCursor(manager, '/purchases?per_page=200');
    for (const { code } of purchases.slice(0, 3)) await scan(session, code);
    const { lines } = await pack(session);
    expect([...lines.keys()].sort((a, b) => a - b)).toEqual(idsOf(purchases));
    const scans = await readByCursor(manager, `/inventories/${session}/scans?per_page=200`);
    const scanned = new Map(scans.map(({ purchase, scanned_at }) => [purchase.id, scanned_at]));
    const missing = new Set(
      idsOf(await readByCursor(manager, `/inventories/${session}/unscanned?per_page=200`)),
    );
    for (const { id, code, article, location } of purchases) {
      expect(lines.get(id)).toMatchObject({
        code,
        article: { id: article.id, name: article.name },
        location_id: location?.id ?? null,
        expected: missing.has(id) || scanned.has(id),
        scanned_at: scanned.get(id) ?? null,
      });
    }
  });

  it('comes packed where the client takes that, as a file; HEAD tells of it', async () => {
    const session = await open();
    const download = (encoding: string) =>
      fetch(`${t.url}/api/v1${pathOf(session)}`, {
        headers: { authorization: `Bearer ${t.as('viewer').token}`, 'accept-encoding': encoding },
      });
    const [plain, packed] = [await download('identity'), await download('gzip')];
    const told = ({ headers }: Response) =>
      ['content-type', 'content-encoding', 'vary', 'content-disposition'].map((name) => headers.get(name));
    const named = `attachment; filename="pack-${session}.ndjson"`;
    expect(told(plain)).toEqual(['application/x-ndjson', null, 'Accept-Encoding', named]);
    expect(told(packed)).toEqual(['application/x-ndjson', 'gzip', 'Accept-Encoding', named]);
    const sorted = async (answer: Response) => (await answer.text()).split('\n').slice(1).sort();
    expect(await sorted(packed)).toEqual(await sorted(plain));
    const { status, headers, text } = await t.as('viewer').send('HEAD', pathOf(session));
    expect([status, headers.get('content-disposition'), text]).toEqual([200, named, '']);
  });

  it('is of sessions that are there, asked by who may, with what it knows', async () => {
    const session = await open();
    for (const id of [2_147_483_647, 0])
      for (const method of ['GET', 'HEAD'])
        expect([id, method, (await t.as('viewer').send(method, pathOf(id))).status]).toEqual([
          id,
          method,
          404,
        ]);
    for (const since of ['', 'x', '2026-11-16', '2026-02-30T00:00:00Z'])
      expect([since, refused(await manager.get(pathOf(session, since)))]).toEqual([since, ['updated_since']]);
    expect(refused(await manager.get(`${pathOf(session)}?page=1`))).toEqual(['page']);
    expect((await t.anonymous.get(pathOf(session))).status).toBe(401);
    expect((await (await t.asNewUser('stranger')).get(pathOf(session))).status).toBe(403);
  });

  describe('of many purchases', () => {
    let own: TestApp;
    let session: number;
    let live: number[];
    const phones: http.ClientRequest[] = [];

    beforeAll(async () => {
      own = await startApp();
      const { id } = await factories(own).article({ name: 'Chaise '.repeat(35) });
      // Without triggers, which would take most of the time: what is read is what matters.
      await own.database.query(
        `DO $$ BEGIN
           SET LOCAL session_replication_role = replica;
           INSERT INTO purchases (article_id, code, purchase_date, deleted_at)
           SELECT ${id}, 'MANY-' || n, '1970-01-01', CASE WHEN n % 1000 = 0 OR n BETWEEN 2000 AND 9000 THEN now() END
           FROM generate_series(1, 27000) n;
         END $$`,
      );
      const rows = await own.database.query(`SELECT id FROM purchases WHERE deleted_at IS NULL ORDER BY id`);
      live = rows.map(({ id }) => id as number);
      const fields = { year: 2026, inventory_date: '2026-11-16' };
      session = (await own.as('manager').post('/inventories', fields)).body.id;
    });
    afterEach(() => phones.splice(0).forEach((phone) => phone.destroy()));
    afterAll(() => own.stop());

    const ask = (since?: string) =>
      new Promise<http.IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${own.as('viewer').token}` };
        const url = `${own.url}/api/v1${pathOf(session, since)}`;
        phones.push(http.get(url, { agent: false, headers }, resolve).on('error', reject));
      });
    const linesOf = async (since?: string) => {
      const { text } = await own.as('viewer').get(pathOf(session, since));
      const lines = text.split('\n').slice(1, -1);
      return lines.map((line) => JSON.parse(line)).sort((a, b) => a.id - b.id);
    };
    const reading = () =>
      own.database.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'COPY%' AND state <> 'idle'`,
      );

    it('has each of them once', async () => {
      expect((await linesOf()).map(({ id }) => id)).toEqual(live);
    });

    it('stops reading where the client hangs up, and gives its connection back', async () => {
      for (let time = 0; time < 12; time++) {
        const answer = await ask();
        await once(answer, 'data');
        answer.destroy();
      }
      expect(await linesOf()).toHaveLength(live.length);
      await until(async () => (await reading()).length === 0);
    });

    it('is there for others though some do not read theirs, which takes no connection', async () => {
      for (let phone = 0; phone < 12; phone++) expect((await ask()).statusCode).toBe(200);
      expect(await linesOf()).toHaveLength(live.length);
      expect(await reading()).toEqual([]);
    });

    it('is likewise all there is after the session was opened again, with what is gone', async () => {
      const since = (await own.as('viewer').get(`/inventories/${session}`)).body.created_at;
      const [gone, ...left] = live;
      expect(await own.as('admin').delete(`/purchases/${gone}`)).toMatchObject({ status: 200 });
      await own.database.query(
        `UPDATE inventories SET reopened = jsonb_build_array(jsonb_build_object('at', now(), 'by', 1, 'reason', 'Oubli'))
         WHERE id = $1`,
        [session],
      );
      for (let phone = 0; phone < 12; phone++) expect((await ask(since)).statusCode).toBe(200);
      const [tombstone, ...lines] = await linesOf(since);
      expect(tombstone).toEqual({ id: gone, deleted_at: expect.any(String) });
      expect(lines.map(({ id }) => id)).toEqual(left);
    });
  });
});

/** What a phone holds of a session: the pack, and then the changes alone. */
class Held {
  lines = new Map<number, any>();
  session: any;
  since?: string;

  constructor(private readonly id: number) {}

  async sync(): Promise<number> {
    const { head, lines } = await pack(this.id, this.since);
    for (const [id, line] of lines) {
      if ('deleted_at' in line) {
        expect([this.since !== undefined, Object.keys(line)]).toEqual([true, ['id', 'deleted_at']]);
        this.lines.delete(id);
      } else this.lines.set(id, line);
    }
    if (this.since !== undefined) expect(head.synced_until >= this.since).toBe(true);
    this.since = head.synced_until;
    this.session = head.session;
    return lines.size;
  }

  /** Against everything anew. */
  async compare(): Promise<void> {
    const { head, lines } = await pack(this.id);
    expect(this.session).toEqual(head.session);
    expect(new Map([...this.lines].sort())).toEqual(new Map([...lines].sort()));
  }
}

describe('With updated_since', () => {
  it('it is the changes alone', async () => {
    const [kept, scanned, deleted] = [await make.purchase(), await make.purchase(), await make.purchase()];
    const session = await open();
    const { head } = await pack(session);
    await sleep(5);
    await scan(session, scanned.code);
    await manager.delete(`/purchases/${deleted.id}`);
    const { lines } = await pack(session, head.synced_until);
    expect(lines.get(scanned.id).scanned_at).toEqual(expect.any(String));
    expect(lines.get(deleted.id)).toEqual({ id: deleted.id, deleted_at: expect.stringMatching(/Z$/) });
    expect(lines.has(kept.id)).toBe(false);
    for (const longAgo of ['2000-01-01T00:00:00Z', '0001-01-01T00:00:00+23:59']) {
      const { lines: everything } = await pack(session, longAgo);
      expect(everything.get(kept.id)).toMatchObject({ expected: true });
    }
    // A phone whose clock is ahead: nothing that changes until then is skipped.
    const ahead = await pack(session, '2190-01-01T00:00:00Z');
    expect(new Date(ahead.head.synced_until).getTime()).toBeLessThanOrEqual(Date.now() + 1000);
  });

  it('a phone holds what a new pack has, whatever happened in between', async () => {
    const categories = [await make.category(), await make.category()];
    const articles = [await make.article({ category_id: categories[0].id }), await make.article()];
    const place = await make.location();
    const purchases: any[] = [];
    for (let n = 0; n < 8; n++)
      purchases.push(
        await make.purchase({ article_id: articles[n % 2].id, location_id: n % 3 ? place.id : null }),
      );
    const session = await open({ location_ids: [place.id] });
    const other = await open();
    const held = new Held(session);
    await held.sync();
    const step = fc.tuple(fc.nat(10), fc.nat(1000), fc.nat(1000));
    const take = async ([what, n, m]: [number, number, number]) => {
      const purchase = purchases[n % purchases.length];
      const article = articles[m % 2];
      const path = `/purchases/${purchase.id}`;
      if (what < 2) await scan(session, purchase.code);
      else if (what === 2) {
        const { data } = (await manager.get(`/inventories/${session}/scans`)).body;
        if (data.length > 0)
          await manager.delete(`/inventories/${session}/scans/${data[n % data.length].id}`);
      } else if (what === 3)
        await manager.patch(path, { article_id: article.id, location_id: m % 3 ? place.id : null });
      else if (what === 4) await manager.delete(path);
      else if (what === 5)
        purchases.push(await make.purchase({ article_id: article.id, location_id: n % 2 ? place.id : null }));
      else if (what === 6) await manager.patch(`/articles/${article.id}`, { name: unique('Renamed') });
      else if (what === 7)
        await t.database.query(`UPDATE categories SET name = $2 WHERE id = $1`, [
          categories[n % 2].id,
          unique('Cat'),
        ]);
      else if (what === 8) await link(m % 2 ? session : other, purchase.id, `ALIAS-${++keys}`);
      else if (
        what === 9 &&
        (await manager.get(path)).status === 200 &&
        !held.lines.get(purchase.id)?.expected
      )
        await unexpected(session, purchase.id);
      else if (what === 10) {
        await manager.post(`/inventories/${session}/close`);
        purchases.push(await make.purchase({ article_id: article.id, location_id: place.id }));
        if (m % 2) await held.sync();
        await manager.post(`/inventories/${session}/reopen`, { reason: 'Something was forgotten' });
      }
    };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async (steps) => {
        for (const one of steps) await take(one);
        await held.sync();
        await held.compare();
      }),
      { numRuns: 15, endOnFailure: true },
    );
  });

  it('what a slow transaction has done comes with the pack after its commit, however long ago it dates', async () => {
    const [scanned, linked, seen, edited] = await Promise.all(
      Array.from({ length: 4 }, () => make.purchase()),
    );
    const session = await open();
    const held = new Held(session);
    await held.sync();
    const slow = await begin(t.database);
    await slow.query(
      `UPDATE inventory_lines SET scan_id = nextval('inventory_scan_seq'), scanned_at = change_instant(), scanned_by = 1
       WHERE inventory_id = $1 AND purchase_id = $2`,
      [session, scanned.id],
    );
    await slow.query(`UPDATE purchases SET notes = 'slow', code = $2 WHERE id = $1`, [
      edited.id,
      unique('SLOW'),
    ]);
    for (let n = 0; n < 3; n++) {
      await scan(session, seen.code);
      await held.sync();
      await held.compare();
    }
    await slow.end('COMMIT');
    await held.sync();
    await held.compare();
    expect(held.lines.get(scanned.id).scanned_at).not.toBeNull();
    expect(held.lines.get(edited.id).code).toMatch(/^SLOW/);
    expect(held.lines.get(linked.id).scanned_at).toBeNull();
  });

  it('a phone that syncs all the time while others scan and buy misses nothing', async () => {
    const article = await make.article();
    await t.database.query(
      `INSERT INTO purchases (article_id, code, purchase_date)
       SELECT $1, 'STORM-' || n, '2026-01-01' FROM generate_series(1, 120) n`,
      [article.id],
    );
    const session = await open();
    const held = new Held(session);
    let over = false as boolean;
    const syncing = (async () => {
      while (!over) await held.sync();
    })();
    await Promise.all(
      [0, 1, 2].map(async (phone) => {
        for (let n = phone; n < 120; n += 3) {
          await scan(session, `STORM-${n + 1}`);
          if (n % 20 === 0) await make.purchase({ article_id: article.id });
        }
      }),
    );
    over = true;
    await syncing;
    expect(await held.sync()).toBeLessThan(130);
    await held.compare();
  });
});
