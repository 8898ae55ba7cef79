import type { EntityManager } from 'typeorm';
import type { FieldErrors } from '../common/errors.js';
import type { Env } from '../config/env.js';
import type { Holder } from '../fields/field.entity.js';
import type { FirstLines } from './first-lines.js';
import type { ImportOptions } from './options.js';

/** The fields of a row. */
export type Values = Record<string, unknown>;

/** A row that is in the table already, with its natural key and the columns that a rule needs. */
export interface StoredRow extends Values {
  id: number;
}

/** A line of the file on its way into the table. */
export interface Line {
  number: number;
  values: Values;
  /** What it gives fields of one's own, by their keys. */
  own?: Values;
  errors: FieldErrors;
  /** The row that it updates; none where it makes a new one. */
  stored?: StoredRow;
  /** Fields that it leaves to a default. */
  defaulted?: string[];
  /** How long its warranty lasts, where it does not say until when. */
  warranty_months?: number | undefined;
}

/** A column of the file that names a row of another table by the first of these fields that matches; a code as codes are. */
export interface Reference {
  field: string;
  table: string;
  by: string[];
}

/** A whole file that was found to be good. */
export interface Completing {
  firstLines: FirstLines;
  /** The fields that it has. */
  fields: string[];
  env: Env;
  options: ImportOptions;
}

export interface Kind {
  table: string;
  /** Whose fields of one's own its rows have, each in a column called `field.<key>`. */
  ownFields?: Holder;
  /** The class of a line, with the same fields and bounds as in the API. */
  row: new () => object;
  /** The natural key: the first of these that a line fills. */
  key: string[];
  references?: Record<string, Reference>;
  /** Columns of the file whose field the table calls otherwise. */
  renamed?: Record<string, string>;
  /** Columns that stand for no field of the table, but say together which rows it refers to, or more than one field. */
  more?: string[];
  /** Those of them that name a row of another table. */
  lookups?: Record<string, Omit<Reference, 'field'>>;
  /** What an empty cell stands for where it is not null. */
  defaults?: Values;
  /** What the violation of a constraint means: another writer was faster. */
  constraints?: Record<string, FieldErrors>;
  /** Rules over several fields, for a line that is valid in each; completes the values. */
  rule?: (values: Values, stored: StoredRow | undefined, today: string) => FieldErrors;
  /** Columns of a stored row that `rule` needs. */
  stored?: string[];
  /** Fields that an update leaves as they are. */
  fixed?: string[];
  /** The natural keys of these texts, where they are not compared as names are. */
  keysOf?: (manager: EntityManager, texts: string[]) => Promise<string[]>;
  /** Fields that are lists, whose items a cell separates by blanks or bars. */
  lists?: string[];
  /** What is wrong with lines beside what is stored and lines before, once it is known which rows they mean. */
  compare?: (manager: EntityManager, lines: Line[], firstLines: FirstLines) => Promise<void>;
  /** The rows that have these natural keys, where they do not stand in a column of the table. */
  find?: (manager: EntityManager, keys: string[]) => Promise<(StoredRow & { key: string })[]>;
  /**
   * Makes up what lines lack, once all are good and in import_lines; by their lines, what only all of them together show
   * to be wrong.
   */
  complete?: (manager: EntityManager, file: Completing) => Promise<Map<number, FieldErrors> | undefined>;
  /** Columns that `rule` and `complete` fill, also where the file does not have them. */
  filled?: string[];
  /** Whether `complete` gives new rows their ids, so that others can refer to them. */
  numbered?: boolean;
  /** Columns of the file that the table does not have, which `complete` reads. */
  texts?: string[];
}
