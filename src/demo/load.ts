import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { hashPassword, isPassword } from '../auth/passwords.js';
import { actAs } from '../database/audit.js';
import type { Env } from '../config/env.js';
import { makeCode } from '../purchases/code.js';
import { loadAttachments } from './load-attachments.js';
import { loadImport } from './load-import.js';
import { Seal } from '../webhooks/sealing.js';
import { newSecret } from '../webhooks/signing.js';
import { loadSession } from './load-session.js';
import { demoOrganisation } from './organisation.js';
import { articleFields, ownFields, purchaseFields } from './own-fields.data.js';
import type { DemoOrganisation } from './organisation.js';

export interface DemoLogin {
  login: string;
  password: string;
}

const LOGIN = 'demo';

/** What is loaded with ids of its own, from 1: of none of it there is anything in an empty database. */
const TABLES = [
  'users',
  'brands',
  'categories',
  'amortization_categories',
  'suppliers',
  'locations',
  'fields',
  'articles',
  'tiers',
  'purchases',
  'equipments',
  'imports',
  'inventories',
  'inventory_unknown_codes',
  'inventory_late_scans',
  'attachments',
  'webhooks',
  'webhook_deliveries',
];

/**
 * Loads the demo organisation into an empty database; null where the database is somebody's own, and where its user was
 * disabled or has another password by now.
 */
export async function loadDemo(url: string, env: Env): Promise<DemoLogin | null> {
  const passwordFile = join(env.DATA_DIR, 'demo-password');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    if (await isEmpty(client)) {
      // Kept before the data is, so that no crash leaves a demo that nobody can log in to.
      writeFileSync(passwordFile, randomBytes(12).toString('base64url'), { mode: 0o600 });
      const hash = await hashPassword(readFileSync(passwordFile, 'utf8'));
      await client.query('BEGIN');
      await client.query(`SELECT ${actAs('$1')}`, [JSON.stringify({ command: 'demo' })]);
      await load(client, demoOrganisation(), env, hash);
      await client.query('COMMIT');
      await client.query('VACUUM ANALYZE');
    }
    if (!existsSync(passwordFile)) return null;
    const password = readFileSync(passwordFile, 'utf8');
    const { rows } = await client.query<{ password_hash: string }>(
      `SELECT password_hash FROM users WHERE login = $1 AND is_active`,
      [LOGIN],
    );
    return (await isPassword(rows[0]?.password_hash, password)) ? { login: LOGIN, password } : null;
  } finally {
    await client.end();
  }
}

async function isEmpty(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    TABLES.map((table) => `(SELECT FROM ${table} LIMIT 1)`).join(' UNION ALL '),
  );
  return rows.length === 0;
}

