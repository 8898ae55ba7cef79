import type { EntityManager } from 'typeorm';
import { mapConstraints } from '../database/errors.js';
import { invalid } from '../common/errors.js';
import type { Kind, Line } from './kind.js';

export interface Counts {
  added: number;
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

  /** @throws DomainError validation-failed where another writer was faster */
  async write(): Promise<Counts> {
    const { manager, kind, columns } = this;
    const constraints = Object.fromEntries(
      Object.entries(kind.constraints ?? {}).map(([name, errors]) => [name, () => invalid(errors)]),
    );
    await manager.query(`ANALYZE import_lines`);
    // What the triggers sort, and the words that wait for the index of the search, in memory rather than in files.
    await manager.query(`SET LOCAL work_mem = '64MB'`);
    const inserted = kind.numbered ? ['id', ...columns] : columns;
    await mapConstraints(manager.query(insertSql(kind.table, inserted)), constraints);
    const changing = columns.filter((column) => !kind.fixed?.includes(column));
    const update = manager.query<[unknown, number]>(updateSql(kind.table, changing));
    const [, updated] = await mapConstraints(update, constraints);
    const [{ added, total }] = await manager.query<[{ added: number; total: number }]>(
      `SELECT count(*) FILTER (WHERE is_new) AS added, count(*) AS total FROM import_lines`,
    );
    return { added, updated, unchanged: total - added - updated };
  }
}

const insertSql = (table: string, columns: string[]): string =>
  `INSERT INTO ${table} (${columns.join(', ')})
   SELECT ${columns.join(', ')} FROM import_lines WHERE is_new ORDER BY line`;

/** Leaves rows alone that are as they should be, and with them their updated_at. */
const updateSql = (table: string, columns: string[]): string =>
  `UPDATE ${table} target SET ${columns.map((column) => `${column} = given.${column}`).join(', ')}
   FROM import_lines given
   WHERE given.id = target.id AND NOT given.is_new
     AND ROW(${columns.map((column) => `target.${column}`).join(', ')})
       IS DISTINCT FROM ROW(${columns.map((column) => `given.${column}`).join(', ')})`;
