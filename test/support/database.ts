import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';

export interface TestDatabase {
  url: string;
  /** Runs SQL beside the app, as the tests' own look into the database. */
  query: <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) => Promise<Row[]>;
  drop: () => Promise<void>;
}

const serverUrl = (): URL => new URL(process.env.TEST_DATABASE_URL as string);

/** A migrated database of its own, copied from the template; `template0` gives an empty one. */
export async function createTestDatabase(template = 'test_template', locale?: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  const inLocale = locale ? ` LOCALE '${locale}' ENCODING 'UTF8'` : '';
  await onServer(`CREATE DATABASE ${name} TEMPLATE ${template}${inLocale}`);
  const url = serverUrl();
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 5 });
  pool.on('error', () => undefined);
  return {
    url: url.href,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await pool.query<Row>(sql, values)).rows,
    drop: async () => {
      await pool.end();
      await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

const onServer = (sql: string) => ask({ url: serverUrl().href }, sql);

/** Runs SQL on a connection of its own, which ends with it. */
export async function ask<Row extends pg.QueryResultRow>(
  { url, options }: { url: string; options?: string },
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options });
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** From now on, what PostgreSQL says of each deadlock in a database: who waited for whom, with which SQL. */
export async function watchDeadlocks(database: TestDatabase): Promise<() => Promise<string[]>> {
  const name = new URL(database.url).pathname.slice(1);
  const log = () => readFile(process.env.TEST_DATABASE_LOG!, 'utf8');
  const { length: start } = await log();
  const details = new RegExp(`(?<= ${name} DETAIL:  )Process .* waits .*(\\n\\t.*)*`, 'g');
  return async () => (await log()).slice(start).match(details) ?? [];
}
