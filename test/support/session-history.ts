import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import type { TestApp } from './app.js';
import type { Answer, Client } from './client.js';
import { unique } from './factories.js';
import { PLACES, SessionModel } from './session-model.js';
import type { Message, Person, PlaceName, Told } from './session-model.js';
import { WRONG_SESSIONS } from './wrong-sessions.js';

type Row = Answer['body'];

const IDS = 8;
/** Labels of what is there from the start, and where; of what is bought later; codes that are on no label. */
const LABELS: [string, PlaceName | null][] = [['T0', 'a'], ['T1', 'b'], ['T2', 'site'], ['T3', 'far'], ['T4', null]]; // prettier-ignore
const LATER = ['T5', 'T6'];
const CODES = [...LABELS.map(([label]) => label), ...LATER, 'V0', 'V1', 'V2'];
const FORMS = [
  (code: string) => code,
  (code: string) => code.toLowerCase(),
  (code: string) => `]Q3https://labels.example/i/${code}\r\n`,
];
const LONG_AGO = Date.parse('2026-01-01T00:00:00Z');

const thing = fc.nat({ max: 6 });
const place = fc.constantFrom(...PLACES);
const message = fc.record({
  id: fc.nat({ max: IDS - 1 }),
  code: fc.nat({ max: CODES.length - 1 }),
  form: fc.nat({ max: FORMS.length - 1 }),
  place: fc.option(place),
  move: fc.boolean(),
  isEarly: fc.boolean(),
});
const of = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const step = fc.oneof(
  of(
    8,
    fc.record({
      send: fc.uniqueArray(message, { minLength: 1, maxLength: 8, selector: ({ id }) => id }),
      isLost: fc.boolean(),
    }),
  ),
  of(3, fc.record({ single: message, isNamed: fc.boolean() })),
  of(3, fc.record({ undo: thing })),
  of(3, fc.record({ link: fc.nat({ max: 9 }), to: thing })),
  of(1, fc.record({ dismiss: fc.nat({ max: 9 }) })),
  of(1, fc.record({ reopenCode: fc.nat({ max: 9 }) })),
  of(2, fc.record({ settle: thing, how: fc.constantFrom('moved' as const, 'ignored' as const) })),
  of(3, fc.constant({ close: true as const })),
  of(2, fc.constant({ reopen: true as const })),
  of(
    4,
    fc.record({
      decide: fc.nat({ max: 9 }),
      status: fc.constantFrom('accepted' as const, 'refused' as const),
    }),
  ),
  of(1, fc.record({ delete: thing })),
  of(1, fc.record({ relocate: thing, to: place })),
  of(1, fc.record({ buy: fc.nat({ max: 1 }), at: fc.option(place) })),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Sent = typeof message extends fc.Arbitrary<infer T> ? T : never;

export const history = fc.array(step, { minLength: 1, maxLength: 16 });

/** Where one history after another is played: places that no other lane has. */
export interface Lane {
  places: Record<PlaceName, number>;
  article: number;
}

/** Plays a history against the service and against the model, and compares all that each says. */
export class History {
  private readonly model = new SessionModel();
  private readonly prefix = unique('H').replace(' ', '-');
  private readonly ids = Array.from({ length: IDS }, () => randomUUID());
  private readonly purchases: number[] = [];
  private session = 0;
  private requests = 0;
  private devices = 0;

  /** Two instances of the service on one database. */
  constructor(
    private readonly apps: [TestApp, TestApp],
    private readonly people: Record<Person, { userId: number; clients: Client[] }>,
    private readonly lane: Lane,
  ) {}

  async play(steps: Step[]): Promise<void> {
    await this.begin();
    for (const one of steps) await this.take(one);
    await this.compare();
    if (!this.model.isClosed) await this.expectStatus(this.post('/close'), this.model.close());
    await this.compareFrozen();
  }

  private async begin(): Promise<void> {
    const { places, article } = this.lane;
    const { query } = this.apps[0].database;
    await query(
      `UPDATE purchases SET deleted_at = now() WHERE location_id = ANY ($1) AND deleted_at IS NULL`,
      [Object.values(places)],
    );
    const rows = await query<{ id: number }>(
      `INSERT INTO purchases (article_id, purchase_date, code, location_id)
       SELECT $1, '2026-01-15', code, place FROM unnest($2::text[], $3::integer[]) AS made (code, place) RETURNING id`,
      [
        article,
        LABELS.map(([label]) => this.codeOf(label)),
        LABELS.map(([, place]) => place && places[place]),
      ],
    );
    this.purchases.push(...rows.map(({ id }) => id).sort((a, b) => a - b));
    for (const [label, place] of LABELS) this.model.buy(this.codeOf(label), place);
    const { body } = await this.client('manager').post('/inventories', {
      year: 2026,
      inventory_date: '2026-11-16',
      location_ids: [places.site],
    });
    this.session = body.id;
  }

  private async take(one: Step): Promise<void> {
    const { model } = this;
    if ('send' in one) return this.send(one.send, one.isLost);
    if ('single' in one) return this.single(one.single, one.isNamed);
    if ('close' in one) {
      await this.expectStatus(this.post('/close'), model.close());
      return this.compareFrozen();
    }
    if ('reopen' in one)
      return this.expectStatus(this.post('/reopen', { reason: 'Trop tôt' }), model.reopen());
    if ('decide' in one) {
      if (model.late.length === 0) return;
      const at = one.decide % model.late.length;
      const { id } = (await this.list('late-scans'))[at];
      const answer = this.post(`/late-scans/${id}/${one.status === 'accepted' ? 'accept' : 'refuse'}`);
      return this.expectStatus(answer, model.decide(at, one.status));
    }
    if ('buy' in one) {
      const label = this.codeOf(LATER[one.buy]!);
      const answer = await this.client('manager').post('/purchases', {
        article_id: this.lane.article,
        purchase_date: '2026-01-15',
        code: label,
        location_id: one.at && this.lane.places[one.at],
      });
      expect(answer.status).toBe(model.buy(label, one.at));
      if (answer.status === 201) this.purchases.push(answer.body.id);
      return;
    }
    const code = [...model.unknown.keys()];
    if ('dismiss' in one || 'reopenCode' in one || 'link' in one) {
      if (code.length === 0) return;
      const n = 'link' in one ? one.link : 'dismiss' in one ? one.dismiss : one.reopenCode;
      return this.decideOn(code[n % code.length]!, one);
    }
    if ('delete' in one) return this.ofPurchase(one.delete, (n, id) =>
      this.expectStatus(this.client('manager').delete(`/purchases/${id}`), model.delete(n))); // prettier-ignore
    if ('relocate' in one) return this.ofPurchase(one.relocate, (n, id) =>
      this.expectStatus(
        this.client('manager').patch(`/purchases/${id}`, { location_id: this.lane.places[one.to] }),
        model.relocate(n, one.to),
      )); // prettier-ignore
    if ('settle' in one) return this.ofPurchase(one.settle, (n, id) =>
      this.expectStatus(
        this.post(`/misplaced/${id}/${one.how === 'moved' ? 'move' : 'ignore'}`),
        model.settle(n, one.how),
      )); // prettier-ignore
    return this.ofPurchase(one.undo, async (n, id) => {
      if (!model.things[n]!.scan) return;
      const lists = await Promise.all([this.list('scans'), this.list('unexpected')]);
      const row = lists.flat().find(({ purchase }) => purchase.id === id);
      const request = this.client('manager').delete(this.path(`/scans/${row.scan_id ?? row.id}`));
      await this.expectStatus(request, model.undo(n));
    });
  }

  private async decideOn(code: string, one: { link: number; to: number } | object): Promise<void> {
    const { id } = (await this.list('unknown-codes')).find(({ cleaned }) => cleaned.toUpperCase() === code);
    const to = 'to' in one ? one.to % this.model.things.length : 0;
    if ('to' in one)
      return this.expectStatus(
        this.post(`/unknown-codes/${id}/link`, { purchase_id: this.purchases[to] }),
        this.model.link(code, to),
      );
    if ('dismiss' in one)
      return this.expectStatus(
        this.post(`/unknown-codes/${id}/dismiss`, { reason: 'Autre société' }),
        this.model.dismiss(code),
      );
    return this.expectStatus(this.post(`/unknown-codes/${id}/reopen`), this.model.reopenCode(code));
  }

  /** A batch; where its answer is lost it comes again, backwards, to the other instance. */
  private async send(batch: Sent[], isLost: boolean): Promise<void> {
    const by = batch.some(({ place, move }) => place && move) ? 'manager' : 'phone';
    const items = batch.map((one) => this.itemOf(one, true));
    const told = items.map((item) => this.model.scan(item.message, by));
    const { status, body } = await this.post('/scans', { scans: items.map(({ sent }) => sent) }, by);
    expect(status).toBe(200);
    expect(body.results.map(this.toldOf)).toEqual(told);
    if (!isLost) return;
    const again = items.toReversed();
    const repeated = again.map((item) => this.model.scan(item.message, by));
    const { results } = (await this.post('/scans', { scans: again.map(({ sent }) => sent) }, by)).body;
    expect(results.map(this.toldOf)).toEqual(repeated);
  }

  private async single(one: Sent, isNamed: boolean): Promise<void> {
    const by = one.place && one.move ? 'manager' : 'phone';
    const { message, sent } = this.itemOf(one, isNamed);
    const { status, body } = await this.post('/scan', sent, by);
    expect(status).toBe(200);
    expect(this.toldOf(body)).toEqual(this.model.scan(message, by));
  }

  private itemOf({ id, code, form, place, move, isEarly }: Sent, isNamed: boolean) {
    const device = isEarly ? LONG_AGO + 1000 * ++this.devices : null;
    const text = this.codeOf(CODES[code]!);
    const message: Message = {
      id: isNamed ? id : null,
      code: text,
      place,
      move: move && place !== null,
      device,
    };
    const sent = {
      code: FORMS[form]!(text),
      ...(isNamed && { client_id: this.ids[id] }),
      ...(device && { scanned_at: new Date(device).toISOString() }),
      ...(place && { location_id: this.lane.places[place] }),
      ...(message.move && { move }),
    };
    return { message, sent };
  }

  private readonly toldOf = ({ reason, purchase, misplaced, expected_location }: Row): Told => ({
    reason,
    purchase: purchase && this.purchases.indexOf(purchase.id),
    ...(misplaced !== undefined && { misplaced, expected: this.placeOf(expected_location) }),
  });

  /** All that the session shows. */
  private async compare(): Promise<void> {
    const { model } = this;
    const names = ['scans', 'unscanned', 'unexpected', 'misplaced', 'unknown-codes', 'late-scans'];
    const [scans, unscanned, unexpected, misplaced, unknown, late] = await Promise.all(
      names.map((name) => this.list(name)),
    );
    const { progress } = (await this.client('manager').get(this.path(''))).body;
    const is = (which: (thing: (typeof model.things)[number]) => unknown) =>
      model.things.flatMap((thing, n) => (which(thing) ? [n] : []));
    const expected = is(({ isExpected }) => isExpected);
    const scanned = is(({ isExpected, scan }) => isExpected && scan);
    expect([progress.scanned, progress.total]).toEqual([scanned.length, expected.length]);
    const scanOf = (n: number) => {
      const { at, by, id, place, device } = model.things[n]!.scan!;
      return [n, at, this.people[by].userId, place, model.things[n]!.isExpected ? [id, device] : null];
    };
    const read = (row: Row, isExpected: boolean) => [
      this.numberOf(row),
      this.instantOf(row.scanned_at),
      row.scanned_by.id,
      this.placeOf(row.location),
      isExpected ? [this.idOf(row), this.instantOf(row.device_scanned_at)] : null,
    ];
    expect(inOrder(scans!.map((row) => read(row, true)))).toEqual(scanned.map(scanOf));
    expect(unscanned!.map(({ id }) => this.purchases.indexOf(id))).toEqual(
      expected.filter((n) => !scanned.includes(n)),
    );
    expect(inOrder(unexpected!.map((row) => read(row, false)))).toEqual(
      is(({ isExpected, scan }) => !isExpected && scan).map(scanOf),
    );
    expect(
      inOrder(
        misplaced!.map((row) => [
          this.numberOf(row),
          {
            expected: this.placeOf(row.expected),
            found: this.placeOf(row.found),
            resolution: row.resolved?.how ?? null,
          },
        ]),
      ),
    ).toEqual(is((thing) => thing.misplaced).map((n) => [n, model.things[n]!.misplaced]));
    expect(
      byName(
        unknown!.map((row) => [
          row.cleaned.toUpperCase(),
          row.times,
          row.status,
          row.resolution?.purchase ? this.numberOf(row.resolution) : null,
          this.instantOf(row.first_seen.at),
          row.first_seen.by.id,
        ]),
      ),
    ).toEqual(
      byName(
        [...model.unknown].map(([code, { times, status, purchase, first }]) => [
          code,
          times,
          status,
          purchase,
          first.at,
          this.people[first.by].userId,
        ]),
      ),
    );
    expect(
      late!.map((row) => [
        this.idOf(row),
        row.purchase && this.numberOf(row),
        row.status,
        this.instantOf(row.device_scanned_at),
      ]),
    ).toEqual(model.late.map(({ id, purchase, status, device }) => [id, purchase, status, device]));
    const { query } = this.apps[0].database;
    const places = await query<{ location_id: number | null }>(
      `SELECT location_id FROM purchases WHERE id = ANY ($1) ORDER BY id`,
      [this.purchases],
    );
    expect(places.map(({ location_id: id }) => id && this.placeOf({ id }))).toEqual(
      model.things.map((one) => one.place),
    );
    expect(await query(WRONG_SESSIONS)).toEqual([]);
  }

  private async compareFrozen(): Promise<void> {
    const rows = await this.apps[0].database.query<{
      purchase_id: number;
      state: string;
      is_misplaced: boolean;
    }>(
      `SELECT purchase_id, state, is_misplaced FROM inventory_frozen_lines WHERE inventory_id = $1 ORDER BY purchase_id`,
      [this.session],
    );
    expect(rows.map((row) => [this.purchases.indexOf(row.purchase_id), row.state, row.is_misplaced])).toEqual(
      this.model.frozen,
    );
  }

  private ofPurchase(n: number, work: (n: number, id: number) => Promise<void>): Promise<void> {
    const at = n % this.purchases.length;
    return work(at, this.purchases[at]!);
  }

  private async expectStatus(request: Promise<Answer>, status: number): Promise<void> {
    expect((await request).status).toBe(status);
  }

  private readonly codeOf = (name: string) => `${this.prefix}-${name}`;
  private readonly path = (rest: string) => `/inventories/${this.session}${rest}`;
  /** Each request goes to the other instance. */
  private readonly client = (who: Person): Client => this.people[who].clients[++this.requests % 2]!;
  private readonly post = (rest: string, body?: object, who: Person = 'manager') =>
    this.client(who).post(this.path(rest), body);
  private readonly list = async (name: string): Promise<Row[]> =>
    (await this.client('manager').get(this.path(`/${name}?per_page=200`))).body.data;
  private readonly numberOf = ({ purchase }: Row): number => this.purchases.indexOf(purchase.id);
  private readonly idOf = ({ client_id }: Row): number | null => client_id && this.ids.indexOf(client_id);
  private readonly placeOf = (row: Row): PlaceName | null =>
    row && PLACES.find((name) => this.lane.places[name] === row.id);
  /** Null for now. */
  private instantOf(text: string | null): number | null {
    const at = text === null ? null : Date.parse(text);
    return at !== null && at < LONG_AGO + 86_400_000 ? at : null;
  }
}

/** Those that one batch has brought are in no order. */
const byName = <T extends unknown[]>(rows: T[]): T[] =>
  rows.sort((a, b) => String(a[0]).localeCompare(String(b[0])));

/** By the numbers of their purchases. */
const inOrder = <T extends unknown[]>(rows: T[]): T[] => rows.sort((a, b) => Number(a[0]) - Number(b[0]));
