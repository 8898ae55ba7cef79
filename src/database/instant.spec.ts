import fc from 'fast-check';
import pg from 'pg';
import { instantOf } from './instant.js';

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** As PostgreSQL writes it, in UTC. */
const written = (at: Date): string =>
  at
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '+00');

describe('instants that PostgreSQL sends', () => {
  it.each([
    ['2026-09-14 06:41:07+00', '2026-09-14T06:41:07.000Z'],
    ['2026-09-14 06:41:00.2+00', '2026-09-14T06:41:00.200Z'],
    ['2026-09-14 06:41:07.204+00', '2026-09-14T06:41:07.204Z'],
    ['2026-09-14 08:41:07.2+02', '2026-09-14T06:41:07.200Z'],
    ['2026-09-14 12:11:07.204+05:30', '2026-09-14T06:41:07.204Z'],
    ['2026-09-14 06:41:07.204719+00', '2026-09-14T06:41:07.204Z'],
    ['10000-01-01 00:00:00+00', '+010000-01-01T00:00:00.000Z'],
    ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ])('%s is answered as %s', (text, answered) => {
    const at = instantOf(text);
    expect(at).toBeInstanceOf(Date);
    expect(JSON.stringify({ at })).toBe(`{"at":"${answered}"}`);
    expect(at.toISOString()).toBe(answered);
  });

  it('are those that pg reads, in the form that JSON has of them', () => {
    const min = new Date('0001-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59.999Z');
    fc.assert(
      fc.property(fc.date({ min, max, noInvalidDate: true }), (at) => {
        const read = instantOf(written(at));
        expect(read.getTime()).toBe(at.getTime());
        expect(read.getTime()).toBe(parse(written(at)).getTime());
        expect(read.toJSON()).toBe(at.toISOString());
      }),
    );
  });

  it('are read without an end as pg does', () => {
    expect(instantOf('infinity')).toBe(Infinity);
    expect(instantOf('-infinity')).toBe(-Infinity);
  });
});
