import { demoOrganisation } from './organisation.js';

describe('demoOrganisation', () => {
  const demo = demoOrganisation();
  const { articles, purchases, sessions, suppliers, locations, tiers, equipment, users } = demo;
  const referenceDay = '2026-10-15';

  const names = (rows: { name: string }[]) => rows.map(({ name }) => name);
  const present = <T>(values: (T | null)[]) => values.filter((value) => value !== null);
  const expectDistinct = (values: string[]) =>
    expect(new Set(values.map((value) => value.toLowerCase())).size).toBe(values.length);
  const expectIndexes = (values: (number | null)[], rows: unknown[]) =>
    expect(
      present(values).filter((value) => !(Number.isInteger(value) && value >= 0 && value < rows.length)),
    ).toEqual([]);
  const expectBounded = (values: (string | null)[], longest: number) =>
    expect(
      present(values).filter((value) => value.trim() !== value || !value || value.length > longest),
    ).toEqual([]);

  it('has the announced size', () => {
    expect(Object.entries(demo).map(([key, rows]) => [key, rows.length])).toEqual([
      ['name', 18],
      ['brands', 40],
      ['categories', 25],
      ['amortizationCategories', 12],
      ['suppliers', 60],
      ['locations', 145],
      ['articles', 300],
      ['purchases', 2500],
      ['users', 6],
      ['sessions', 3],
      ['tiers', 80],
      ['equipment', 120],
    ]);
    expect(present(purchases.map(({ code }) => code))).toHaveLength(60);
  });

  it('is always the same', () => {
    expect(demoOrganisation()).toEqual(demo);
  });

  it('never repeats a name, a reference, a code or a serial number', () => {
    expectDistinct(names(demo.brands));
    expectDistinct(names(demo.categories));
    expectDistinct(names(demo.amortizationCategories));
    expectDistinct(names(suppliers));
    expectDistinct(names(articles));
    expectDistinct(names(tiers));
    expectDistinct(users.map(({ login }) => login));
    expectDistinct(users.map(({ email }) => email));
    expectDistinct(present(suppliers.map(({ reference }) => reference)));
    expectDistinct(present(articles.map(({ reference }) => reference)));
    expectDistinct(equipment.map(({ reference }) => reference));
    expectDistinct(tiers.map(({ reference }) => reference));
    expectDistinct(present(purchases.map(({ code }) => code)));
    expectDistinct(present(locations.map(({ code }) => code)));
    expectDistinct(present(purchases.map(({ serialNumber }) => serialNumber)));
  });

  it('points at rows that exist', () => {
    expectIndexes(
      articles.map(({ brand }) => brand),
      demo.brands,
    );
    expectIndexes(
      articles.map(({ category }) => category),
      demo.categories,
    );
    expectIndexes(
      articles.map(({ amortizationCategory }) => amortizationCategory),
      demo.amortizationCategories,
    );
    expectIndexes(
      purchases.map(({ article }) => article),
      articles,
    );
    expectIndexes(
      purchases.map(({ supplier }) => supplier),
      suppliers,
    );
    expectIndexes(
      purchases.map(({ location }) => location),
      locations,
    );
    expect(locations.filter(({ parent }, at) => parent !== null && parent >= at)).toEqual([]);
    expectIndexes(
      equipment.map(({ tier }) => tier),
      tiers,
    );
    for (const { openedBy, closedBy, scans } of sessions) {
      expectIndexes([openedBy, closedBy, ...scans.map(({ user }) => user)], users);
      expectIndexes(
        scans.map(({ purchase }) => purchase),
        purchases,
      );
    }
  });

  it('amortizes over 3, 5, 8 and 10 years, with the coefficient of a declining method only', () => {
    const durations = demo.amortizationCategories.map(({ durationYears }) => durationYears);
    expect([...new Set(durations)].sort((a, b) => a - b)).toEqual([3, 5, 8, 10]);
    for (const { method, durationYears, coefficient } of demo.amortizationCategories) {
      const declining = durationYears < 5 ? 1.25 : durationYears < 7 ? 1.75 : 2.25;
      expect(coefficient).toBe(method === 'declining' ? declining : null);
    }
  });

  it('keeps purchases in order of date, within eight years', () => {
    const dates = purchases.map(({ purchaseDate }) => purchaseDate);
    expect(dates).toEqual([...dates].sort());
    expect(dates[0]!.slice(0, 7)).toBe('2019-01');
    expect(dates.at(-1)!.slice(0, 7)).toBe('2026-10');
    expect(dates.at(-1)! < referenceDay).toBe(true);
  });

  it('writes real days, service and warranty after the purchase', () => {
    const days = purchases.flatMap((row) => [row.purchaseDate, row.inServiceDate, row.warrantyEndDate]);
    const all = present([...days, ...equipment.map((row) => row.commissionedOn)]);
    expect(all.filter((day) => new Date(day).toISOString().slice(0, 10) !== day)).toEqual([]);
    expect(
      purchases.filter(
        ({ purchaseDate, inServiceDate, warrantyEndDate }) =>
          (inServiceDate ?? purchaseDate) < purchaseDate ||
          (inServiceDate ?? purchaseDate) > referenceDay ||
          (warrantyEndDate ?? purchaseDate) < purchaseDate,
      ),
    ).toEqual([]);
    expect(equipment.filter(({ commissionedOn }) => commissionedOn > referenceDay)).toEqual([]);
  });

  it('scans each purchase at most once a session, while it is open and after the purchase', () => {
    for (const { openedAt, closedAt, inventoryDate, scans } of sessions) {
      const instants = scans.map(({ scannedAt }) => scannedAt);
      expect(instants).toEqual([...instants].sort());
      expect(instants[0]! > openedAt && instants.at(-1)! < (closedAt ?? referenceDay)).toBe(true);
      expect(new Set(scans.map(({ purchase }) => purchase)).size).toBe(scans.length);
      expect(scans.filter(({ purchase }) => purchases[purchase]!.purchaseDate > inventoryDate)).toEqual([]);
      expect(scans.filter(({ user }) => users[user]!.role === 'viewer')).toEqual([]);
    }
  });

  it('lets one person scan one thing at a time, in working hours', () => {
    for (const { scans } of sessions) {
      users.forEach((_, user) => {
        const instants = scans
          .filter((scan) => scan.user === user)
          .map(({ scannedAt }) => Date.parse(scannedAt));
        expect(
          instants.filter((instant, index) => index > 0 && instant - instants[index - 1]! < 5_000),
        ).toEqual([]);
      });
      // Paris is two hours ahead in September and October.
      expect(scans.filter(({ scannedAt }) => !/T(0[6-9]|1[0-4]):/.test(scannedAt))).toEqual([]);
    }
  });

  it('has two nearly complete closed sessions and an open one two thirds done', () => {
    const share = ({ inventoryDate, scans }: (typeof sessions)[number], from = inventoryDate) =>
      scans.length / purchases.filter(({ purchaseDate }) => purchaseDate <= from).length;
    expect(sessions.map(({ year, closedAt }) => [year, closedAt !== null])).toEqual([
      [2024, true],
      [2025, true],
      [2026, false],
    ]);
    const shares = sessions.map((session) => share(session));
    expect(shares[0]).toBeCloseTo(0.97, 2);
    expect(shares[1]).toBeCloseTo(0.96, 2);
    for (const done of [shares[2], share(sessions[2]!, referenceDay)]) {
      expect(done).toBeGreaterThan(0.65);
      expect(done).toBeLessThan(0.68);
    }
  });

  it('fits the columns', () => {
    expectBounded(names([...demo.brands, ...demo.categories, ...demo.amortizationCategories]), 255);
    expectBounded(names([...suppliers, ...articles, ...users, ...tiers, ...equipment]), 255);
    expectBounded(
      articles.map(({ reference }) => reference),
      100,
    );
    expectBounded(
      purchases.map(({ code }) => code),
      64,
    );
    expectBounded(
      purchases.flatMap(({ serialNumber, notes }) => [serialNumber, notes]),
      255,
    );
    expect(Math.max(...names(articles).map((name) => name.length))).toBeGreaterThan(230);
  });

  it('counts money in cents', () => {
    const prices = present(purchases.map(({ purchasePrice }) => purchasePrice));
    expect(prices.filter((price) => !(price > 0 && Number(price.toFixed(2)) === price))).toEqual([]);
    expect(prices.length).toBeLessThan(purchases.length);
  });
});
