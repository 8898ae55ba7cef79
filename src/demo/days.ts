const DAY = 86_400_000;

/** The day on which the demo organisation is seen. */
export const REFERENCE_DAY = '2026-10-15';

/** Days are counted from that of the epoch. */
export const dayOf = (date: string) => Date.parse(date.slice(0, 10)) / DAY;
export const dateOf = (day: number) => new Date(day * DAY).toISOString().slice(0, 10);
export const yearsLater = (date: string, years: number) =>
  dateOf(new Date(date).setUTCFullYear(Number(date.slice(0, 4)) + years) / DAY);
export const instantOf = (milliseconds: number) => new Date(milliseconds).toISOString();

/** Monday is 0. */
const weekday = (day: number) => (day + 3) % 7;
/** That day, or the Friday before a weekend. */
export const workdayOf = (day: number) => day - Math.max(0, weekday(day) - 4);

/** When the half-days of work begin, until the day before the last: 8:30 and 13:30 in Paris, in summer. */
export function halfDays(from: number, last: number): number[] {
  const begins: number[] = [];
  for (let day = from; day < last; day++) {
    if (weekday(day) < 5) begins.push((day + 6.5 / 24) * DAY, (day + 11.5 / 24) * DAY);
  }
  return begins;
}
