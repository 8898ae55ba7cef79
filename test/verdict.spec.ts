// By a path that is no literal: the pages have types of their own, see web/tsconfig.json.
const path = '../web/src/scanning/verdict.js';
const { judge, verdictOf } = (await import(path)) as {
  judge: (circumstances: object) => object;
  verdictOf: (result: object, isMoved?: boolean) => object;
};

/** The site 1 has the offices 2 and 3. */
const parents: Record<number, number | null> = { 1: null, 2: 1, 3: 1 };
const contains = (outer: number, inner: number | null): boolean =>
  inner !== null && (inner === outer || contains(outer, parents[inner]!));
const places = {
  get: (id: number) => ({ id, path: `Place ${id}` }),
  areRelated: (one: number, other: number) => contains(one, other) || contains(other, one),
};

const chair = {
  session_id: 1,
  id: 7,
  code: 'INV0000014',
  aliases: [],
  article: { id: 1, name: 'Fauteuil' },
  category: null,
  location_id: 2,
  expected: true,
  scanned_at: null,
};
const judged = (thing: object | undefined, placeId: number | null = null, more: object = {}) =>
  judge({ code: 'x', thing: thing && { ...chair, ...thing }, placeId, places, isOpen: true, ...more });

describe('What a phone says by itself', () => {
  it.each([
    ['recorded', 'good', {}, null],
    ['recorded', 'good', {}, 2],
    ['recorded', 'good', {}, 1], // the site has the office
    ['recorded', 'good', { location_id: 1 }, 3],
    ['recorded', 'good', { location_id: null }, 3],
    ['misplaced', 'attention', {}, 3],
    ['already-scanned', 'attention', { scanned_at: '2026-11-16T08:00:00.000Z' }, null],
    ['out-of-scope', 'attention', { expected: false }, 3],
    ['disposed', 'attention', { expected: false, disposed_on: '2026-03-01' }, null],
    ['unknown-code', 'bad', undefined, null],
  ] as const)('is %s (%s) of %j at %j', (reason, tone, thing, placeId) => {
    expect(judged(thing, placeId)).toMatchObject({ reason, tone });
  });

  it('tells where a thing belongs, that it was moved, and that nothing is taken any more', () => {
    expect(judged({}, 3)).toMatchObject({ expectedId: 2, expected: 'Place 2' });
    expect(judged({}, 3, { isMoved: true })).toMatchObject({ reason: 'moved', tone: 'good' });
    expect(judged({}, 3, { isOpen: false })).toMatchObject({ reason: 'session-closed', tone: 'bad' });
  });

  it('gives way to what the service says', () => {
    const result = {
      status: 'success',
      reason: 'recorded',
      message: 'Article added',
      code: chair.code,
      purchase: chair,
      scan_id: 1,
      scanned_at: '',
      misplaced: true,
      expected_location: { id: 2, name: 'B', path: 'A / B' },
    };
    expect(verdictOf(result)).toMatchObject({ reason: 'misplaced', tone: 'attention', expected: 'A / B' });
    expect(verdictOf({ ...result, reason: 'already-scanned', status: 'warning' }, true)).toMatchObject({
      reason: 'moved',
      tone: 'good',
    });
    expect(verdictOf({ ...result, reason: 'brand-new', status: 'error' })).toMatchObject({
      tone: 'bad',
      message: 'Article added',
    });
  });
});
