import { demoOrganisation } from './organisation.js';
import { isWithin } from './places.data.js';

interface Scope {
  locations: number[] | null;
  categories: number[] | null;
}

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
      ['sessions', 5],
      ['disposals', 12],
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
    expectDistinct(present(purchases.map(({ epc }) => epc)));
    expectDistinct(purchases.flatMap(({ gs1 }) => gs1));
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
    const scans = sessions.flatMap((session) => [...session.scans, ...session.unexpected]);
    users.forEach((_, user) => {
      const instants = scans
        .filter((scan) => scan.user === user)
        .map(({ scannedAt }) => Date.parse(scannedAt))
        .sort((a, b) => a - b);
      expect(
        instants.filter((instant, index) => index > 0 && instant - instants[index - 1]! < 5_000),
      ).toEqual([]);
    });
    // Paris is two hours ahead in September and October.
    expect(scans.filter(({ scannedAt }) => !/T(0[6-9]|1[0-4]):/.test(scannedAt))).toEqual([]);
  });

  it('finds most things where they belong, and says so of those that it finds elsewhere', () => {
    for (const { scans, unexpected, closedAt } of sessions.slice(1)) {
      for (const { purchase, location, expected, resolution } of [...scans, ...unexpected]) {
        const today = purchases[purchase]!.location;
        expect(location).not.toBe(expected);
        if (expected === null || resolution === 'moved') expect([today, null]).toContain(today && location);
        else expect(expected).toBe(today);
        if (!closedAt) expect(resolution).toBeNull();
      }
      expect(scans.filter(({ condition }) => condition === 'good').length).toBeGreaterThan(0);
    }
    const found = sessions[1]!.scans.map(({ expected, resolution }) =>
      [expected !== null, resolution].join(),
    );
    for (const kind of ['true,moved', 'true,ignored', 'true,', 'false,']) expect(found).toContain(kind);
    expect(sessions[2]!.scans.filter(({ expected }) => expected !== null).length).toBeGreaterThan(5);
  });

  it('keeps to the scope of a session, but for what it did not expect', () => {
    const isIn = ({ purchase }: { purchase: number }, { locations: roots, categories }: Scope) =>
      (!roots || isWithin(purchases[purchase]!.location, roots)) &&
      (!categories || categories.includes(articles[purchases[purchase]!.article]!.category!));
    for (const { scope, scans, unexpected, lateScans, inventoryDate } of sessions) {
      const late = lateScans.filter(({ purchase }) => purchase !== null) as { purchase: number }[];
      expect([...scans, ...late].filter((scan) => !isIn(scan, scope))).toEqual([]);
      expect(unexpected.filter((scan) => isIn(scan, scope))).toEqual([]);
      expect(new Set(unexpected.map(({ purchase }) => purchase)).size).toBe(unexpected.length);
      for (const { purchase } of unexpected)
        expect(purchases[purchase]!.purchaseDate <= inventoryDate).toBe(true);
    }
    expect(sessions.map(({ unexpected }) => unexpected.length > 0)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('has codes that nobody knows, of every status, and decides on them after they were read', () => {
    const codes = sessions.flatMap(({ unknownCodes }) => unknownCodes);
    expectDistinct(codes.map(({ code }) => code));
    const labels = present(purchases.map(({ code }) => code));
    for (const { scans, unknownCodes, closedAt } of sessions) {
      for (const { code, reads, purchase, reason, decidedAt } of unknownCodes) {
        expect(labels).not.toContain(code);
        expect(decidedAt !== null).toBe(purchase !== null || reason !== null);
        if (decidedAt)
          expect(reads.at(-1)!.at < decidedAt && decidedAt < (closedAt ?? referenceDay)).toBe(true);
        if (purchase === null) continue;
        expect(code).toBe(purchases[purchase]!.serialNumber);
        const { at: scannedAt, user, location } = reads[0]!;
        expect(scans).toContainEqual(
          expect.objectContaining({ purchase, scannedAt, user, location, decidedAt }),
        );
      }
    }
    for (const { unknownCodes } of sessions.slice(1, 3)) {
      const statuses = unknownCodes.map(({ purchase, reason }) =>
        [purchase !== null, reason !== null].join(),
      );
      expect(new Set(statuses).size).toBe(3);
    }
  });

  it('gets scans late: made before the closing of things that are missing, and decided on once it is open again', () => {
    for (const { scans, lateScans, closedAt, reopened } of sessions) {
      const scanned = new Map(scans.map((scan) => [scan.purchase, scan]));
      for (const { purchase, status, readAt, sentAt, decidedAt } of lateScans) {
        expect(readAt < (closedAt ?? sentAt) && sentAt > (closedAt ?? readAt)).toBe(true);
        expect(decidedAt === null).toBe(status === 'waiting');
        if (decidedAt) expect(decidedAt > reopened!.at).toBe(true);
        const scan = purchase === null ? undefined : scanned.get(purchase);
        expect(scan && [scan.scannedAt, scan.decidedAt]).toEqual(
          status === 'accepted' ? [readAt, decidedAt] : undefined,
        );
      }
    }
    expect(sessions.map(({ lateScans }) => lateScans.length)).toEqual([0, 2, 0, 0, 6]);
  });

  it('has two nearly complete closed sessions, an open one two thirds done, and two of a scope', () => {
    const share = ({ inventoryDate, scans }: (typeof sessions)[number], from = inventoryDate) =>
      scans.length / purchases.filter(({ purchaseDate }) => purchaseDate <= from).length;
    expect(sessions.map(({ year, closedAt }) => [year, closedAt !== null])).toEqual([
      [2024, true],
      [2025, true],
      [2026, false],
      [2026, true],
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

  it('disposes of what nobody has met since, once each', () => {
    const { disposals } = demo;
    expect(disposals.map(({ reason }) => reason)).toEqual(
      ['lost', 'sold', 'scrapped'].flatMap((reason) => [reason, reason, reason, reason]),
    );
    expect(new Set(disposals.map(({ purchase }) => purchase)).size).toBe(12);
    for (const { purchase, date } of disposals) {
      expect(purchases[purchase]!.purchaseDate <= date && date < referenceDay).toBe(true);
      const later = sessions
        .slice(2)
        .flatMap(({ scans, unexpected, lateScans }) => [...scans, ...unexpected, ...lateScans]);
      expect(later.map((scan) => scan.purchase)).not.toContain(purchase);
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
