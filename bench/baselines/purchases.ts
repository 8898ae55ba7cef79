import pg from 'pg';
import { todayIn } from '../../src/common/dates.js';
import { FiscalYears } from '../../src/amortization/amortization.js';
import { databaseOptions } from '../../src/database/options.js';
import { OVERTAKEN, scan } from '../../src/scans/scans.queries.js';
import type { ScanRow } from '../../src/scans/scans.queries.js';
import { purchaseDetail } from '../../src/purchases/purchase-detail.dto.js';
import { findByCode, purchaseOf } from '../../src/purchases/purchases.queries.js';
import type { PurchaseRow, ShownRow } from '../../src/purchases/purchases.queries.js';

/** The pool that the service has by default; its pipelined connections are its own affair. */
export const database = databaseOptions({ url: process.env.DATABASE_URL!, pool: 10, timeout: 3000 });

export const connect = () =>
  new pg.Pool({ connectionString: process.env.DATABASE_URL, ...(database.extra as pg.PoolConfig) });

/** Who scans where nobody is asked who he is. */
export async function phone(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(`SELECT id FROM users WHERE login = 'phone1'`);
  return rows[0]!.id;
}

/** The answer to GET /scan/{code}; undefined where no purchase has the code. */
export async function lookUp(pool: pg.Pool, code: string): Promise<object | undefined> {
  const { rows } = await pool.query<ShownRow>(findByCode([code]));
  return rows[0] && toPurchase(purchaseOf(rows[0]));
}

const fiscalYears = new FiscalYears('01-01');

/** In the very words of the service, so that what is compared is the way there. */
export const toPurchase = (row: PurchaseRow): object =>
  purchaseDetail({ today: todayIn('Europe/Paris'), fiscalYears }).answer(row);

/** The answer to POST /inventories/{id}/scan; undefined where there is no such session. Where another one was faster, again. */
export async function record(
  pool: pg.Pool,
  session: number,
  code: string,
  user: number,
): Promise<object | undefined> {
  const statement = scan({ inventoryId: session, candidates: [code], userId: user, source: null });
  try {
    const { rows } = await pool.query<ScanRow>(statement);
    return rows[0] && toScan(rows[0], code);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== OVERTAKEN) throw error;
    return record(pool, session, code, user);
  }
}

function toScan(row: ScanRow, code: string): object {
  const { purchase_id: id, article_id, article_name, recorded_at, first_at, scan_id } = row;
  const purchase = id && { id, code: row.code, article: { id: article_id, name: article_name } };
  const matched = purchase ? row.code : code;
  const error = (reason: string, message: string) => {
    const facts = { code: matched, scanned_at: new Date(), purchase, scan_id: null };
    return { status: 'error', reason, message, ...facts };
  };
  if (row.is_closed) return error('session-closed', 'Inventaire clôturé');
  if (!purchase) return error('unknown-code', 'Code inconnu');
  const facts = { code: matched, scanned_at: recorded_at ?? first_at, purchase, scan_id };
  if (recorded_at) return { status: 'success', reason: 'recorded', message: 'Article ajouté', ...facts };
  const first_scan = { at: first_at, by: { id: row.first_by_id, name: row.first_by_name } };
  return { status: 'warning', reason: 'already-scanned', message: 'Déjà scanné', ...facts, first_scan };
}
