import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import { migrations } from '../src/database/migrations.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { lint } from './support/migration-lint.js';
import type { Before } from './support/migration-lint.js';

/** Up to here the migrations made the schema of the first release, on databases that were empty. */
const FIRST_RELEASE = 1763600009000;

/** They have a handful of rows everywhere. */
const SMALL = ['migrations', 'permissions', 'roles', 'role_permissions'];

/** By the migration's name: complaints that are accepted, each with the reason. */
const WAIVED: Record<string, Record<string, string>> = {
  LoginKeys1763600012000: Object.fromEntries(
    ['login', 'email'].map((column) => [
      `uq_users_${column}: DROP INDEX waits for all who use its table, and they for it; use CONCURRENTLY`,
      'the new index takes its name in the same moment, so that the release before knows the error; the wait is short',
    ]),
  ),
  CountingParts1763600026000: {
    'inventory_counters: INSERT … SELECT reads a table of any size; do it in batches, with transaction = false':
      'it has 32 rows for each open session, of which there are few',
  },
  PurchaseCounts1763600160000: {
    'purchase_counts: INSERT … SELECT reads a table of any size; do it in batches, with transaction = false':
      'only writers of purchases wait, for less than while a session is opened, which reads them all too',
  },
  LinkedCodes1763600191000: {
    'purchase_codes: UPDATE and DELETE lock rows until the end; do it in batches, with transaction = false':
      'of codes that were linked, which are few; only whoever links the same one once more waits',
  },
  ContinuedScans1763600192000: {
    'inventory_undone_scans: UPDATE and DELETE lock rows until the end; do it in batches, with transaction = false':
      'what is undone is undone: nobody else writes these rows',
  },
  EpcUris1763600193000: {
    'purchase_codes: INSERT … SELECT reads a table of any size; do it in batches, with transaction = false':
      'only whoever brings one of these as a new code waits',
  },
};

async function before(database: TestDatabase): Promise<Before> {
  const tables = await database.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const checks = await database.query<{ name: string }>(
    `SELECT c.conrelid::regclass || '.' || a.attname AS name
     FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
     WHERE c.contype = 'c' AND c.convalidated
       AND pg_get_constraintdef(c.oid) = 'CHECK ((' || quote_ident(a.attname) || ' IS NOT NULL))'`,
  );
  return {
    tables: new Set(tables.map(({ name }) => name).filter((name) => !SMALL.includes(name))),
    neverNull: new Set(checks.map(({ name }) => name)),
  };
}

/** Applies a migration and gives the statements that it really ran. */
async function statementsOf(Migration: (typeof migrations)[number], runner: QueryRunner): Promise<string[]> {
  const statements: string[] = [];
  const recording = new Proxy(runner, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        if (property === 'query') statements.push(args[0] as string);
        return Reflect.apply(value, property === 'query' ? target : recording, args);
      };
    },
  });
  await new Migration().up(recording);
  return statements;
}

describe('reliability-31-migration-lint', () => {
  let database: TestDatabase;
  let source: DataSource;
  let runner: QueryRunner;
  beforeAll(async () => {
    database = await createTestDatabase('template0');
    source = await new DataSource({ type: 'postgres', url: database.url }).initialize();
    runner = source.createQueryRunner();
  });
  afterAll(async () => {
    await runner.release();
    await source.destroy();
    await database.drop();
  });

  it('every migration since the first release keeps nobody waiting', async () => {
    const complaints: string[] = [];
    for (const Migration of migrations) {
      const context = await before(database);
      const statements = await statementsOf(Migration, runner);
      expect(statements).not.toEqual([]);
      if (Number(Migration.name.slice(-13)) <= FIRST_RELEASE) continue;
      const { transaction } = new Migration() as { transaction?: boolean };
      const found = await lint(statements, transaction ?? true, context);
      const waived = Object.keys(WAIVED[Migration.name] ?? {});
      complaints.push(
        ...found
          .filter((complaint) => !waived.includes(complaint))
          .map((text) => `${Migration.name}: ${text}`),
        ...waived
          .filter((text) => !found.includes(text))
          .map((text) => `${Migration.name}: waived for nothing: ${text}`),
      );
    }
    expect(complaints).toEqual([]);
  });

  it('knows of the tables that are there, of the small ones, and of checked columns', async () => {
    await database.query(`ALTER TABLE suppliers ADD CONSTRAINT ck_phone CHECK (phone IS NOT NULL)`);
    await database.query(`ALTER TABLE suppliers ADD CONSTRAINT ck_mail CHECK (email IS NOT NULL) NOT VALID`);
    const { tables, neverNull } = await before(database);
    expect([tables.has('purchases'), tables.has('roles'), [...neverNull]]).toEqual([
      true,
      false,
      ['suppliers.phone'],
    ]);
  });

  it('the first migrations would be refused, as they were for empty databases', async () => {
    const statements = [`CREATE INDEX ix_suppliers_phone ON suppliers (phone)`];
    expect(await lint(statements, true, await before(database))).toHaveLength(1);
  });
});

