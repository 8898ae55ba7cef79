import pg from 'pg';
import { hashPassword } from '../src/auth/passwords.js';
import { hashSecret, makeSecret } from '../src/auth/token.js';
import { migrate } from '../src/database/migrate.js';
import { FREEZE } from '../src/inventories/freeze.queries.js';
import type { Shutdown } from '../src/shutdown.js';
import { load } from './load.js';
import type { Postgres } from './postgres.js';
import { Unscanned } from './unscanned.js';

const PHONES = 32;
const CLOSED_LINES = 1_000_000;
/** Of the session that is only read, every fifth purchase is scanned. */
export const SCANNED_EVERY = 5;

/** What a database has. */
export interface Size {
  purchases: number;
  /** Sessions that were closed before, of 1 000 000 lines each, or of all purchases where there are fewer. */
  closed: number;
}

/** A database with purchases, users with tokens, and sessions. */
export class Dataset {
  readonly password = 'correct horse battery staple';
  readonly logins: string[] = [];
  private readonly authorizations: string[] = [];
  private readonly pool: pg.Pool;
  /** Seconds that filling it took. */
  loaded = 0;
  private turn = 0;
  private reading?: Promise<number>;
  private scanning?: Unscanned;

  private constructor(
    readonly url: string,
    readonly name: string,
    readonly purchases: number,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  /** Anew, or as an earlier run has left it. */
  static async make(postgres: Postgres, { purchases, closed }: Size, shutdown: Shutdown): Promise<Dataset> {
    const url = new URL(postgres.url);
    const name = `bench_${purchases}` + (closed > 0 ? `_${closed}` : '');
    url.pathname = `/${name}`;
    const dataset = new Dataset(url.href, name, purchases);
    shutdown.add(() => dataset.pool.end());
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      // Only a database that is complete says how long that took.
      const { rows } = await client.query<{ loaded: string | null }>(
        `SELECT shobj_description(oid, 'pg_database') AS loaded FROM pg_database WHERE datname = $1`,
        [name],
      );
      dataset.loaded = Number(rows[0]?.loaded);
      if (!dataset.loaded) {
        await client.query(`DROP DATABASE IF EXISTS ${name}`);
        await client.query(`CREATE DATABASE ${name}`);
        await migrate(url.href);
        const began = performance.now();
        await load(url.href, purchases);
        dataset.loaded = (performance.now() - began) / 1000;
        await dataset.addUsers();
        for (let n = 0; n < closed; n++) await dataset.closeSession(n);
        await dataset.query('VACUUM ANALYZE');
        await client.query(`COMMENT ON DATABASE ${name} IS '${dataset.loaded}'`);
      } else await migrate(url.href);
    } finally {
      await client.end();
    }
    await dataset.addPhones();
    return dataset;
  }

  /** The Authorization of one phone after the other. */
  authorization(): string {
    return this.authorizations[this.turn++ % PHONES]!;
  }

  /** A new session as the service opens one; the purchases that the condition names are scanned already. */
  async openSession(isScanned = 'false'): Promise<number> {
    // All at once, as the service does: whoever follows open sessions must not see one before its lines.
    const [session] = await this.query<{ id: number }>(
      `WITH session AS (
         INSERT INTO inventories (year, inventory_date, opened_by) VALUES (2026, '2026-11-16', 1) RETURNING id
       ), lines AS (
         INSERT INTO inventory_lines (inventory_id, purchase_id, scan_id, scanned_at, scanned_by)
         SELECT session.id, p.id, CASE WHEN ${isScanned} THEN nextval('inventory_scan_seq') END,
           CASE WHEN ${isScanned} THEN now() END, CASE WHEN ${isScanned} THEN 1 END
         FROM session, purchases p ORDER BY p.id
         RETURNING scan_id
       )
       SELECT id, open_counters(id, (SELECT count(scan_id) FROM lines), (SELECT count(*) FROM lines)) FROM session`,
    );
    const { id } = session!;
    await this.query(`VACUUM (ANALYZE) inventory_lines`); // now, rather than by itself in the middle of a round
    return id;
  }

  /** A session that nobody scans in: the same for all who read, in the next run too. */
  readSession(): Promise<number> {
    return (this.reading ??= this.findOrOpen('Only read', `p.id % ${SCANNED_EVERY} = 0`));
  }

