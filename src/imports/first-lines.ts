import type { EntityManager } from 'typeorm';

/** On which line each natural key of the file is first. The database remembers: a file may have any number of them. */
export class FirstLines {
  private constructor(private readonly manager: EntityManager) {}

  static async begin(manager: EntityManager): Promise<FirstLines> {
    // By hash, since an index takes no text as long as a name may be.
    await manager.query(
      `CREATE TEMPORARY TABLE import_keys (field text, hash bytea, line integer, PRIMARY KEY (field, hash))
       ON COMMIT DROP`,
    );
    return new FirstLines(manager);
  }

  /** The line that was the first to have each of these keys, itself included; to be asked in the order of the file. */
  async of(field: string, keys: string[], lines: { number: number }[]): Promise<number[]> {
    const numbers = lines.map(({ number }) => number);
    const added = await this.manager.query<unknown[]>(
      `INSERT INTO import_keys (field, hash, line)
       SELECT $1, ${hash('key')}, line FROM unnest($2::text[], $3::integer[]) AS given (key, line)
       ON CONFLICT DO NOTHING RETURNING line`,
      [field, keys, numbers],
    );
    if (added.length === keys.length) return numbers;
    const rows = await this.manager.query<{ line: number }[]>(
      `SELECT first.line FROM unnest($2::text[]) WITH ORDINALITY AS given (key, n)
       JOIN import_keys first ON first.field = $1 AND first.hash = ${hash('given.key')} ORDER BY n`,
      [field, keys],
    );
    return rows.map(({ line }) => line);
  }

  /** Those of the keys that a line has. */
  async taken(field: string, keys: string[]): Promise<string[]> {
    const rows = await this.manager.query<{ key: string }[]>(
      `SELECT key FROM unnest($2::text[]) AS given (key)
       JOIN import_keys ON field = $1 AND hash = ${hash('key')}`,
      [field, keys],
    );
    return rows.map(({ key }) => key);
  }
}

const hash = (key: string): string => `sha256(convert_to(${key}, 'UTF8'))`;