const context: Before = {
  tables: new Set(['purchases', 'articles']),
  neverNull: new Set(['purchases.notes']),
};

describe('reliability-31-migration-lint: in a transaction', () => {
  it.each([
    [`CREATE INDEX ix ON purchases (notes)`, /keeps writers of purchases waiting; use CONCURRENTLY$/],
    [`CREATE UNIQUE INDEX ix ON public.purchases (notes)`, /keeps writers of purchases waiting/],
    [`CREATE INDEX CONCURRENTLY ix ON purchases (notes)`, /needs a migration with transaction = false$/],
    [`DROP INDEX ix_purchases_article`, /use CONCURRENTLY$/],
    [`ALTER TABLE purchases ADD COLUMN a text NOT NULL`, /^purchases\.a: NOT NULL without DEFAULT/],
    [`ALTER TABLE purchases ADD COLUMN a uuid DEFAULT gen_random_uuid()`, /rewrites the table$/],
    [`ALTER TABLE purchases ADD COLUMN a bigserial`, /rewrites the table$/],
    [
      `ALTER TABLE purchases ADD COLUMN a text GENERATED ALWAYS AS (notes || '') STORED`,
      /GENERATED in ADD COLUMN/,
    ],
    [`ALTER TABLE purchases ADD COLUMN a integer GENERATED ALWAYS AS IDENTITY`, /IDENTITY in ADD COLUMN/],
    [`ALTER TABLE purchases ADD COLUMN a integer REFERENCES articles (id)`, /FOREIGN in ADD COLUMN/],
    [`ALTER TABLE purchases ADD COLUMN a integer UNIQUE`, /UNIQUE in ADD COLUMN/],
    [`ALTER TABLE purchases ADD COLUMN a integer CHECK (a > 0)`, /CHECK in ADD COLUMN/],
    [
      `ALTER TABLE purchases ADD COLUMN a integer, ALTER COLUMN notes TYPE varchar(9)`,
      /another type rewrites/,
    ],
    [
      `ALTER TABLE purchases ADD CONSTRAINT fk FOREIGN KEY (article_id) REFERENCES articles (id)`,
      /^fk: .* NOT VALID/,
    ],
    [`ALTER TABLE purchases ADD CONSTRAINT ck CHECK (purchase_price > 0)`, /^ck: .* NOT VALID/],
    [`ALTER TABLE purchases ADD CONSTRAINT uq UNIQUE (notes)`, /^uq: .* USING INDEX$/],
    [`ALTER TABLE purchases ADD PRIMARY KEY (id)`, /USING INDEX$/],
    [`ALTER TABLE purchases ADD CONSTRAINT ex EXCLUDE USING gist (code WITH =)`, /^ex: reads purchases$/],
    [`ALTER TABLE purchases VALIDATE CONSTRAINT ck`, /^ck: VALIDATE CONSTRAINT reads the table/],
    [`ALTER TABLE purchases ALTER COLUMN code SET NOT NULL`, /^purchases\.code: SET NOT NULL reads/],
    [
      `ALTER TABLE purchases DROP COLUMN notes`,
      /^purchases\.notes: the release before still uses the column$/,
    ],
    [`ALTER TABLE purchases RENAME COLUMN notes TO remarks`, /unknown to the release before/],
    [`ALTER TABLE purchases RENAME TO bought`, /unknown to the release before/],
    [`ALTER TABLE purchases CLUSTER ON pk_purchases`, /^purchases: AT_ClusterOn is not known to be short$/],
    [`DROP TABLE purchases`, /^purchases: the release before still uses the table$/],
    [`UPDATE purchases SET notes = NULL`, /^purchases: .* in batches/],
    [`DELETE FROM purchases WHERE id < 9`, /^purchases: .* in batches/],
    [`CREATE TABLE t (); INSERT INTO t SELECT id FROM purchases`, /^t: INSERT … SELECT/],
    [`LOCK TABLE purchases`, /^LockStmt is not known to be short$/],
    [`TRUNCATE purchases`, /^TruncateStmt /],
    [`VACUUM FULL purchases`, /^VacuumStmt /],
    [`REINDEX TABLE purchases`, /^ReindexStmt /],
    [`DO $$ BEGIN UPDATE purchases SET notes = NULL; END $$`, /^DoStmt /],
    [`COMMIT`, /^TransactionStmt /],
    [`SET lock_timeout = 0`, /^SET lock_timeout outlasts the migration/],
  ])('%s is refused', async (sql, complaint) => {
    expect(await lint([sql], true, context)).toEqual([expect.stringMatching(complaint)]);
  });

  it.each([
    `CREATE TABLE t (id integer, purchase_id integer REFERENCES purchases (id)); CREATE INDEX ix ON t (id); DROP INDEX ix`,
    `CREATE TABLE t (id integer); ALTER TABLE t ADD COLUMN a text NOT NULL; UPDATE t SET a = ''; DROP TABLE t`,
    `ALTER TABLE purchases ADD COLUMN a text`,
    `ALTER TABLE purchases ADD COLUMN a boolean NOT NULL DEFAULT false`,
    `ALTER TABLE purchases ADD COLUMN a bigint NOT NULL DEFAULT extract(epoch FROM now()) * 1000`,
    `ALTER TABLE purchases ADD CONSTRAINT ck CHECK (purchase_price > 0) NOT VALID`,
    `ALTER TABLE purchases ADD CONSTRAINT fk FOREIGN KEY (article_id) REFERENCES articles (id) NOT VALID`,
    `ALTER TABLE purchases ADD CONSTRAINT uq UNIQUE USING INDEX uq_purchases_notes`,
    `ALTER TABLE purchases ALTER COLUMN notes SET NOT NULL`,
    `ALTER TABLE purchases ALTER COLUMN notes DROP NOT NULL, ALTER COLUMN notes SET DEFAULT '', DROP CONSTRAINT ck`,
    `ALTER TABLE roles ADD COLUMN a text NOT NULL; UPDATE roles SET a = name; DELETE FROM permissions`,
    `INSERT INTO permissions (name) VALUES ('audit.view')`,
    `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$`,
    `CREATE TRIGGER t AFTER INSERT ON purchases FOR EACH STATEMENT EXECUTE FUNCTION f(); DROP TRIGGER t ON purchases`,
  ])('%s is allowed', async (sql) => {
    expect(await lint([sql], true, context)).toEqual([]);
  });
});