  /**
   * At least so many purchases that are not scanned: of the sessions of the last turn, while they have enough; of one session
   * where one can have as many.
   */
  async unscanned(count: number): Promise<Unscanned> {
    const left = count > this.purchases ? this.scanning?.left : this.scanning?.leftOfSession;
    if (!this.scanning || left! < count) {
      const sessions: number[] = [];
      while (sessions.length * this.purchases < count) sessions.push(await this.openSession());
      this.scanning = new Unscanned(sessions, this.purchases);
    }
    return this.scanning;
  }

  /** As if all sessions were closed: a purchase joins each open one, of which nobody has dozens. */
  async endSessions(): Promise<void> {
    await this.query(`DELETE FROM inventory_counters`);
  }

  /** What the importer finds articles by. */
  async articles(): Promise<string[]> {
    const rows = await this.query<{ name: string }>(
      `SELECT name FROM articles WHERE name NOT LIKE '%"%' ORDER BY id LIMIT 1000`,
    );
    return rows.map(({ name }) => name);
  }

  /** Writes what is due now, so that no round pays for another one's. */
  async settle(): Promise<void> {
    await this.query('CHECKPOINT');
  }

  /** What an earlier run has left under this label; else a new one. */
  private async findOrOpen(label: string, isScanned: string): Promise<number> {
    const [found] = await this.query<{ id: number }>(
      `SELECT id FROM inventories WHERE label = $1 AND id IN (SELECT inventory_id FROM inventory_counters)`,
      [label],
    );
    if (found) return found.id;
    const id = await this.openSession(isScanned);
    await this.query(`UPDATE inventories SET label = $2 WHERE id = $1`, [id, label]);
    return id;
  }

  /** One of the past, as the service leaves it after a day: of at most 1 000 000 purchases, four fifths of them scanned. */
  private async closeSession(n: number): Promise<void> {
    const first = (n * CLOSED_LINES) % this.purchases;
    const [session] = await this.query<{ id: number; scanned: number; total: number }>(
      `WITH session AS (
         INSERT INTO inventories (year, inventory_date, opened_by, closed_by, closed_at, final_scanned, final_total)
         VALUES (2005 + $1, make_date(2005 + $1, 11, 16), 1, 1, now(), 0, 0) RETURNING id
       ), lines AS (
         INSERT INTO inventory_closed_lines (inventory_id, purchase_id, scan_id, scanned_at, scanned_by)
         SELECT s.id, p.id, CASE WHEN is_scanned THEN nextval('inventory_scan_seq') END,
           CASE WHEN is_scanned THEN now() END, CASE WHEN is_scanned THEN 1 END
         FROM session s, LATERAL (
           SELECT id, id % ${SCANNED_EVERY} > 0 AS is_scanned FROM purchases
           WHERE id > $2 AND id <= $2 + ${CLOSED_LINES} ORDER BY id) p
         RETURNING scan_id
       )
       SELECT id, (SELECT count(scan_id) FROM lines) AS scanned, (SELECT count(*) FROM lines) AS total FROM session`,
      [n, first],
    );
    const { id, scanned, total } = session!;
    await this.query(`UPDATE inventories SET final_scanned = $2, final_total = $3 WHERE id = $1`, [
      id,
      scanned,
      total,
    ]);
    await this.query(FREEZE, [id, '01-01']);
  }

  private async addUsers(): Promise<void> {
    const hash = await hashPassword(this.password);
    await this.query(
      `INSERT INTO users (name, login, email, password_hash)
       SELECT 'Phone ' || n, 'phone' || n, 'phone' || n || '@recense.example', $1 FROM generate_series(1, $2::integer) n`,
      [hash, PHONES],
    );
    await this.query(
      `INSERT INTO user_roles (user_id, role_id) SELECT u.id, r.id FROM users u JOIN roles r ON r.name = 'admin'`,
    );
  }

  private async addPhones(): Promise<void> {
    const users = await this.query<{ id: number; login: string }>(
      `SELECT id, login FROM users WHERE login LIKE 'phone%' ORDER BY id`,
    );
    for (const { id, login } of users) {
      const secret = makeSecret();
      const [token] = await this.query<{ id: number }>(
        `INSERT INTO access_tokens (user_id, secret_hash) VALUES ($1, $2) RETURNING id`,
        [id, hashSecret(secret)],
      );
      this.logins.push(login);
      this.authorizations.push(`Bearer ${token!.id}|${secret}`);
    }
  }

  private async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }
}
