import type { EntityManager } from 'typeorm';
import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Env } from '../config/env.js';
import { makeCode } from '../purchases/code.js';
import type { Line, StoredRow, Values } from './kind.js';
import { purchaseMessages } from '../purchases/purchases.messages.js';

export const codeTaken: FieldErrors = { code: [say(purchaseMessages.code_taken)] };

/** Codes as the database compares them: its idea of upper case counts, not that of JavaScript. */
export async function codeKeys(manager: EntityManager, codes: string[]): Promise<string[]> {
  const rows = await manager.query<{ key: string }[]>(
    `SELECT code_key(code) AS key FROM unnest($1::text[]) WITH ORDINALITY AS given (code, n) ORDER BY n`,
    [codes],
  );
  return rows.map((row) => row.key);
}

/** The purchases that have or once had one of these codes, the deleted ones included. */
export function findByCodeKey(
  manager: EntityManager,
  keys: string[],
): Promise<(StoredRow & { key: string })[]> {
  return manager.query(
    `SELECT c.code_key AS key, p.id, p.warranty_end_date,
       p.deleted_at IS NULL AND p.code_key = c.code_key AS is_current
     FROM purchase_codes c JOIN purchases p ON p.id = c.purchase_id
     WHERE c.code_key = ANY ($1) FOR NO KEY UPDATE OF p`,
    [keys],
  );
}

/** A column that the file does not have keeps what is stored, so that is what counts. */
export function purchaseRule(values: Values, stored?: StoredRow): FieldErrors {
  if (stored && !stored.is_current) return codeTaken;
  const { purchase_date, warranty_end_date } = { ...stored, ...values };
  const isEarly = Boolean(warranty_end_date) && String(warranty_end_date) < String(purchase_date);
  return isEarly ? { warranty_end_date: [say(purchaseMessages.before_purchase)] } : {};
}

/** Gives the lines without a code the next ones that nobody has brought, neither before nor in this file. */
export async function makeCodes(
  manager: EntityManager,
  lines: Line[],
  { CODE_PREFIX }: Env,
  isDryRun: boolean,
): Promise<void> {
  const open = lines.filter((line) => !line.values.code).reverse(); // taken from the end, in the order of the file
  const given = lines.flatMap((line) => (line.values.code ? [line.values.code as string] : []));
  const taken = new Set(await codeKeys(manager, given));
  // No rollback gives numbers of a sequence back, so a dry run only looks at those that come next.
  const next = isDryRun ? `last_value + n` : `nextval('purchase_code_seq')`;
  let skipped = 0;
  while (open.length > 0) {
    const numbers = await manager.query<{ number: number }[]>(
      `SELECT ${next} AS number FROM purchase_code_seq, generate_series($1::int + 1, $1::int + $2::int) n`,
      [skipped, open.length],
    );
    const codes = numbers.map(({ number }) => makeCode(CODE_PREFIX, number));
    for (const { key } of await findCodes(manager, codes)) taken.add(key);
    for (const code of codes) if (!taken.has(code)) open.pop()!.values.code = code;
    skipped += codes.length;
  }
}

const findCodes = (manager: EntityManager, codes: string[]): Promise<{ key: string }[]> =>
  manager.query(`SELECT code_key AS key FROM purchase_codes WHERE code_key = ANY ($1)`, [codes]);
