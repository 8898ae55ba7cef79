/** Null is an empty cell; a date is a text YYYY-MM-DD, an instant one that begins with YYYY-MM-DD HH:MM:SS. */
export type Cell = string | number | null;

export interface Column {
  /** As JSON and the importer call it: the header in CSV. */
  field: string;
  /** For people: the header in XLSX. */
  title: string;
  kind: 'text' | 'date' | 'instant' | 'integer' | 'decimal' | 'money';
  /** In characters. */
  width: number;
}

/** A table of any length, of which a batch of rows is in memory at a time. */
export interface Table {
  title: string;
  columns: Column[];
  rows: AsyncIterable<Cell[][]>;
}
