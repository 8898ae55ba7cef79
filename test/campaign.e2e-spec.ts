import { parse } from 'csv-parse/sync';
import { randomUUID } from 'node:crypto';
import readWorkbook from 'read-excel-file/node';
import { extractText, getDocumentProxy } from 'unpdf';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { Phone, dice } from './support/campaign.js';
import type { Read, Thing } from './support/campaign.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';
import { FaultyProxy } from './support/faulty-proxy.js';
import { importText } from './support/import.js';
import { WRONG_SESSIONS } from './support/wrong-sessions.js';

type Row = Answer['body'];

const PHONES = 20;
/** The others find a network only after the closing. */
const ON_TIME = 17;
const ROOMS = ['A1', 'A2', 'A3', 'B1', 'B2', 'B3', 'C1', 'C2'];
const CATEGORIES = ['Écrans', 'Sièges', 'Outils'];
/** 4 minutes fast at most, which is nothing, or an hour fast, or a day slow. */
const CLOCKS = [0, 240_000, -60_000, 3_600_000, -86_400_000];

/** A whole campaign as in life: each test is a chapter of it, and needs those before. */
describe('A campaign', () => {
  const chance = dice(20_261_116);
  const pick = <T>(list: T[]): T => list[Math.floor(chance() * list.length)]!;
  let t: TestApp;
  let manager: Client & { userId: number };
  let proxy: FaultyProxy;
  let session: number;
  const things: Thing[] = [];
  const place = new Map<string, number>();
  const purchase = new Map<string, number>();
  const phones: Phone[] = [];
  const path = (rest: string) => `/inventories/${session}${rest}`;
  const isExpected = ({ room }: Thing) => !room.startsWith('C');
  const labelOf = ({ label, code }: Thing) => label ?? code;

  beforeAll(async () => {
    t = await startApp();
    manager = await t.asNewUser('maelle', 'manager');
    const fates = ['passes', 'passes', 'passes', 'lost', 'half', 'passes', 502, 'broken'] as const;
    proxy = await FaultyProxy.to(t.url, () => pick([...fates]));
  });
  afterAll(async () => {
    await proxy.close();
    await t.stop();
  });
  afterEach(async () => expect(await t.database.query(WRONG_SESSIONS)).toEqual([]));

  async function all(list: string): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor = ''; ;) {
      const { body } = await manager.get(
        path(`/${list}${list.includes('?') ? '&' : '?'}per_page=200&cursor=${cursor}`),
      );
      rows.push(...body.data);
      if (!body.meta.next_cursor) return rows;
      cursor = body.meta.next_cursor;
    }
  }
  const codesOf = (rows: Row[]) => rows.map((row) => (row.purchase ?? row).code as string).sort();
  const figures = async () => (await manager.get(path(''))).body.progress;

  it('begins with what the books say: places, articles and 240 purchases', async () => {
    const csv = async (kind: string, lines: string[]) =>
      expect((await importText(t.database.url, kind, lines.join('\n'))).code).toBe(0);
    const sites = ['A', 'B', 'C'];
    await csv('locations', [
      'name,code,parent',
      ...sites.map((site) => `Site ${site},${site},`),
      ...ROOMS.map((room) => `Salle ${room},${room},${room[0]}`),
    ]);
    await csv('categories', ['name', ...CATEGORIES]);
    await csv('amortization-categories', ['name,method,duration_years', 'Cinq ans,linear,5']);
    await csv('articles', [
      'name,category,amortization_category',
      ...CATEGORIES.map((name) => `${name} X,${name},Cinq ans`),
    ]);
    for (let n = 0; n < 240; n++) {
      const room = pick(ROOMS);
      const luck = chance();
      things.push({
        code: `R-${1000 + n}`,
        room,
        stands: luck < 0.1 ? null : luck < 0.2 ? pick(ROOMS) : room,
        ...(luck > 0.95 && { label: `OLD-${n}` }),
        price: Math.round(chance() * 200_000) / 100,
        category: pick(CATEGORIES),
      });
    }
    await csv('purchases', [
      'code,article,purchase_date,purchase_price,location',
      ...things.map(({ code, room, price, category }) => `${code},${category} X,2024-03-01,${price},${room}`),
    ]);
    for (const { id, code } of (await manager.get('/locations?per_page=200')).body.data) place.set(code, id);
    for (const page of [1, 2])
      for (const { id, code } of (await manager.get(`/purchases?per_page=200&page=${page}`)).body.data)
        purchase.set(code, id);
  });

  it('opens for two of the three sites', async () => {
    const { status, body } = await manager.post('/inventories', {
      year: 2026,
      inventory_date: '2026-11-16',
      label: 'Sites A et B',
      location_ids: [place.get('B'), place.get('A')],
    });
    expect(status).toBe(201);
    session = body.id;
    expect(body.progress).toEqual({ scanned: 0, total: things.filter(isExpected).length, percentage: 0 });
  });

  const users: Client[] = [];
  const standing = (): Thing[] => things.filter(({ stands }) => stands && !stands.startsWith('C'));
  /** What the phone `n` reads. */
  const readBy = (n: number): Thing[] => standing().filter((_, at) => at % PHONES === n);
  const inTime = () => [...Array(ON_TIME).keys()].flatMap(readBy);
  const strangers = Array.from({ length: 6 }, (_, n) => `VENDOR-${n}`);
  let misread: Read;
  let gone: Thing;

  /** What the session must show once it has counted these. */
  async function expectFound(found: Thing[]): Promise<void> {
    const codes = (of: Thing[]) => of.map(({ code }) => code).sort();
    const expected = found.filter(isExpected);
    const missing = things.filter((thing) => isExpected(thing) && !found.includes(thing));
    expect(codesOf(await all('scans'))).toEqual(codes(expected));
    expect(codesOf(await all('unscanned'))).toEqual(codes(missing));
    expect(codesOf(await all('unexpected'))).toEqual(codes(found.filter((thing) => !isExpected(thing))));
    const elsewhere = found.filter((thing) => thing !== gone && thing.stands !== thing.room);
    expect(codesOf(await all('misplaced'))).toEqual(codes(elsewhere));
    expect(await figures()).toMatchObject({
      scanned: expected.length,
      total: things.filter(isExpected).length,
    });
  }

  it('is walked by twenty people with lost networks and wrong clocks, who send things again', async () => {
    for (let n = 0; n < PHONES; n++) {
      const user = await t.asNewUser(`phone${n}`, 'operator');
      users.push(user);
      phones.push(new Phone(new Client(proxy.url, user.token), session, CLOCKS[n % CLOCKS.length]!, chance));
    }
    for (const [n, thing] of standing().entries()) {
      const more = {
        location_id: place.get(thing.stands!)!,
        ...(n % 9 === 0 && { condition: 'damaged', note: `Rayé n° ${n}` }),
      };
      const label = labelOf(thing);
      phones[n % PHONES]!.read(n % 4 === 0 ? `https://recense.example/p/${label}` : label, more);
      // Somebody else reads it too.
      if (n % PHONES < ON_TIME && n % 7 === 0) phones[(n + 5) % ON_TIME]!.read(label.toLowerCase(), more);
    }
    for (const [n, code] of strangers.entries())
      for (let times = 0; times <= n; times++) phones[(n + times) % 10]!.read(code, { note: `Inconnu ${n}` });
    // A label that lies on a table: its thing is gone.
    gone = things.find((thing) => isExpected(thing) && thing.stands === null)!;
    misread = phones[0]!.read(gone.code);
    await Promise.all(phones.slice(0, ON_TIME).map((phone) => phone.send()));

    await expectFound([...inTime().filter(({ label }) => !label), gone]);
    const unknown = await all('unknown-codes?status=open');
    const labels = inTime().flatMap(({ label }) => label ?? []);
    expect(unknown.map(({ cleaned }) => cleaned.toUpperCase()).sort()).toEqual(
      [...labels, ...strangers].sort(),
    );
    for (const [n, cleaned] of strangers.entries())
      expect(unknown.find((row) => row.cleaned === cleaned)).toMatchObject({
        times: n + 1,
        notes: Array(n + 1).fill(`Inconnu ${n}`),
      });
  });

  async function resolveUnknown(): Promise<void> {
    for (const { id, cleaned } of await all('unknown-codes?status=open')) {
      const thing = things.find(({ label }) => label === cleaned.toUpperCase());
      const answer = thing
        ? await manager.post(path(`/unknown-codes/${id}/link`), { purchase_id: purchase.get(thing.code) })
        : await manager.post(path(`/unknown-codes/${id}/dismiss`), { reason: 'Étiquette d’un fournisseur' });
      expect(answer.status).toBe(200);
    }
  }

  it('says what the unknown codes are', async () => {
    await resolveUnknown();
    await expectFound([...inTime(), gone]);
    expect(await all('unknown-codes?status=open')).toEqual([]);
    expect((await all('unknown-codes?status=dismissed')).map(({ code }) => code).sort()).toEqual(strangers);
  });

  it('moves some of what stands in the wrong room, and takes a mis-scan back', async () => {
    for (const [n, { purchase: found }] of (await all('misplaced')).entries()) {
      const thing = things.find(({ code }) => code === found.code)!;
      const what = n % 2 ? 'ignore' : 'move';
      if (what === 'move') thing.moved = thing.stands!;
      expect((await manager.post(path(`/misplaced/${found.id}/${what}`))).status).toBe(200);
    }
    const { scan_id } = phones[0]!.answers.get(misread.client_id)!;
    expect((await users[0]!.delete(path(`/scans/${scan_id}`))).status).toBe(200);
    await expectFound(inTime());
    await phones[0]!.send();
    expect(phones[0]!.answers.get(misread.client_id)).toMatchObject({ reason: 'undone' });
    await expectFound(inTime());
  });

  it('is closed while three phones are late: those with a clock that may be right are kept', async () => {
    expect((await manager.post(path('/close'))).status).toBe(200);
    await Promise.all(phones.slice(ON_TIME).map((phone) => phone.send()));
    const reasons = phones
      .slice(ON_TIME)
      .map(({ answers }) => [...new Set([...answers.values()].map(({ reason }) => reason))]);
    // An hour fast: by its clock it read after the closing.
    expect(reasons).toEqual([['late'], ['session-closed'], ['late']]);
    await expectFound(inTime());
    const late = await all('late-scans?status=waiting');
    expect(late.map(({ client_id }) => client_id).sort()).toEqual(
      [...phones[ON_TIME]!.reads, ...phones[PHONES - 1]!.reads].map(({ client_id }) => client_id).sort(),
    );
  });

  let refused: string;

  it('is opened again for them; one is refused, and it is closed for good', async () => {
    expect((await manager.post(path('/reopen'), { reason: 'Trois téléphones en retard' })).status).toBe(200);
    const waiting = await all('late-scans?status=waiting');
    refused = waiting.find(({ purchase: known }) => known).code;
    for (const { id, code } of waiting)
      expect(
        (await manager.post(path(`/late-scans/${id}/${code === refused ? 'refuse' : 'accept'}`))).status,
      ).toBe(200);
    await Promise.all(phones.slice(ON_TIME).map((phone) => phone.send()));
    await resolveUnknown();
    const isRefused = (thing: Thing) => refused.endsWith(labelOf(thing));
    await expectFound(standing().filter((thing) => !isRefused(thing)));
    const scans = await all('scans');
    for (const phone of [phones[ON_TIME]!, phones[PHONES - 1]!])
      for (const { client_id, scanned_at } of phone.reads) {
        const scan = scans.find((row) => row.client_id === client_id);
        if (scan) expect(scan.scanned_at).toBe(scanned_at);
      }
    const closed = await manager.post(path('/close'));
    expect(closed.body).toMatchObject({
      status: 'closed',
      reopened: [{ by: { id: manager.userId }, reason: 'Trois téléphones en retard' }],
    });
  });

  /** On the day of the inventory, as the accountant's table has it, in cents. */
  const nets = new Map<string, number>();
  const cents = (price: number) => Math.round(price * 100);
  const sums = (of: Thing[]) => ({
    count: of.length,
    gross: of.reduce((sum, { price }) => sum + cents(price), 0) / 100,
    net: of.reduce((sum, { code }) => sum + nets.get(code)!, 0) / 100,
  });
  const isFound = (thing: Thing) =>
    thing.stands !== null && !thing.stands.startsWith('C') && !refused.endsWith(labelOf(thing));
  const expected = () => things.filter(isExpected);
  const missing = () => expected().filter((thing) => !isFound(thing));
  const unexpected = () => things.filter((thing) => !isExpected(thing) && isFound(thing));
  const download = (format: string) =>
    fetch(`${t.url}/api/v1${path(`/report?format=${format}`)}`, {
      headers: { authorization: `Bearer ${manager.token}` },
    });

  it('is told by a report, which stays as it is whatever happens later', async () => {
    const table = parse((await manager.get('/amortization?on=2026-11-16&format=csv')).text, {
      bom: true,
      columns: true,
    });
    for (const row of table as Record<string, string>[]) nets.set(row.code!, cents(Number(row.net)));
    const before = (await manager.get(path('/report'))).body;
    expect(before.figures).toEqual({
      expected: sums(expected()),
      scanned: sums(expected().filter(isFound)),
      missing: sums(missing()),
      unexpected: sums(unexpected()),
      misplaced: sums(things.filter((thing) => isFound(thing) && thing.stands !== thing.room)),
      unknown: {
        count: strangers.length + things.filter((thing) => thing.label && isFound(thing)).length,
        open: 0,
      },
      late: { count: phones[ON_TIME]!.reads.length + phones[PHONES - 1]!.reads.length, open: 0 },
    });
    expect(before.comparison).toBeNull();
    const csv = await (await download('csv')).text();

    await manager.patch(`/articles/${(await manager.get('/articles?per_page=1')).body.data[0].id}`, {
      name: 'Autre',
    });
    await manager.patch(`/locations/${place.get('A')}`, { name: 'Ancien site A' });
    await manager.patch(`/purchases/${purchase.get(things[0]!.code)}`, {
      purchase_price: 1,
      location_id: place.get('C1'),
    });
    expect(await (await download('csv')).text()).toBe(csv);
    const { session: _, ...after } = (await manager.get(path('/report'))).body;
    expect(after).toEqual({ ...before, session: undefined });
  });

  /** A line as the report has it, from what the test knows. */
  const lineOf = (thing: Thing) => ({
    code: thing.code,
    article: `${thing.category} X`,
    category: thing.category,
    expected_location: pathOf(thing.room),
    found_location: isFound(thing) ? pathOf(thing.stands!) : '',
    state: !isFound(thing) ? 'missing' : isExpected(thing) ? 'scanned' : 'unexpected',
    purchase_price: thing.price,
    net_book_value: nets.get(thing.code)! / 100,
  });
  const pathOf = (room: string) => `Site ${room[0]} / Salle ${room}`;
  const byCode = <Row extends { code: string }>(rows: Row[]) =>
    rows.sort((a, b) => (a.code < b.code ? -1 : 1));
  const lines = () => byCode([...expected(), ...unexpected()].map(lineOf));

  it('has it line by line as CSV', async () => {
    const answer = await download('csv');
    const rows: Record<string, string>[] = parse(await answer.text(), { bom: true, columns: true });
    const told = rows.map((row) => ({
      ...Object.fromEntries(Object.keys(lines()[0]!).map((field) => [field, row[field]])),
      code: row.code!,
      purchase_price: Number(row.purchase_price),
      net_book_value: Number(row.net_book_value),
    }));
    expect(byCode(told)).toEqual(lines());
    const damaged = standing().filter((thing, n) => n % 9 === 0 && isFound(thing) && !thing.label);
    for (const { code } of damaged)
      expect(rows.find((row) => row.code === code)).toMatchObject({ condition: 'damaged' });
  });

  it('has it as a workbook, sheet by sheet', async () => {
    const sheets = await readWorkbook(Buffer.from(await (await download('xlsx')).arrayBuffer()));
    const codes = (n: number) =>
      sheets[n]!.data.slice(1)
        .map((row) => String(row[0]))
        .sort();
    const of = (all: Thing[]) => all.map(({ code }) => code).sort();
    expect(sheets).toHaveLength(6);
    expect(codes(1)).toEqual(of(missing()));
    expect(codes(2)).toEqual(of(things.filter((thing) => isFound(thing) && thing.stands !== thing.room)));
    expect(codes(3)).toEqual(of(unexpected()));
    expect(codes(5)).toEqual(lines().map(({ code }) => code));
  });

  it('has it as pages to be signed, with everything that is missing', async () => {
    const bytes = new Uint8Array(await (await download('pdf')).arrayBuffer());
    const { text } = await extractText(await getDocumentProxy(bytes), { mergePages: true });
    for (const { code } of missing()) expect(text).toContain(code);
    expect(text).toContain('Sites A et B');
    expect(text).toContain(String(expected().length));
  });

  it('is followed by that of the next year, which says what has changed since', async () => {
    const [lost, alsoLost] = expected().filter((thing) => isFound(thing) && thing !== things[0]);
    const back = missing()
      .filter(({ stands }) => stands === null)
      .slice(0, 2);
    const sold = [missing().find((thing) => !back.includes(thing))!, expected().filter(isFound).at(-1)!];
    for (const { code } of sold) await manager.delete(`/purchases/${purchase.get(code)}`);
    const article_id = (await manager.get('/articles?per_page=1')).body.data[0].id;
    const bought: Thing[] = [];
    for (let n = 0; n < 4; n++) {
      const body = {
        article_id,
        purchase_date: '2027-02-01',
        purchase_price: 10 + n,
        location_id: place.get('A1'),
      };
      const { code } = (await manager.post('/purchases', body)).body;
      bought.push({ code, room: 'A1', stands: n < 2 ? 'A1' : null, price: 10 + n, category: '' });
    }
    const before = session;
    const fields = {
      year: 2027,
      inventory_date: '2027-11-15',
      location_ids: [place.get('A'), place.get('B')],
    };
    session = (await manager.post('/inventories', fields)).body.id;
    const wasFound = (thing: Thing) =>
      isFound(thing) && thing !== lost && thing !== alsoLost && thing !== things[0];
    const found = [...expected().filter(wasFound), ...back, ...bought.slice(0, 2)].filter(
      (thing) => !sold.includes(thing),
    );
    const scans = found.map(({ code }) => ({ code, client_id: randomUUID() }));
    expect((await manager.post(path('/scans'), { scans })).body.summary.error).toBe(0);
    await manager.post(path('/close'));
    const { comparison } = (await manager.get(path('/report'))).body;
    const belongs = ({ moved, room }: Thing) => !(moved ?? room).startsWith('C');
    const nowExpected = [...things.filter((thing) => belongs(thing) && thing !== things[0]), ...bought];
    const nowMissing = nowExpected.filter((thing) => !found.includes(thing) && !sold.includes(thing));
    const again = nowMissing.filter((thing) => missing().includes(thing));
    const of = (all: Thing[]) => ({
      count: all.length,
      gross: all.reduce((sum, { price }) => sum + cents(price), 0) / 100,
    });
    expect(comparison).toMatchObject({
      session: { id: before },
      reappeared: of(back),
      missing_again: of(again),
      newly_missing: of(nowMissing.filter((thing) => !again.includes(thing))),
      bought: of(bought),
    });
    // The first thing was moved to the third site meanwhile, which is no disposal.
    expect(comparison.disposed.count).toBe(sold.length);
  });
});
