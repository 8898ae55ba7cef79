import fc from 'fast-check';
import { FiscalYears, dayOf, portion, startOf, textOf } from './amortization.js';
import type { Asset } from './amortization.js';

const calendar = new FiscalYears('01-01');
const linear = (base: number, years: number, inService: string, disposed?: string): Asset => ({
  base,
  purchased: dayOf(inService),
  inService: dayOf(inService),
  terms: { method: 'linear', years, coefficient: 100 },
  ...(disposed && { disposed: dayOf(disposed) }),
});
const declining = (base: number, years: number, coefficient: number, purchased: string): Asset => ({
  base,
  purchased: dayOf(purchased),
  inService: dayOf(purchased),
  terms: { method: 'declining', years, coefficient },
});
const annuities = (asset: Asset, years = calendar) => years.schedule(asset).map(({ annuity }) => annuity);
const nets = (asset: Asset, years: FiscalYears, days: string[]) =>
  days.map((day) => years.netOn(asset, dayOf(day)));

describe('The worked examples', () => {
  it('linear, five years from April', () => {
    const asset = linear(10_000_00, 5, '2026-04-01');
    const rows = calendar.schedule(asset);
    expect(rows.map(({ annuity }) => annuity)).toEqual([
      1_500_00, 2_000_00, 2_000_00, 2_000_00, 2_000_00, 500_00,
    ]);
    expect(rows[0]).toEqual({
      fiscalYear: '2026', from: 20260401, to: 20261231,
      opening: 10_000_00, annuity: 1_500_00, accumulated: 1_500_00, closing: 8_500_00,
    }); // prettier-ignore
    expect(rows.at(-1)).toMatchObject({ from: 20310101, to: 20310331, accumulated: 10_000_00, closing: 0 });
  });

  it('linear, fiscal years from August, sold in the fourth', () => {
    const august = new FiscalYears('08-01');
    const asset = linear(13_000_00, 5, '2022-03-10', '2025-02-23');
    const rows = august.schedule(asset);
    expect(rows.map(({ annuity }) => annuity)).toEqual([1_018_33, 2_600_00, 2_600_00, 1_466_11]);
    expect(rows.map(({ fiscalYear }) => fiscalYear)).toEqual([
      '2021-2022', '2022-2023', '2023-2024', '2024-2025',
    ]); // prettier-ignore
    expect(rows.at(-1)).toMatchObject({ from: 20240801, to: 20250223 });
    // Before it was sold its value on that day was the same, and afterwards it stays.
    expect(nets(linear(13_000_00, 5, '2022-03-10'), august, ['2025-02-23'])).toEqual([rows.at(-1)!.closing]);
    expect(nets(asset, august, ['2025-02-23', '2026-01-01', '2199-01-01'])).toEqual(
      Array(3).fill(rows.at(-1)!.closing),
    );
  });

  it('declining, five years from April', () => {
    const rows = calendar.schedule(declining(10_000_00, 5, 175, '2026-04-17'));
    expect(rows.map(({ annuity }) => annuity)).toEqual([2_625_00, 2_581_25, 1_677_81, 1_557_97, 1_557_97]);
    expect(rows[0]).toMatchObject({ fiscalYear: '2026', from: 20260401, to: 20261231 });
    expect(rows.at(-1)).toMatchObject({ fiscalYear: '2030', from: 20300101, to: 20301231, closing: 0 });
  });
});

describe('The value on a day', () => {
  it('linear, counts days of 30E/360, both ends included', () => {
    const asset = linear(3_600_00, 1, '2026-01-01'); // ten a day
    const on = (...days: string[]) => nets(asset, calendar, days).map((net) => 360 - net / 10_00);
    expect(on('2025-12-31', '2026-01-01', '2026-01-30', '2026-01-31')).toEqual([0, 1, 30, 30]);
    expect(on('2026-02-01', '2026-02-28', '2026-03-01', '2026-12-30')).toEqual([31, 58, 61, 360]);
    expect(on('2026-12-31', '2027-01-01', '2199-12-31')).toEqual([360, 360, 360]);
  });

  it('declining, counts the months that have ended', () => {
    const asset = declining(12_000_00, 5, 175, '2026-04-20'); // 350 a month in the first year
    const months = (...days: string[]) =>
      nets(asset, calendar, days).map((net) => (12_000_00 - net) / 350_00);
    expect(months('2026-03-31', '2026-04-01', '2026-04-29', '2026-04-30')).toEqual([0, 0, 0, 1]);
    expect(months('2026-05-30', '2026-05-31', '2026-06-15', '2026-12-31')).toEqual([1, 2, 2, 9]);
  });

  it('of what is in service later than bought, falls from then on; declining does not wait', () => {
    const asset = { ...linear(1_000_00, 5, '2026-07-01'), purchased: dayOf('2026-01-15') };
    expect(nets(asset, calendar, ['2026-06-30', '2026-12-31'])).toEqual([1_000_00, 900_00]);
    expect(startOf(asset)).toBe(20260701);
    const late = { ...declining(1_000_00, 5, 175, '2026-01-15'), inService: dayOf('2026-07-01') };
    expect(nets(late, calendar, ['2026-12-31'])).toEqual([650_00]);
    expect(startOf(late)).toBe(20260101);
  });
});

