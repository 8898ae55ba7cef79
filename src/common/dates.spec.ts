import fc from 'fast-check';
import { boundsOfDay, dayIn, hourIn, isCalendarDate, parseInstant } from './dates.js';

const two = (number: number) => String(number).padStart(2, '0');
const isoDay = (date: Date) => date.toISOString().slice(0, 10);
const days = fc
  .date({ min: new Date('0001-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true })
  .map(isoDay);

describe('isCalendarDate', () => {
  it('takes every day from year 1 to 9999', () => {
    fc.assert(fc.property(days, (day) => expect(isCalendarDate(day)).toBe(true)));
  });

  it('takes a day exactly when the calendar has it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(14), fc.nat(33), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`;
        const parsed = new Date(`${text}T00:00:00Z`);
        const exists = !Number.isNaN(parsed.getTime()) && isoDay(parsed) === text;
        expect(isCalendarDate(text)).toBe(exists);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '0099-12-31', '2026-12-31'])(
    'takes %s',
    (day) => expect(isCalendarDate(day)).toBe(true),
  );

  it.each([
    '2026-02-30', '2025-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-01', '2026-01-00', '0000-01-01', '26-01-01',
    '12026-01-01', '2026-1-1', '2026-01-01T00:00:00Z', ' 2026-01-01', '2026-01-01\n', '2026/01/01', '٢٠٢٦-01-01', '', 'today',
    20260101, null, undefined, true, ['2026-01-01'], {}, new Date(),
  ])('refuses %p', (value) => expect(isCalendarDate(value)).toBe(false)); // prettier-ignore

  it('never throws', () => {
    fc.assert(fc.property(fc.anything(), (value) => expect(typeof isCalendarDate(value)).toBe('boolean')));
  });
});

describe('parseInstant', () => {
  it('reads what toISOString writes', () => {
    const instants = fc.date({
      min: new Date('0001-01-01'),
      max: new Date('9999-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, (instant) => expect(parseInstant(instant.toISOString())).toEqual(instant)),
    );
  });

  it.each([
    ['2026-10-15T08:30:00Z', '2026-10-15T08:30:00.000Z'],
    ['2026-10-15t08:30:00z', '2026-10-15T08:30:00.000Z'],
    ['2026-10-15T08:30:00.5Z', '2026-10-15T08:30:00.500Z'],
    ['2026-10-15T08:30:00.123456789Z', '2026-10-15T08:30:00.123Z'],
    ['2026-10-15T08:30:00+02:00', '2026-10-15T06:30:00.000Z'],
    ['2026-10-15T08:30:00 02:00', '2026-10-15T06:30:00.000Z'],
    ['2026-10-15T00:30:00+14:00', '2026-10-14T10:30:00.000Z'],
    ['2026-10-15T23:30:00-03:30', '2026-10-16T03:00:00.000Z'],
  ])('reads %s', (text, instant) => expect(parseInstant(text)?.toISOString()).toBe(instant));

  it.each([
    '2026-10-15', '2026-10-15T08:30Z', '2026-10-15T08:30:00', '2026-10-15 08:30:00Z', '2026-02-30T08:30:00Z', '2026-10-15T24:00:00Z',
    '2026-10-15T25:00:00Z', '2026-10-15T08:60:00Z', '2026-10-15T08:30:60Z', '2026-10-15T08:30:00+0200', '2026-10-15T08:30:00+99:00',
    '2026-10-15T08:30:00+24:00', '2026-10-15T08:30:00.Z', '2026-10-15T08:30:00.1234567890Z', '0000-01-01T00:00:00Z', '', 'now',
    '1760517000000',
  ])('refuses %s', (text) => expect(parseInstant(text)).toBeNull()); // prettier-ignore

  it('takes any other text for none', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => expect(parseInstant(text)).toBeNull()));
  });
});

describe('dayIn', () => {
  it.each([
    ['Europe/Paris', '2026-01-14T22:59:59Z', '2026-01-14'],
    ['Europe/Paris', '2026-01-14T23:00:00Z', '2026-01-15'],
    ['Europe/Paris', '2026-07-14T21:59:59Z', '2026-07-14'],
    ['Europe/Paris', '2026-07-14T22:00:00Z', '2026-07-15'],
    ['Pacific/Auckland', '2026-01-14T11:00:00Z', '2026-01-15'],
    ['America/Los_Angeles', '2026-01-15T07:59:59Z', '2026-01-14'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', '2026-01-01'],
    ['Etc/GMT+12', '2026-01-01T11:59:59Z', '2025-12-31'],
    ['UTC', '2024-02-29T00:00:00Z', '2024-02-29'],
    ['Asia/Kathmandu', '2026-01-14T18:15:00Z', '2026-01-15'],
  ])('in %s at %s is %s', (zone, instant, day) => expect(dayIn(zone, new Date(instant))).toBe(day));

  it('is the day of UTC moved by the offset of the zone', () => {
    const instants = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2200-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instants, fc.integer({ min: -12, max: 14 }), (instant, hours) => {
        const zone = `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`;
        expect(dayIn(zone, instant)).toBe(isoDay(new Date(instant.getTime() + hours * 3_600_000)));
      }),
    );
  });
});

