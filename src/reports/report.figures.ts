import { centsOf, termsOf } from '../amortization/asset.js';
import { dayOf } from '../amortization/amortization.js';
import type { FiscalYears } from '../amortization/amortization.js';
import type { Group } from './progress.dto.js';
import type { FigureRow, ValueRow } from './report.queries.js';

/** Amounts in cents. */
export interface Sum {
  count: number;
  gross: number;
  net: number;
}

export const FIGURES = ['expected', 'scanned', 'missing', 'unexpected', 'misplaced'] as const;
export type FigureName = (typeof FIGURES)[number];

const GROUPS = ['category', 'location', 'user', 'day'] as const;
export type GroupName = (typeof GROUPS)[number];

/** What a line was bought for, and what it is worth on a day; null without a price, and its price where nothing amortizes it. */
export function valuesOn(years: FiscalYears, on: string) {
  const day = dayOf(on);
  return ([price, purchased, inService, method, duration, coefficient, disposed]: ValueRow) => {
    if (price === null) return { gross: null, net: null };
    const gross = centsOf(Number(price));
    if (method === null) return { gross, net: gross };
    const terms = termsOf({
      method,
      duration_years: Number(duration),
      declining_coefficient: coefficient === null ? null : Number(coefficient),
    });
    const days = { purchased: dayOf(purchased), inService: dayOf(inService) };
    const asset = { base: gross, ...days, terms, ...(disposed && { disposed: dayOf(disposed) }) };
    return { gross, net: years.netOn(asset, day) };
  };
}

/** Of an instant, the letters of its day. */
const DAY = 10;

/** What lines add up to, each counted once. */
export class Figures {
  /** Scans by the hour, YYYY-MM-DD HH:00:00. */
  readonly hours = new Map<string, number>();
  readonly sums = Object.fromEntries(FIGURES.map((name) => [name, { count: 0, gross: 0, net: 0 }])) as Record<
    FigureName,
    Sum
  >;
  private readonly groups = Object.fromEntries(
    GROUPS.map((name) => [name, new Map<string | null, Group>()]),
  ) as Record<GroupName, Map<string | null, Group>>;

  /** @param roots the names of the outermost places, by id */
  constructor(
    private readonly valuesOf: ReturnType<typeof valuesOn>,
    private readonly roots: Map<string, string>,
  ) {}

  add(row: FigureRow): void {
    const [state, isMisplaced, categoryId, category, rootId, scannerId, scanner, hour, ...value] = row;
    const { gross, net } = this.valuesOf(value);
    const count = (name: FigureName) => {
      const sum = this.sums[name];
      sum.count++;
      sum.gross += gross ?? 0;
      sum.net += net ?? 0;
    };
    count(state);
    if (isMisplaced === 't') count('misplaced');
    if (state === 'unexpected') return;
    count('expected');
    const scanned = state === 'scanned' ? 1 : 0;
    this.count('category', categoryId, () => category, scanned, 1);
    this.count('location', rootId, () => this.roots.get(rootId!) ?? null, scanned, 1);
    if (!scanned) return;
    this.count('user', scannerId, () => scanner, scanned, null);
    this.count('day', hour!.slice(0, DAY), () => hour!.slice(0, DAY), scanned, null);
    this.hours.set(hour!, (this.hours.get(hour!) ?? 0) + 1);
  }

  private count(
    group: GroupName,
    id: string | null,
    name: () => string | null,
    scanned: number,
    total: number | null,
  ): void {
    const groups = this.groups[group];
    const known = groups.get(id);
    if (known) {
      known.scanned += scanned;
      if (known.total !== null) known.total += total!;
    } else {
      const key = id === null || group === 'day' ? id : Number(id);
      groups.set(id, { key, name: id === null ? null : name(), scanned, total });
    }
  }

  /** By name, then by id; what has none comes last. */
  get by(): Record<GroupName, Group[]> {
    const sorted = GROUPS.map((group) => [group, [...this.groups[group].values()].sort(byName)]);
    return Object.fromEntries(sorted) as Record<GroupName, Group[]>;
  }
}

const byName = (a: Group, b: Group): number =>
  Number(a.key === null) - Number(b.key === null) ||
  (a.name ?? '').localeCompare(b.name ?? '', 'fr') ||
  Number(a.key) - Number(b.key);
