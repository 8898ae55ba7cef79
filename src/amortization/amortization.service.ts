import { Injectable } from '@nestjs/common';
import { todayIn } from '../common/dates.js';
import { Limit } from '../common/limit.js';
import { Env } from '../config/env.js';
import type { NamedDto } from '../contract/openapi.js';
import type { Snapshot } from '../database/snapshot.js';
import { Sql } from '../database/sql.js';
import { FiscalYears, dayOf } from './amortization.js';
import type { Terms } from './amortization.js';
import { toReportDto } from './amortization.dto.js';
import type { AmortizationReportDto, Sums } from './amortization.dto.js';
import { BOUGHT, CATEGORIES } from './amortization.queries.js';
import type { BoughtRow, CategoryRow } from './amortization.queries.js';
import { centsOf, termsOf } from './asset.js';

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

  /** What everything that was bought by a day, today unless given, is worth at its end. */
  report(on = todayIn(this.env.TIME_ZONE)): Promise<AmortizationReportDto> {
    const reading = async (snapshot: Snapshot) => {
      const groups = groupsOf(await snapshot.query<CategoryRow>(CATEGORIES));
      for await (const rows of snapshot.rows<BoughtRow>(BOUGHT, on)) this.add(groups, rows, dayOf(on));
      return toReportDto(
        on,
        [...groups.values()].filter(({ count }) => count > 0),
      );
    };
    return this.readers.run(() => this.sql.snapshot(reading));
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
