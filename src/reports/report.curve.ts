import type { Moment } from './report.charts.js';
import { pageMessages, reportMessages } from './report.messages.js';
import type { Group } from './progress.dto.js';
import type { Wording } from './report.wording.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Over no more than these the curve goes by the hour. */
const FEW_DAYS_MS = 3 * DAY_MS;

/** What was scanned by the end of each hour or day in which anything was; null where nothing was. */
export function curveOf(
  hours: Map<string, number>,
  { locale }: Wording,
): { moments: Moment[]; label: (at: number) => string } | null {
  const scans = [...hours].map(([hour, scanned]) => ({
    at: Date.parse(`${hour.replace(' ', 'T')}Z`),
    scanned,
  }));
  if (scans.length === 0) return null;
  scans.sort((a, b) => a.at - b.at);
  const isByHour = scans.at(-1)!.at - scans[0]!.at < FEW_DAYS_MS;
  const step = isByHour ? HOUR_MS : DAY_MS;
  const moments: Moment[] = [];
  let sum = 0;
  for (const { at, scanned } of scans) {
    const begin = at - (at % step);
    if (moments.at(-1)?.at === begin + step) moments.pop();
    else if (moments.at(-1)?.at !== begin) moments.push({ at: begin, scanned: sum });
    moments.push({ at: begin + step, scanned: (sum += scanned) });
  }
  const format = new Intl.DateTimeFormat(locale, {
    day: '2-digit',
    month: '2-digit',
    timeZone: 'UTC',
    ...(isByHour && { hour: '2-digit', minute: '2-digit' }),
  });
  return { moments, label: (at) => format.format(at) };
}

const MAX_BARS = 15;

/** The largest, with what remains as one. */
export function longestOf(groups: Group[], words: Wording): (Group & { total: number })[] {
  const named = groups.map((group) => ({
    ...group,
    name: group.name ?? words.say(reportMessages.none),
    total: group.total ?? 0,
  }));
  named.sort((a, b) => b.total - a.total);
  if (named.length <= MAX_BARS) return named;
  const rest = named.splice(MAX_BARS - 1);
  const sum = (of: 'scanned' | 'total') => rest.reduce((all, one) => all + one[of], 0);
  const name = words.say(pageMessages.others, words.number(rest.length));
  return [...named, { key: null, name, scanned: sum('scanned'), total: sum('total') }];
}