async function load(client: pg.Client, demo: DemoOrganisation, env: Env, hash: string): Promise<void> {
  /** Inserts rows of one table in their order, so that the nth row gets id n + 1. */
  const insert = async (table: string, rows: object[]): Promise<void> => {
    const columns = Object.keys(rows[0] ?? {}).join(', ');
    await client.query(
      `INSERT INTO ${table} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1)`,
      [JSON.stringify(rows)],
    );
  };
  const id = (index: number | null): number | null => (index === null ? null : index + 1);
  // No rollback gives the numbers back that a load took which was broken off.
  for (const sequence of [...TABLES.map((table) => `${table}_id_seq`), 'inventory_scan_seq'])
    await client.query(`ALTER SEQUENCE ${sequence} RESTART`);

  const users = [...demo.users.map(({ role: _, ...user }) => ({ ...user, is_active: true }))];
  const demoUser = {
    name: 'Compte de démonstration',
    login: LOGIN,
    email: 'demo@val-armor.example',
    is_active: true,
  };
  // Nobody knows the passwords of the others: they are there because their scans name them.
  const nobody = await hashPassword(randomBytes(32).toString('hex'));
  await insert('users', [
    ...users.map((user) => ({ ...user, password_hash: nobody })),
    { ...demoUser, password_hash: hash },
  ]);
  await client.query(
    `INSERT INTO user_roles (user_id, role_id)
     SELECT u.id, r.id FROM json_to_recordset($1) AS x (login text, role text) JOIN users u USING (login) JOIN roles r ON r.name = x.role`,
    [JSON.stringify([...demo.users, { login: LOGIN, role: 'admin' }])],
  );

  await insert('brands', demo.brands);
  await insert('categories', demo.categories);
  await insert(
    'amortization_categories',
    demo.amortizationCategories.map(({ name, method, durationYears, coefficient }) => ({
      name,
      method,
      duration_years: durationYears,
      declining_coefficient: coefficient,
    })),
  );
  await insert(
    'suppliers',
    demo.suppliers.map(({ active, ...supplier }) => ({ ...supplier, is_active: active })),
  );
  await insert(
    'locations',
    demo.locations.map(({ parent, ...location }) => ({
      ...location,
      parent_id: id(parent),
      is_active: true,
    })),
  );
  await insert('fields', ownFields);
  await insert(
    'articles',
    demo.articles.map((article, index) => ({
      name: article.name,
      reference: article.reference,
      brand_id: id(article.brand),
      category_id: id(article.category),
      amortization_category_id: id(article.amortizationCategory),
      is_active: article.active,
      fields: articleFields(index),
    })),
  );
  await insert(
    'tiers',
    demo.tiers.map(({ active, postalCode, ...tier }) => ({
      ...tier,
      postal_code: postalCode,
      is_active: active,
    })),
  );
  let number = 0;
  await insert(
    'purchases',
    demo.purchases.map((purchase, index) => ({
      code: purchase.code ?? makeCode(env.CODE_PREFIX, ++number),
      epc: purchase.epc,
      gs1: purchase.gs1,
      article_id: id(purchase.article),
      supplier_id: id(purchase.supplier),
      location_id: id(purchase.location),
      assigned_to: purchase.assignedTo,
      assigned_tier_id: id(purchase.assignedTier),
      purchase_date: purchase.purchaseDate,
      purchase_price: purchase.purchasePrice,
      in_service_date: purchase.inServiceDate,
      warranty_end_date: purchase.warrantyEndDate,
      serial_number: purchase.serialNumber,
      notes: purchase.notes,
      fields: purchaseFields(index),
    })),
  );
  await client.query(`SELECT setval('purchase_code_seq', $1)`, [number]);
  await insert(
    'equipments',
    demo.equipment.map(({ serialNumber, commissionedOn, tier, ...equipment }) => ({
      ...equipment,
      serial_number: serialNumber,
      commissioned_on: commissionedOn,
      tier_id: id(tier),
    })),
  );
  await loadImport(client, users.length + 1);
  for (const [index, session] of demo.sessions.entries()) await loadSession(client, index + 1, session, env);
  await client.query(
    `UPDATE purchases p SET disposed_on = x.date, disposal_reason = x.reason, disposal_proceeds = x.proceeds,
       disposal_note = x.note
     FROM json_to_recordset($1) AS x (purchase integer, date date, reason text, proceeds numeric, note text)
     WHERE p.id = x.purchase + 1`,
    [JSON.stringify(demo.disposals)],
  );
  await loadAttachments(client, env, users.length + 1);
  await loadWebhook(client, env);
}

/** Not active: nothing of a demo leaves the machine. */
async function loadWebhook(client: pg.Client, env: Env): Promise<void> {
  await client.query(
    `WITH made AS (
       INSERT INTO webhooks (url, events, description, is_active)
       VALUES ('https://example.org/hooks/recense', '{scan.recorded,inventory.closed}',
         'Tableau de bord de la comptabilité', false)
       RETURNING id
     ), kept AS (INSERT INTO webhook_sending (webhook_id, secret) SELECT id, $1 FROM made)
     INSERT INTO webhook_deliveries (webhook_id, message_id, event, body, status, failures, tries, answer, created_at)
     SELECT made.id, sent.message_id::uuid, 'inventory.closed', jsonb_build_object('type', 'inventory.closed',
         'timestamp', closed.told, 'data', jsonb_build_object('id', i.id))::text,
       sent.status, sent.failures, jsonb_build_array(jsonb_build_object('at', closed.told, 'status', sent.code,
         'ms', sent.ms, 'error', NULL)), sent.answer, i.closed_at
     FROM made CROSS JOIN (VALUES
       (1, '7c2d9b40-1e5f-4a86-b3d2-8f0c6a1e7d95', 'delivered', 0, 200, 87, 'OK'),
       (2, '3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a', 'failed', 1, 410, 212, 'Gone')
     ) sent (inventory_id, message_id, status, failures, code, ms, answer)
     JOIN inventories i ON i.id = sent.inventory_id
     CROSS JOIN LATERAL (
       SELECT to_char(i.closed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS told
     ) closed ORDER BY i.id`,
    [new Seal(env.WEBHOOK_KEY).close(newSecret())],
  );
}
