import fc from 'fast-check';
import { dayIn, isCalendarDate, parseInstant } from './dates.js';

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
