import { language, locale, t } from './texts.js';

/** Of the language that is shown; what has no value is a dash. */
const shown = <Value>(value: Value | null | undefined, format: (value: Value) => string): string =>
  value === null || value === undefined ? '–' : format(value);

export const number = (value: number | null | undefined): string =>
  shown(value, (one) => new Intl.NumberFormat(language.value).format(one));

/** What an inventory is called. */
export const sessionName = ({ label, year }: { label: string | null; year: number }): string =>
  label ?? t('session.year', { year: String(year) });

/** In euros, as the service has them. */
export const money = (value: number | null | undefined): string =>
  shown(value, (one) =>
    new Intl.NumberFormat(language.value, { style: 'currency', currency: 'EUR' }).format(one),
  );

/** Of a percentage as the API says it, such as 66.84. What is not quite all is not rounded to 100 %, nor little to 0 %. */
export const percent = (value: number | null | undefined): string =>
  shown(value, (one) => {
    const between = one > 0 && one < 100 ? Math.min(Math.max(one, 0.1), 99.9) : one;
    const format = new Intl.NumberFormat(language.value, { style: 'percent', maximumFractionDigits: 1 });
    return format.format(between / 100);
  });

/** A calendar day, `2026-10-15`: the same everywhere. */
export const day = (value: string | null | undefined): string =>
  shown(value, (one) =>
    new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeZone: 'UTC' }).format(
      new Date(`${one}T00:00Z`),
    ),
  );

/** An instant, in the time of the device. */
export const instant = (value: string | null | undefined): string =>
  shown(value, (one) =>
    new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(one)),
  );

export const time = (value: string | null | undefined): string =>
  shown(value, (one) => new Intl.DateTimeFormat(locale.value, { timeStyle: 'medium' }).format(new Date(one)));

/** Of an instant its time, where it was today. */
export const moment = (at: string): string =>
  new Date(at).toDateString() === new Date().toDateString() ? time(at) : instant(at);

/** How long ago, such as `3 minutes ago`. */
export function ago(value: string | number, now = Date.now()): string {
  const seconds = (new Date(value).getTime() - now) / 1000;
  const [size, unit] = UNITS.find(([limit]) => Math.abs(seconds) >= limit) ?? UNITS.at(-1)!;
  return new Intl.RelativeTimeFormat(language.value, { numeric: 'auto' }).format(
    Math.round(seconds / size),
    unit,
  );
}

const UNITS: [seconds: number, unit: Intl.RelativeTimeFormatUnit][] = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];
