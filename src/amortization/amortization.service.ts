import { Injectable } from '@nestjs/common';
import { todayIn } from '../common/dates.js';
import { Limit } from '../common/limit.js';
import type { Language } from '../common/messages.js';
import { Env } from '../config/env.js';
import type { NamedDto } from '../contract/openapi.js';
import type { Snapshot } from '../database/snapshot.js';
import { Sql } from '../database/sql.js';
import { mapped, tableDownload } from '../exports/download.js';
import type { TableFormat } from '../exports/download.js';
import type { Download } from '../http/download.js';
import { FiscalYears, dayOf } from './amortization.js';
import type { Terms } from './amortization.js';
import { toReportDto } from './amortization.dto.js';
import type { AmortizationQuery, AmortizationReportDto, Sums } from './amortization.dto.js';
import { ASSETS, BOUGHT, CATEGORIES } from './amortization.queries.js';
import type { AssetRow, BoughtRow, CategoryRow } from './amortization.queries.js';
import { centsOf, termsOf } from './asset.js';
import { assetColumns, assetLines, assetsTitle } from './assets.js';

/** Who reads every purchase holds a connection and a good part of a processor for seconds. */
const READERS = 2;

interface Group extends Sums {
  category: NamedDto | null;
  terms: Terms | null;
}

/** By the id of the category as rows have it. */
type Groups = Map<string | null, Group>;

@Injectable()
export class AmortizationService {
  private readonly fiscalYears: FiscalYears;
  private readonly readers: Limit;

  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
  ) {
    this.fiscalYears = new FiscalYears(env.FISCAL_YEAR_START);
    this.readers = new Limit(READERS, env.DATABASE_TIMEOUT_MS, 10 * READERS);
  }

  answer(
    { on, format }: AmortizationQuery,
    language: Language,
    hungUp: AbortSignal,
  ): Promise<AmortizationReportDto> | Download {
    return format === 'csv' || format === 'xlsx' ? this.table(format, language, on) : this.report(hungUp, on);
  }

  /** What everything that was held on a day, today unless given, is worth at its end. */
  report(hungUp: AbortSignal, on = todayIn(this.env.TIME_ZONE)): Promise<AmortizationReportDto> {
    const reading = async (snapshot: Snapshot) => {
      const groups = groupsOf(await snapshot.query<CategoryRow>(CATEGORIES));
      for await (const rows of snapshot.rows<BoughtRow>(BOUGHT, on)) {
        if (hungUp.aborted) break; // nobody takes the sums
        this.add(groups, rows, dayOf(on));
      }
      return toReportDto(
        on,
        [...groups.values()].filter(({ count }) => count > 0),
      );
    };
    return this.readers.run(() => this.sql.snapshot(reading));
  }

  /** The lines of it, as a file: the accountant's table of fixed assets. */
  table(format: TableFormat, language: Language, on = todayIn(this.env.TIME_ZONE)): Download {
    return tableDownload(
      `${assetsTitle(language).replaceAll(' ', '-')}-${on}`.toLowerCase(),
      format,
      (send) =>
        this.readers.run(() =>
          this.sql.snapshot(async (snapshot) => {
            const groups = groupsOf(await snapshot.query<CategoryRow>(CATEGORIES));
            const line = assetLines(this.fiscalYears, dayOf(on), format === 'xlsx' ? language : null);
            const lines = (rows: AssetRow[]) => rows.map((row) => line(row, groups.get(row[4])!.terms));
            const rows = mapped(snapshot.rows<AssetRow>(ASSETS, on), lines);
            await send({ title: assetsTitle(language), columns: assetColumns(language), rows });
          }),
        ),
    );
  }

  private add(groups: Groups, rows: BoughtRow[], day: number): void {
    for (const [id, price, purchaseDate, inServiceDate] of rows) {
      const group = groups.get(id)!;
      const base = centsOf(Number(price));
      const { terms } = group;
      group.count++;
      group.gross += base;
      group.net += terms
        ? this.fiscalYears.netOn(
            { base, purchased: dayOf(purchaseDate), inService: dayOf(inServiceDate), terms },
            day,
          )
        : base;
    }
  }
}

/** Those of the amortization categories in their order, then that of what has none. */
function groupsOf(categories: CategoryRow[]): Groups {
  const nothing = { count: 0, gross: 0, net: 0 };
  const groups: Groups = new Map();
  for (const { id, name, ...terms } of categories)
    groups.set(String(id), { category: { id, name }, terms: termsOf(terms), ...nothing });
  return groups.set(null, { category: null, terms: null, ...nothing });
}
