import { centsOf } from '../amortization/asset.js';
import { FiscalYears } from '../amortization/amortization.js';
import { notFound, unavailable } from '../common/errors.js';
import type { Snapshot } from '../database/snapshot.js';
import { CHANGES, compared, linesOf } from '../inventories/comparison.queries.js';
import type { Changes } from '../inventories/comparison.queries.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { session } from '../inventories/inventories.queries.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import type { Report } from './report.dto.js';
import { Figures, valuesOn } from './report.figures.js';
import { COUNTS, HEAD, figuresIn, rootsIn, sourceOf } from './report.queries.js';
import type { CountsRow, FigureRow, HeadRow, OwnColumn, Source } from './report.queries.js';

/** A session as of the instant of a snapshot: what its report is made of. */
export class Reading {
  readonly source: Source;
  /** Of a line. */
  readonly valuesOf: ReturnType<typeof valuesOn>;

  /** The columns of fields of one's own. */
  readonly ownFields: OwnColumn[];

  private constructor(
    readonly snapshot: Snapshot,
    readonly session: SessionRow,
    private readonly head: HeadRow,
    fiscalYearStart: string,
  ) {
    this.source = sourceOf(head.fiscal_year_start !== null);
    const fiscalYears = new FiscalYears(head.fiscal_year_start ?? fiscalYearStart);
    this.ownFields = head.own_fields;
    this.valuesOf = valuesOn(fiscalYears, session.inventory_date);
  }

  /**
   * @param fiscalYearStart of a session of which none is kept
   * @throws DomainError not-found
   */
  static async of(snapshot: Snapshot, id: number, fiscalYearStart: string): Promise<Reading> {
    const row = await sessionIn(snapshot, id);
    if (!row) throw notFound(inventoryMessages.none);
    const [head] = await snapshot.query<HeadRow>(HEAD, [id]);
    return new Reading(snapshot, { ...row, ...head!.frozen }, head!, fiscalYearStart);
  }

  rows<Row extends (string | null)[]>(text: string, ...values: string[]): AsyncGenerator<Row[]> {
    return this.snapshot.rows<Row>(text, String(this.session.id), ...values);
  }

  /** All that comes before the lines; days are those of the time zone. */
  async report(timeZone: string, hungUp: AbortSignal): Promise<Report> {
    const { session: row, source } = this;
    const [counts] = await this.snapshot.query<CountsRow>(COUNTS, [row.id]);
    const { unknown, unknown_open, late, late_open } = counts!;
    const comparison = await this.comparison();
    const figures = new Figures(this.valuesOf, await this.roots());
    for await (const rows of this.rows<FigureRow>(figuresIn(source), timeZone)) {
      // Nobody takes them; with rows left, nothing else could be read by this connection.
      if (hungUp.aborted) throw unavailable();
      for (const one of rows) figures.add(one);
    }
    return {
      session: row,
      figures: figures.sums,
      unknown: { count: unknown, open: unknown_open },
      late: { count: late, open: late_open },
      comparison,
      by: figures.by,
      hours: figures.hours,
    };
  }

  private async roots(): Promise<Map<string, string>> {
    const roots = new Map<string, string>();
    for await (const rows of this.rows<[string, string]>(rootsIn(this.source)))
      for (const [id, name] of rows) roots.set(id, name);
    return roots;
  }

  private async comparison(): Promise<Report['comparison']> {
    const { previous_id, previous_frozen, previous_updated_at, changes } = this.head;
    if (previous_id === null) return null;
    const all = changes ?? (await this.changesSince(previous_id));
    const sums = CHANGES.map((name) => [name, { count: all[name].count, gross: centsOf(all[name].gross) }]);
    // It may be deleted since.
    const session = (await sessionIn(this.snapshot, previous_id, { isDeleted: true }))!;
    return {
      session: {
        ...session,
        ...previous_frozen,
        updated_at: previous_updated_at ?? session.updated_at,
      },
      changes: Object.fromEntries(sums) as NonNullable<Report['comparison']>['changes'],
    };
  }

  private async changesSince(previousId: number): Promise<Changes> {
    const text = compared(this.source.lines, linesOf(this.head.is_previous_frozen));
    const [row] = await this.snapshot.query<{ changes: Changes }>(text, [this.session.id, previousId]);
    return row!.changes;
  }
}

async function sessionIn(
  snapshot: Snapshot,
  id: number,
  which?: { isDeleted: boolean },
): Promise<SessionRow | undefined> {
  const { text, values } = session(id, which);
  return (await snapshot.query<SessionRow>(text, values))[0];
}
