import type { EntityManager } from 'typeorm';
import { mapConstraints } from '../database/errors.js';
import { invalid } from '../common/errors.js';
import type { Kind, Line } from './kind.js';

/** How many lines are written at a time, so that it is seen how far it is. */
const WRITTEN_AT_ONCE = 10_000;
/** Of places, each level of the tree at once: more than any file has, and twelve times that is an integer. */
export const LINES_OF_A_LEVEL = 100_000_000;

export interface Counts {
  inserted: number;
  updated: number;
  unchanged: number;
}

/**
 * The good lines, kept in the database till all of the file was checked. What is written before would be found by the
 * lines that come after, and what is kept here would fill the memory.
 */
export class Staging {
  private constructor(
    private readonly manager: EntityManager,
    private readonly kind: Kind,
    private readonly columns: string[],
  ) {}

  /** `fields` are those of the file. */
  static async begin(manager: EntityManager, kind: Kind, fields: string[]): Promise<Staging> {
    const texts = fields.filter((field) => kind.texts?.includes(field));
    const columns = [...new Set([...fields, ...(kind.filled ?? [])])].filter(
      (field) => !texts.includes(field),
    );
    const all = ['id', ...columns, ...texts.map((text) => `NULL::text AS ${text}`)].join(', ');
    await manager.query(
      `CREATE TEMPORARY TABLE import_lines ON COMMIT DROP AS
       SELECT NULL::integer AS line, NULL::boolean AS is_new, ${all} FROM ${kind.table} WITH NO DATA`,
    );
    return new Staging(manager, kind, columns);
  }

  async add(lines: Line[]): Promise<void> {
    const rows = lines.map(({ number, values, stored }) => ({
      line: number,
      is_new: !stored,
      id: stored?.id,
      ...values,
    }));
    await this.manager.query(
      `INSERT INTO import_lines SELECT * FROM json_populate_recordset(NULL::import_lines, $1)`,
      [JSON.stringify(rows)],
    );
  }

  /**
   * @param told of what is written, every now and then
   * @throws DomainError validation-failed where another writer was faster
   */
  async write(told: (counts: Counts) => void): Promise<Counts> {
    const { manager, kind, columns } = this;
    const constraints = Object.fromEntries(
      Object.entries(kind.constraints ?? {}).map(([name, errors]) => [name, () => invalid(errors)]),
    );
    await manager.query(`ANALYZE import_lines`);
    // What the triggers sort, and the words that wait for the index of the search, in memory rather than in files.
    await manager.query(`SET LOCAL work_mem = '64MB'`);
    const counts = { inserted: 0, updated: 0, unchanged: 0 };
    const inserted = kind.numbered ? ['id', ...columns] : columns;
    const changing = columns.filter((column) => !kind.fixed?.includes(column));
    for (const range of await this.ranges()) {
      const insert = manager.query<[{ rows: number }]>(insertSql(kind.table, inserted), range);
      counts.inserted += (await mapConstraints(insert, constraints))[0].rows;
      if (changing.length > 0) {
        const update = manager.query<[unknown, number]>(updateSql(kind.table, changing), range);
        counts.updated += (await mapConstraints(update, constraints))[1];
      }
      told(counts);
    }
    const [{ total }] = await manager.query<[{ total: number }]>(
      `SELECT count(*) AS total FROM import_lines`,
    );
    return { ...counts, unchanged: total - counts.inserted - counts.updated };
  }

  /** Which lines are written at a time, the first and the last. */
  private async ranges(): Promise<[number, number][]> {
    const [{ last }] = await this.manager.query<[{ last: number }]>(
      `SELECT coalesce(max(line), 0) AS last FROM import_lines`,
    );
    const step = this.kind.numbered ? LINES_OF_A_LEVEL : WRITTEN_AT_ONCE;
    const ranges: [number, number][] = [];
    for (let from = 1; from <= last; from += step) ranges.push([from, from + step - 1]);
    return ranges;
  }
}

const insertSql = (table: string, columns: string[]): string =>
  `WITH made AS (
     INSERT INTO ${table} (${columns.join(', ')})
     SELECT ${columns.join(', ')} FROM import_lines
     WHERE is_new AND line BETWEEN $1 AND $2 ORDER BY line RETURNING 1
   )
   SELECT count(*) AS rows FROM made`;

/** Leaves rows alone that are as they should be, and with them their updated_at. */
const updateSql = (table: string, columns: string[]): string =>
  `UPDATE ${table} target SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
   FROM import_lines given
   WHERE given.id = target.id AND NOT given.is_new AND given.line BETWEEN $1 AND $2
     AND ROW(${columns.map((column) => `target.${column}`).join(', ')})
       IS DISTINCT FROM ROW(${columns.map((column) => `given.${column}`).join(', ')})`;
