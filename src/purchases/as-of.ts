import type { FiscalYears } from '../amortization/amortization.js';

/** What an answer depends on beside the rows that it shows. */
export interface AsOf {
  /** The day that decides on warranties and values. */
  today: string;
  fiscalYears: FiscalYears;
}