describe('reliability-31-migration-lint: without a transaction', () => {
  const framed = (sql: string) => [`SET lock_timeout = 0`, sql, `RESET lock_timeout`];

  it.each([
    [`CREATE INDEX CONCURRENTLY ix ON purchases (notes)`, /^ix: .* DROP INDEX CONCURRENTLY IF EXISTS first$/],
    [`CREATE INDEX CONCURRENTLY IF NOT EXISTS ix ON purchases (notes)`, /^ix: a try that failed/],
    [
      `DROP INDEX CONCURRENTLY IF EXISTS other; CREATE INDEX CONCURRENTLY ix ON purchases (notes)`,
      /^ix: a try/,
    ],
    [`DROP INDEX IF EXISTS ix`, /^DropStmt does not belong/],
    [`CREATE INDEX ix ON purchases (notes)`, /^IndexStmt does not belong/],
    [`ALTER TABLE purchases ADD COLUMN a text`, /^AlterTableStmt does not belong/],
    [`UPDATE purchases SET notes = NULL WHERE notes = ''`, /^purchases: a change without LIMIT/],
    [`CREATE TABLE t ()`, /^CreateStmt does not belong/],
  ])('%s is refused', async (sql, complaint) => {
    expect(await lint(framed(sql), false, context)).toEqual([expect.stringMatching(complaint)]);
  });

  it.each([
    `DROP INDEX CONCURRENTLY IF EXISTS ix; CREATE INDEX CONCURRENTLY ix ON purchases (notes)`,
    `ALTER TABLE purchases VALIDATE CONSTRAINT ck`,
    `SELECT pg_get_indexdef('ix'::regclass)`,
    `UPDATE purchases SET notes = NULL WHERE id IN (SELECT id FROM purchases WHERE notes = '' LIMIT 1000)`,
  ])('%s is allowed', async (sql) => {
    expect(await lint(framed(sql), false, context)).toEqual([]);
  });

  it.each([
    [[`ALTER TABLE purchases VALIDATE CONSTRAINT ck`]],
    [[`SET lock_timeout = 0`, `ALTER TABLE purchases VALIDATE CONSTRAINT ck`]],
    [[`SET lock_timeout = 5000`, `ALTER TABLE purchases VALIDATE CONSTRAINT ck`, `RESET lock_timeout`]],
  ])('%j gives up on a lock that it could wait for, or lets the next one wait', async (statements) => {
    expect(await lint(statements, false, context)).toEqual([
      expect.stringMatching(/^begin with SET lock_timeout/),
    ]);
  });
});