describe('At the edges of the calendar', () => {
  it('a year that begins in March ends with a whole February', () => {
    const march = new FiscalYears('03-01');
    for (const year of [2023, 2024, 2025]) {
      expect(annuities(linear(5_000_00, 5, `${year}-03-01`), march)).toEqual(Array(5).fill(1_000_00));
      expect(march.schedule(linear(5_000_00, 5, `${year}-03-01`)).at(-1)!.to).toBe(
        year === 2023 ? 20280229 : (year + 5) * 10_000 + 228,
      );
    }
    expect(annuities(linear(3_600_00, 1, '2024-02-29'), march)).toEqual([20_00, 3_580_00]);
  });

  it('begins on 29 February and on a 31st', () => {
    expect(annuities(linear(3_600_00, 1, '2024-02-29'))).toEqual([3_020_00, 580_00]);
    expect(calendar.schedule(linear(3_600_00, 1, '2024-02-29')).at(-1)!.to).toBe(20250228);
    expect(annuities(linear(3_600_00, 1, '2024-01-31'))).toEqual([3_310_00, 290_00]);
    expect(calendar.schedule(linear(3_600_00, 1, '2024-01-31')).at(-1)!.to).toBe(20250130);
    expect(annuities(linear(3_600_00, 1, '2024-12-31'))).toEqual([10_00, 3_590_00]);
  });

  it('fiscal years that begin within a month', () => {
    const british = new FiscalYears('04-06');
    expect(
      british.schedule(linear(3_600_00, 1, '2026-04-05')).map(({ annuity, to }) => [annuity, to]),
    ).toEqual([
      [10_00, 20260405],
      [3_590_00, 20270404],
    ]);
    // Bought within the month in which the year begins: that month is the first of the new year or the last of the old.
    expect(british.schedule(declining(1_200_00, 4, 125, '2026-04-10'))[0]).toMatchObject({
      from: 20260406, to: 20270405, annuity: 375_00,
    }); // prettier-ignore
    expect(british.schedule(declining(1_200_00, 4, 125, '2026-04-03'))[0]).toMatchObject({
      from: 20260401, to: 20260405, annuity: 31_25,
    }); // prettier-ignore
  });

  it('names fiscal years, and never a day after the year 9999', () => {
    expect(calendar.schedule(linear(1, 1, '0001-06-01')).map(({ fiscalYear }) => fiscalYear)).toEqual([
      '0001',
      '0002',
    ]);
    expect(textOf(calendar.schedule(linear(1, 100, '9999-06-01')).at(-1)!.to)).toBe('9999-12-31');
    expect(textOf(101)).toBe('0000-01-01');
    expect(new FiscalYears('12-31').schedule(linear(1, 1, '2026-12-31'))[0]!.fiscalYear).toBe('2026-2027');
  });
});

it('portion rounds a half up, exactly', () => {
  expect([portion(1, 1, 2), portion(3, 1, 2), portion(1, 1, 3), portion(2, 1, 3), portion(0, 5, 7)]).toEqual([
    1, 2, 0, 1, 0,
  ]);
  const amounts = fc.integer({ min: 0, max: 999_999_999_999 });
  const factors = fc.integer({ min: 1, max: 120_000 });
  fc.assert(
    fc.property(amounts, factors, factors, (amount, numerator, denominator) => {
      fc.pre(numerator <= 4 * denominator);
      const exact =
        (2n * BigInt(amount) * BigInt(numerator) + BigInt(denominator)) / (2n * BigInt(denominator));
      expect(portion(amount, numerator, denominator)).toBe(Number(exact));
    }),
  );
});

