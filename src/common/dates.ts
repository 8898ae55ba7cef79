/** Whether a value is YYYY-MM-DD and that day exists (year 1 to 9999, as PostgreSQL and RFC 3339 have it). */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []).map(Number);
  if (!year || !month || !day) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

// For the document too, which has to say what is accepted: all of RFC 3339 but leap seconds, which no clock here has.
const DAY = '(?!0000)\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])';
const MINUTE = '(?:[01]\\d|2[0-3]):[0-5]\\d';
const TIME = `[Tt]${MINUTE}:[0-5]\\d(?:\\.\\d{1,9})?(?:[Zz]|[+-]${MINUTE})`;
/** An instant, but for the days that a month does not have. */
export const INSTANT = `^${DAY}${TIME}$`;
/** The same, or a whole day. */
export const MOMENT = `^${DAY}(?:${TIME})?$`;
const spelling = new RegExp(INSTANT);

/** An RFC 3339 instant, or null. A plus sign that a query string turned into a space is taken as meant. */
export function parseInstant(text: string): Date | null {
  const asMeant = text.replace(' ', '+');
  if (!spelling.test(asMeant) || !isCalendarDate(text.slice(0, 10))) return null;
  return new Date(asMeant.toUpperCase());
}

const formats = new Map<string, Intl.DateTimeFormat>();
let latest = { timeZone: '', minute: 0, day: '' };

/** Today, YYYY-MM-DD, in a time zone. Remembered for the minute, since days begin with a minute everywhere. */
export function todayIn(timeZone: string): string {
  const minute = Math.floor(Date.now() / 60_000);
  if (latest.minute !== minute || latest.timeZone !== timeZone)
    latest = { timeZone, minute, day: dayIn(timeZone, new Date()) };
  return latest.day;
}

/** The day, YYYY-MM-DD, that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant: Date): string {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format.format(instant);
}

const HOUR_MS = 3_600_000;

/**
 * The hour of the clocks of a time zone that an instant falls in, such as 2026-10-25T02:00:00+01:00: of the night when
 * they show an hour twice, both have a name.
 */
export function hourIn(timeZone: string, instant: Date): string {
  const offset = offsetAt(timeZone, instant.getTime());
  const local = Math.floor((instant.getTime() + offset) / HOUR_MS) * HOUR_MS;
  const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
  return `${new Date(local).toISOString().slice(0, 19)}${offset < 0 ? '-' : '+'}${ahead}`;
}

const DAY_MS = 86_400_000;

/**
 * The first instant of a day, YYYY-MM-DD, in a time zone, and that of the next day. A day may have 23 or 25 hours, may
 * begin at one o'clock, and none at all where the clocks went past it: then the two are one instant.
 */
export function boundsOfDay(timeZone: string, day: string): { start: Date; end: Date } {
  const midnight = new Date(`${day}T00:00:00Z`).getTime();
  return { start: startOfDay(timeZone, midnight), end: startOfDay(timeZone, midnight + DAY_MS) };
}

/** Of the day that begins at `midnight` in UTC. */
function startOfDay(timeZone: string, midnight: number): Date {
  const before = offsetAt(timeZone, midnight - DAY_MS);
  const after = offsetAt(timeZone, midnight + DAY_MS);
  // Where the clocks go back over midnight they show it twice: the first time counts, as in Temporal and java.time.
  for (const offset of [before, after]) {
    const instant = midnight - offset;
    if (offsetAt(timeZone, instant) === offset) return new Date(instant);
  }
  // They go forward over midnight: then the day begins with the change.
  let [early, late] = [midnight - after, midnight - before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (offsetAt(timeZone, middle) === after) late = middle;
    else early = middle;
  }
  return new Date(late);
}

const offsets = new Map<string, Intl.DateTimeFormat>();

/** How many milliseconds the clocks of a time zone are ahead of UTC at an instant. */
function offsetAt(timeZone: string, instant: number): number {
  let format = offsets.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
    offsets.set(timeZone, format);
  }
  const [, sign, hours, minutes, seconds] =
    /GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(format.format(instant)) ?? [];
  const size = Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60 + Number(seconds ?? 0);
  return size * (sign === '-' ? -1000 : 1000);
}
