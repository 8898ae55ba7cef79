import { hashSecret, makeSecret } from '../../../src/auth/token.js';
import { PASSWORD_HASH } from '../../support/app.js';
import type { Queries } from './postgres.js';

/** What the drills work on: purchases with a code each, a session that expects them, and phones. */
export interface World {
  session: number;
  codes: string[];
  /** A token for each phone; they may scan. */
  phones: string[];
  /** A token that may do everything. */
  admin: string;
}

/** Made by SQL alone, so that it is there before any service. */
export async function makeWorld(postgres: Queries, purchases: number, phones = 20): Promise<World> {
  const [article] = await postgres.query<{ id: number }>(
    `INSERT INTO articles (name) VALUES ('Vidéoprojecteur') RETURNING id`,
  );
  const codes = await postgres.query<{ code: string }>(
    `INSERT INTO purchases (article_id, code, purchase_date)
     SELECT $1, 'D' || n, '2026-01-01' FROM generate_series(1, $2::int) n RETURNING code`,
    [article!.id, purchases],
  );
  const admin = await makeToken(postgres, 'admin', 'admin');
  const tokens: string[] = [];
  for (let n = 1; n <= phones; n++) tokens.push(await makeToken(postgres, `phone${n}`, 'operator'));
  return {
    session: await openSession(postgres),
    codes: codes.map(({ code }) => code),
    phones: tokens,
    admin,
  };
}

/** What POST /inventories writes. */
export async function openSession(postgres: Queries): Promise<number> {
  const [{ id }] = (await postgres.query<{ id: number }>(
    `WITH opened AS (
       INSERT INTO inventories (year, inventory_date, opened_by)
       SELECT 2026, '2026-11-16', id FROM users WHERE login = 'admin' RETURNING id
     ), lines AS (
       INSERT INTO inventory_lines (inventory_id, purchase_id)
       SELECT opened.id, p.id FROM opened, purchases p WHERE p.deleted_at IS NULL
     )
     SELECT id FROM opened`,
  )) as [{ id: number }];
  await postgres.query(
    `SELECT open_counters($1, 0, (SELECT count(*)::int FROM inventory_lines WHERE inventory_id = $1))`,
    [id],
  );
  await postgres.query('ANALYZE'); // as the service does, and autovacuum
  return id;
}

async function makeToken(postgres: Queries, login: string, role: string): Promise<string> {
  const secret = makeSecret();
  const [{ id }] = (await postgres.query<{ id: number }>(
    `WITH made AS (
       INSERT INTO users (name, login, email, password_hash)
       VALUES ($1::text, $1, $1 || '@drill.example', $2) RETURNING id
     ), roles_given AS (
       INSERT INTO user_roles SELECT made.id, roles.id FROM made, roles WHERE roles.name = $3
     )
     INSERT INTO access_tokens (user_id, secret_hash) SELECT id, $4 FROM made RETURNING id`,
    [login, PASSWORD_HASH, role, hashSecret(secret)],
  )) as [{ id: number }];
  return `${id}|${secret}`;
}