describe('hourIn', () => {
  it.each([
    ['Europe/Paris', '2026-10-25T00:59:59Z', '2026-10-25T02:00:00+02:00'],
    ['Europe/Paris', '2026-10-25T01:00:00Z', '2026-10-25T02:00:00+01:00'],
    ['Europe/Paris', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
    ['Asia/Kathmandu', '2026-01-14T18:15:00Z', '2026-01-15T00:00:00+05:45'],
    ['America/St_Johns', '2026-01-14T18:29:59Z', '2026-01-14T14:00:00-03:30'],
    ['Australia/Lord_Howe', '2026-04-04T15:00:00Z', '2026-04-05T01:00:00+10:30'],
    ['UTC', '2024-02-29T23:59:59Z', '2024-02-29T23:00:00+00:00'],
  ])('in %s at %s is %s', (zone, instant, hour) => expect(hourIn(zone, new Date(instant))).toBe(hour));

  it('is an instant not after its own, on its day, and its own hour again', () => {
    const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
    const instants = fc.date({
      min: new Date('2000-01-01'),
      max: new Date('2099-12-31'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(zones, instants, (zone, instant) => {
        const hour = hourIn(zone, instant);
        expect(hour.slice(0, 10)).toBe(dayIn(zone, instant));
        const before = instant.getTime() - parseInstant(hour)!.getTime();
        expect(before).toBeGreaterThanOrEqual(0);
        expect(before).toBeLessThan(3_600_000);
      }),
    );
  });
});

const DAY_MS = 86_400_000;

describe('boundsOfDay', () => {
  it.each([
    ['Europe/Paris', '2026-01-15', '2026-01-14T23:00:00Z', 24],
    ['Europe/Paris', '2026-03-29', '2026-03-28T23:00:00Z', 23],
    ['Europe/Paris', '2026-10-25', '2026-10-24T22:00:00Z', 25],
    ['UTC', '2024-02-29', '2024-02-29T00:00:00Z', 24],
    ['Asia/Kathmandu', '2026-01-15', '2026-01-14T18:15:00Z', 24],
    ['Australia/Lord_Howe', '2026-04-05', '2026-04-04T13:00:00Z', 24.5],
    // Clocks that go forward at midnight: the day begins at one.
    ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00Z', 23],
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z', 23],
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z', 23],
    // And from half past eleven.
    ['America/Scoresbysund', '2024-03-31', '2024-03-31T01:00:00Z', 24],
    ['America/Toronto', '1919-03-31', '1919-03-31T04:30:00Z', 23.5],
    // Clocks that go back from midnight to eleven, and from one minute past, when the day had begun already.
    ['America/Sao_Paulo', '2018-02-17', '2018-02-17T02:00:00Z', 25],
    ['America/Sao_Paulo', '2018-02-18', '2018-02-18T03:00:00Z', 24],
    ['America/St_Johns', '2006-10-29', '2006-10-29T02:30:00Z', 25],
    // The days that were left out, and those around them.
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z', 24],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z', 0],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z', 24],
    ['Pacific/Kwajalein', '1993-08-21', '1993-08-21T12:00:00Z', 0],
  ])('in %s of %s begins at %s and is over after %d hours', (zone, day, begins, hours) => {
    const { start, end } = boundsOfDay(zone, day);
    expect(start).toEqual(new Date(begins));
    expect((end.getTime() - start.getTime()) / 3_600_000).toBe(hours);
  });

  const zones = Intl.supportedValuesOf('timeZone');

  /** No instant before is on the day or later, the first one is, and the next day begins where this one ends. */
  function expectBounds(zone: string, day: string): void {
    const { start, end } = boundsOfDay(zone, day);
    const wrong = [0.001, 60, 1800, 3600, 7200, 86_400]
      .map((seconds) => dayIn(zone, new Date(start.getTime() - seconds * 1000)))
      .filter((before) => before >= day);
    const first = dayIn(zone, start);
    const isThere = start < end ? first === day : first > day;
    const next = boundsOfDay(zone, isoDay(new Date(Date.parse(day) + DAY_MS))).start;
    expect({ zone, day, wrong, isThere, end }).toEqual({ zone, day, wrong: [], isThere: true, end: next });
  }

  it('hold around every change of the clocks in every zone', () => {
    let changes = 0;
    for (const zone of zones) {
      const format = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
      const offset = (at: number) => format.format(at).split(', ')[1];
      for (let at = Date.UTC(2024, 0); at < Date.UTC(2028, 0); at += 10 * DAY_MS) {
        if (offset(at) === offset(at + 10 * DAY_MS)) continue;
        changes++;
        let [early, late] = [at, at + 10 * DAY_MS];
        while (late - early > 1) {
          const middle = Math.floor((early + late) / 2);
          if (offset(middle) === offset(at)) early = middle;
          else late = middle;
        }
        for (const days of [-1, 0, 1]) expectBounds(zone, dayIn(zone, new Date(late + days * DAY_MS)));
      }
    }
    expect(changes).toBeGreaterThan(500);
  });

  it('hold on any day in every zone', () => {
    const since1900 = fc
      .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
      .map(isoDay);
    fc.assert(fc.property(fc.constantFrom(...zones), since1900, expectBounds), { numRuns: 1000 });
  });
});
