import { render, say } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { columnMessages } from '../exports/exports.messages.js';
import type { Cell, Column } from '../exports/table.js';
import { dayOf } from './amortization.js';
import type { FiscalYears, Terms } from './amortization.js';
import { amortizationMessages } from './amortization.messages.js';
import type { AssetRow } from './amortization.queries.js';
import { centsOf, eurosOf } from './asset.js';

const COLUMNS = [
  { field: 'code', title: columnMessages.code, kind: 'text', width: 16 },
  { field: 'article', title: columnMessages.article, kind: 'text', width: 40 },
  { field: 'category', title: columnMessages.category, kind: 'text', width: 24 },
  { field: 'amortization_category', title: columnMessages.amortization_category, kind: 'text', width: 32 },
  { field: 'purchase_date', title: columnMessages.purchase_date, kind: 'date', width: 13 },
  { field: 'in_service_date', title: columnMessages.in_service_date, kind: 'date', width: 15 },
  { field: 'method', title: columnMessages.method, kind: 'text', width: 11 },
  { field: 'duration_years', title: columnMessages.duration_years, kind: 'integer', width: 12 },
  { field: 'gross', title: columnMessages.gross, kind: 'money', width: 15 },
  { field: 'accumulated', title: columnMessages.accumulated, kind: 'money', width: 24 },
  { field: 'annuity', title: columnMessages.annuity, kind: 'money', width: 22 },
  { field: 'net', title: columnMessages.net, kind: 'money', width: 15 },
] as const;

/** Those of the accountant's table of fixed assets. */
export const assetColumns = (language: Language): Column[] =>
  COLUMNS.map(({ title, ...column }) => ({ ...column, title: render(say(title), language) }));

const METHODS = { linear: amortizationMessages.linear, declining: amortizationMessages.declining };

export const assetsTitle = (language: Language): string => render(say(amortizationMessages.assets), language);

/** The line of an asset on a day; the annuity is that of the fiscal year until then. Without a language, for programs. */
export function assetLines(fiscalYears: FiscalYears, day: number, language: Language | null) {
  const yearBefore = fiscalYears.before(day);
  return (row: AssetRow, terms: Terms | null): Cell[] => {
    const [code, article, category, amortizationCategory, , price, purchased, inService] = row;
    const base = price === null ? null : centsOf(Number(price));
    const known = [code, article, category, amortizationCategory, purchased, inService];
    if (!terms || base === null) {
      const gross = base === null ? null : eurosOf(base);
      return [...known, null, null, gross, gross && 0, gross && 0, gross];
    }
    const asset = { base, purchased: dayOf(purchased), inService: dayOf(inService), terms };
    const net = fiscalYears.netOn(asset, day);
    const annuity = fiscalYears.netOn(asset, yearBefore) - net;
    const method = language ? render(say(METHODS[terms.method]), language) : terms.method;
    return [...known, method, terms.years, ...[base, base - net, annuity, net].map(eurosOf)];
  };
}
