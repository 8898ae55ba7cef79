import { ClosedLinesService } from '../src/inventories/closed-lines.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, idsOf } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

let t: TestApp;
let make: Factories;
let manager: Client & { userId: number };
let kind: Row;
let session: number;
let purchases: Row[];

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  manager = await t.asNewUser('maelle', 'manager');
  kind = await make.article();
});
afterAll(() => t.stop());

/** A closed session of its own place: four purchases, of which two are scanned, and a guest. */
beforeEach(async () => {
  const [room, hall] = [await make.location(), await make.location()];
  const opened = await manager.post('/inventories', {
    year: 2026,
    inventory_date: '2026-11-16',
    location_ids: [room.id],
  });
  session = opened.body.id;
  purchases = [];
  for (let n = 0; n < 4; n++) purchases.push(await buy(room));
  await scan(purchases[0], { location_id: room.id, condition: 'good', note: 'Bon état' });
  await scan(purchases[1], { location_id: hall.id });
  await scan(await buy(hall), {});
  await manager.post(path('/close'));
});
afterEach(async () => {
  expect(await t.database.query(WRONG_SESSIONS)).toEqual([]);
  expect(
    await t.database.query(
      `SELECT inventory_id, purchase_id FROM inventory_lines GROUP BY 1, 2 HAVING count(*) > 1`,
    ),
  ).toEqual([]);
});

const path = (rest: string) => `/inventories/${session}${rest}`;
const buy = (location: Row): Promise<Row> => make.purchase({ article_id: kind.id, location_id: location.id });
const scan = async ({ code }: Row, fields: object): Promise<Row> =>
  (await manager.post(path('/scan'), { code, ...fields })).body;
const reopen = () => manager.post(path('/reopen'), { reason: 'Clôturé trop tôt' });
const closedSince = (interval: string) =>
  t.database.query(`UPDATE inventories SET closed_at = now() - $2::interval WHERE id = $1`, [
    session,
    interval,
  ]);
const putAway = () => t.app.get(ClosedLinesService).putAwayAll();

/** How many lines of the session are where lines are added, and how many apart. */
async function whereLinesAre(): Promise<object> {
  const [row] = await t.database.query<object>(
    `SELECT (SELECT count(*)::integer FROM ONLY inventory_lines WHERE inventory_id = $1) AS here,
       (SELECT count(*)::integer FROM inventory_closed_lines WHERE inventory_id = $1) AS apart`,
    [session],
  );
  return row!;
}

/** Everything that a session answers. */
async function answers(): Promise<Record<string, Row>> {
  const found: Record<string, Row> = {};
  for (const rest of [
    '',
    '/scans',
    '/scans?sort=-scanned_at',
    '/scans?updated_since=2020-01-01T00:00:00Z',
    '/unscanned',
    '/unscanned?sort=-code',
    '/unscanned?updated_since=2020-01-01T00:00:00Z&include_deleted=true',
    '/unexpected',
    '/misplaced',
    '/progress?by=user',
    '/progress?by=location',
    '/report',
  ]) {
    // prettier-ignore
    const { status, body } = await manager.get(path(rest));
    expect([rest, status]).toEqual([rest, 200]);
    delete body.meta?.synced_until;
    delete body.made_at;
    found[rest] = body;
  }
  return found;
}

describe('Lines of a session that was closed', () => {
  it('a day ago are put away, and every answer stays as it was', async () => {
    await closedSince('25 hours');
    const before = await answers();
    expect(await whereLinesAre()).toEqual({ here: 4, apart: 0 });
    await putAway();
    expect(await whereLinesAre()).toEqual({ here: 0, apart: 4 });
    expect(await answers()).toEqual(before);
    expect(await scan(purchases[0], {})).toMatchObject({ status: 'error', reason: 'session-closed' });
  });

  it('today stay where they are, and so do those of one that is open', async () => {
    await closedSince('23 hours');
    await putAway();
    expect(await whereLinesAre()).toEqual({ here: 4, apart: 0 });
    await reopen();
    await putAway();
    expect(await whereLinesAre()).toEqual({ here: 4, apart: 0 });
  });

  it('come back when it is opened again, which goes on as any other', async () => {
    await closedSince('2 days');
    await putAway();
    await manager.delete(`/purchases/${purchases[3]!.id}`);
    expect((await reopen()).body.progress).toMatchObject({ scanned: 2, total: 3 });
    expect(await whereLinesAre()).toEqual({ here: 3, apart: 0 });
    expect(await scan(purchases[0], {})).toMatchObject({ status: 'warning' });
    expect(await scan(purchases[2], {})).toMatchObject({ status: 'success' });
    const { body } = await manager.get(path('/unscanned'));
    expect(idsOf(body.data)).toEqual([]);
    expect((await manager.post(path('/close'))).body.progress).toMatchObject({ scanned: 3, total: 3 });
  });

  it('come back too where the release before opens it again', async () => {
    await closedSince('2 days');
    await putAway();
    // As it does: it knows of one table, and of no other.
    await t.database.query(
      `SELECT open_counters($1, count(scan_id), count(*)) FROM inventory_lines WHERE inventory_id = $1`,
      [session],
    );
    await t.database.query(
      `UPDATE inventories SET closed_at = NULL, closed_by = NULL, final_scanned = NULL, final_total = NULL WHERE id = $1`,
      [session],
    );
    for (const table of ['inventory_frozen', 'inventory_frozen_lines', 'inventory_frozen_locations'])
      await t.database.query(`DELETE FROM ${table} WHERE inventory_id = $1`, [session]);
    expect(await whereLinesAre()).toEqual({ here: 4, apart: 0 });
    expect(await scan(purchases[2], {})).toMatchObject({ status: 'success' });
  });

  it('are in one place only, whoever opens it again while they are put away', async () => {
    for (let round = 0; round < 5; round++) {
      await closedSince('2 days');
      const [{ status }] = await Promise.all([reopen(), putAway(), putAway()]);
      expect([status, await whereLinesAre()]).toEqual([200, { here: 4, apart: 0 }]);
      await manager.post(path('/close'));
    }
  });
});
