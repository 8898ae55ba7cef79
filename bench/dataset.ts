import pg from 'pg';
import { hashPassword } from '../src/auth/passwords.js';
import { hashSecret, makeSecret } from '../src/auth/token.js';
import { migrate } from '../src/database/migrate.js';
import type { Shutdown } from '../src/shutdown.js';
import { load } from './load.js';
import type { Postgres } from './postgres.js';

const PHONES = 32;
/** Of the session that is only read, every fifth purchase is scanned. */
export const SCANNED_EVERY = 5;

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

  private constructor(
    readonly url: string,
    readonly purchases: number,
  ) {
    this.pool = new pg.Pool({ connectionString: url, max: 2 });
    this.pool.on('error', () => undefined);
  }

  static async make(postgres: Postgres, purchases: number, shutdown: Shutdown): Promise<Dataset> {
    const url = new URL(postgres.url);
    const name = `bench_${purchases}`;
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(`CREATE DATABASE ${name}`).finally(() => client.end());
    url.pathname = `/${name}`;
    await migrate(url.href);
    const dataset = new Dataset(url.href, purchases);
    const began = performance.now();
    await load(url.href, purchases);
    dataset.loaded = (performance.now() - began) / 1000;
    shutdown.add(() => dataset.pool.end());
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

  /** A session that nobody scans in: the same for all who read. */
  readSession(): Promise<number> {
    return (this.reading ??= this.openSession(`p.id % ${SCANNED_EVERY} = 0`));
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

  private async addPhones(): Promise<void> {
    const hash = await hashPassword(this.password);
    const users = await this.query<{ id: number; login: string }>(
      `INSERT INTO users (name, login, email, password_hash)
       SELECT 'Phone ' || n, 'phone' || n, 'phone' || n || '@recense.example', $1 FROM generate_series(1, $2::integer) n
       RETURNING id, login`,
      [hash, PHONES],
    );
    await this.query(
      `INSERT INTO user_roles (user_id, role_id) SELECT u.id, r.id FROM users u JOIN roles r ON r.name = 'manager'`,
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