describe('Any schedule', () => {
  const day = fc
    .date({ min: new Date('1950-01-01'), max: new Date('2150-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const begin = day.map((text) => text.slice(5)).filter((text) => text !== '02-29');
  const base = fc.oneof(fc.nat(1000), fc.nat(10_000_000), fc.integer({ min: 0, max: 999_999_999_999 }));
  const asset = fc.record({
    base,
    purchased: day.map(dayOf),
    inService: day.map(dayOf),
    terms: fc.record({
      method: fc.constantFrom('linear' as const, 'declining' as const),
      years: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 100 })),
      coefficient: fc.oneof(fc.constantFrom(100, 125, 175, 225), fc.integer({ min: 1, max: 9999 })),
    }),
  });
  const years = begin.map((text) => new FiscalYears(text));

  it('adds up to the base exactly, each year going on from the one before, never below zero', () => {
    fc.assert(
      fc.property(asset, years, (one, fiscal) => {
        const rows = fiscal.schedule(one);
        let [left, before] = [one.base, 0];
        const wrong = rows.filter((row) => {
          const isRight =
            row.opening === left &&
            row.closing === row.opening - row.annuity &&
            row.accumulated === one.base - row.closing &&
            row.annuity >= 0 &&
            row.closing >= 0 &&
            row.from > before &&
            row.to >= row.from &&
            Number.isSafeInteger(row.annuity);
          [left, before] = [row.closing, row.to];
          return !isRight;
        });
        expect(wrong).toEqual([]);
        expect(left).toBe(0);
        expect(rows.reduce((sum, { annuity }) => sum + annuity, 0)).toBe(one.base);
      }),
      { numRuns: 200 },
    );
  });

  it('has as many annuities as years, and one more where a linear one begins inside a year', () => {
    fc.assert(
      fc.property(asset, years, (one, fiscal) => {
        const { method, years: duration } = one.terms;
        fc.pre(one.inService % 100 < 30 && fiscal.begin % 100 < 31); // a 31st is a 30th, so the two are alike here
        const isWhole = method === 'declining' || one.inService % 10_000 === fiscal.begin;
        expect(fiscal.schedule(one)).toHaveLength(isWhole ? duration : duration + 1);
      }),
    );
  });

  it('closes each year with the value on its last day', () => {
    fc.assert(
      fc.property(asset, years, (one, fiscal) => {
        const wrong = fiscal.schedule(one).filter(({ to, closing }) => fiscal.netOn(one, to) !== closing);
        expect(wrong).toEqual([]);
        expect(fiscal.netOn(one, startOf(one) - 1)).toBe(one.base);
      }),
    );
  });

  it('never gains value, and has on a day what is left when it is disposed of on that day', () => {
    fc.assert(
      fc.property(asset, years, fc.array(day, { minLength: 2, maxLength: 10 }), (one, fiscal, days) => {
        const values = days
          .map(dayOf)
          .sort((a, b) => a - b)
          .map((on) => {
            const net = fiscal.netOn(one, on);
            const sold = fiscal.schedule({ ...one, disposed: on });
            expect(sold.at(-1)?.closing ?? one.base).toBe(net);
            expect(fiscal.netOn({ ...one, disposed: on }, 9999_12_31)).toBe(net);
            expect(sold.filter(({ to }) => !(to <= on))).toEqual([]);
            return net;
          });
        values.slice(1).forEach((value, at) => expect(value).toBeLessThanOrEqual(values[at]!));
      }),
    );
  });

  it('linear, is on any day the part of the days until then, whatever the fiscal year', () => {
    fc.assert(
      fc.property(asset, years, years, day, (some, fiscal, other, on) => {
        const one = { ...some, terms: { ...some.terms, method: 'linear' as const } };
        // Each year that ends rounds once, and may count a day more or less where it ends within a February or on a 30th.
        const slack = 2 * one.terms.years + (6 * one.base) / (360 * one.terms.years);
        expect(Math.abs(fiscal.netOn(one, dayOf(on)) - other.netOn(one, dayOf(on)))).toBeLessThanOrEqual(
          slack,
        );
        const rows = fiscal.schedule(one);
        const row = rows.find(({ from, to }) => from <= dayOf(on) && dayOf(on) < to);
        if (!row || row === rows.at(-1)) return;
        const thirtieth = (text: string) => {
          const [year, month, date] = text.split('-').map(Number) as [number, number, number];
          return year * 360 + month * 30 + Math.min(date, 30);
        };
        const days = thirtieth(on) - thirtieth(textOf(row.from)) + 1;
        const part = portion(one.base, Math.min(days, 360), 360 * one.terms.years);
        expect(fiscal.netOn(one, dayOf(on))).toBe(row.opening - Math.min(part, row.annuity));
      }),
    );
  });

  it('declining, never falls behind the linear rest of its years once it has left its rate', () => {
    fc.assert(
      fc.property(asset, (some) => {
        const one = { ...some, terms: { ...some.terms, method: 'declining' as const } };
        const rows = calendar.schedule(one).slice(1);
        rows.forEach(({ opening, annuity }, at) => {
          const yearsLeft = one.terms.years - 1 - at;
          expect(annuity).toBeGreaterThanOrEqual(Math.min(opening, portion(opening, 1, yearsLeft)));
        });
      }),
    );
  });
});
