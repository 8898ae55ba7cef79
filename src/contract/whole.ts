import { Ambient } from '../common/ambient.js';
import type { Position } from './cursor.js';

/** How many rows of a list are in memory at a time. */
export const BATCH = 1000;

/** How far somebody has come who reads all of a list, a batch at a time, whatever its pages are. */
export interface Whole {
  after: Position | null;
  isDone: boolean;
}

export const whole = new Ambient<Whole>();

export type CellValue = string | number | boolean | null;

/** The columns of a list that can be imported, by the names that the importer has for them. */
export type Columns<Row> = Record<string, (row: Row) => CellValue>;

/** Columns beside them: of fields of one's own, whose names do not tell what they hold. */
export interface MoreColumns<Row> {
  columns: Columns<Row>;
  /** Of those that hold no texts. */
  kinds: Record<string, 'decimal' | 'date'>;
}

/** Rows that are answered by their columns. */
export class ColumnRows {
  constructor(
    readonly columns: string[],
    readonly data: CellValue[][],
    /** Of the columns whose names do not tell. */
    readonly kinds: MoreColumns<never>['kinds'] = {},
  ) {}
}
