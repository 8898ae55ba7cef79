/** Whether a value is YYYY-MM-DD and that day exists (year 1 to 9999, as PostgreSQL and RFC 3339 have it). */
export function isCalendarDate(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(value) ?? []).map(Number);
  if (!year || !month || !day) return false;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** An RFC 3339 instant, or null. A plus sign that a query string turned into a space is taken as meant. */
export function parseInstant(text: string): Date | null {
  const [, date, time, offset] =
    /^(\d{4}-\d{2}-\d{2})[Tt]((?!24)\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)([Zz]|[+\- ]\d{2}:\d{2})$/.exec(text) ??
    [];
  if (!date || !time || !offset || !isCalendarDate(date)) return null;
  const instant = new Date(`${date}T${time}${offset.replace(' ', '+').toUpperCase()}`);
  return Number.isNaN(instant.getTime()) ? null : instant;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The day, YYYY-MM-DD, that an instant falls on in a time zone. */
export function dayIn(timeZone: string, instant = new Date()): string {
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
