import type { EntityManager } from 'typeorm';
import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import { makeCode } from '../purchases/code.js';
import { purchaseMessages } from '../purchases/purchases.messages.js';
import { readEpc } from '../purchases/epc.js';
import { DISPOSAL, disposalRule } from './disposals.js';
import type { FirstLines } from './first-lines.js';
import { importMessages } from './imports.messages.js';
import type { Completing, Line, StoredRow, Values } from './kind.js';
import { codeKeys } from './references.js';

export const codeTaken: FieldErrors = { code: [say(purchaseMessages.code_taken)] };

/** The purchases that have or once had one of these codes, the deleted ones included. */
export function findByCodeKey(
  manager: EntityManager,
  keys: string[],
): Promise<(StoredRow & { key: string })[]> {
  return manager.query(
    `SELECT c.code_key AS key, p.id, p.purchase_date, p.warranty_end_date, p.fields,
       ${DISPOSAL.map((field) => `p.${field}`).join(', ')},
       p.deleted_at IS NULL AND p.code_key = c.code_key AS is_current
     FROM purchase_codes c JOIN purchases p ON p.id = c.purchase_id
     WHERE c.code_key = ANY ($1) FOR NO KEY UPDATE OF p`,
    [keys],
  );
}

/** A column that the file does not have keeps what is stored, so that is what counts. */
export function purchaseRule(values: Values, stored: StoredRow | undefined, today: string): FieldErrors {
  if (stored && !stored.is_current) return codeTaken;
  const { purchase_date, warranty_end_date } = { ...stored, ...values };
  const isEarly = Boolean(warranty_end_date) && String(warranty_end_date) < String(purchase_date);
  return {
    ...disposalRule(values, stored, today),
    ...(isEarly && { warranty_end_date: [say(purchaseMessages.before_purchase)] }),
  };
}

/** Refuses EPCs, GIAIs and GRAIs that are or were codes of another purchase, or are those of another line. */
export async function compareCodes(
  manager: EntityManager,
  lines: Line[],
  firstLines: FirstLines,
): Promise<void> {
  const given = lines.flatMap((line) => {
    const { epc, gs1 } = line.values as { epc?: string | null; gs1?: string[] };
    const read = epc && !line.errors.epc ? [epc, readEpc(epc)!.key] : [];
    const written = line.errors.gs1 ? [] : (gs1 ?? []);
    return [
      ...read.map((text) => ({ line, field: 'epc', text })),
      ...written.map((text) => ({ line, field: 'gs1', text })),
    ];
  });
  if (given.length === 0) return;
  const keys = await codeKeys(
    manager,
    given.map(({ text }) => text),
  );
  const first = await firstLines.of(
    'code',
    keys,
    given.map(({ line }) => line),
  );
  const owners = await manager.query<{ key: string; id: number }[]>(
    `SELECT code_key AS key, purchase_id AS id FROM purchase_codes WHERE code_key = ANY ($1)`,
    [keys],
  );
  const ownerOf = new Map(owners.map(({ key, id }) => [key, id]));
  for (const [at, { line, field }] of given.entries()) {
    const owner = ownerOf.get(keys[at]!);
    if (first[at] !== line.number) line.errors[field] = [say(importMessages.repeated, first[at]!)];
    else if (owner !== undefined && owner !== line.stored?.id) line.errors[field] = codeTaken.code!;
  }
}

/** How many codes are made at a time. */
const BATCH = 10_000;

/** Gives the lines without a code the next ones that nobody has brought, neither before nor in this file. */
export async function makeCodes(
  manager: EntityManager,
  { firstLines, env, options }: Completing,
): Promise<undefined> {
  // No rollback gives numbers of a sequence back, so a dry run only looks at those that come next. Who may use the sequence
  // need not be allowed to select from it.
  const last = `coalesce(pg_sequence_last_value('purchase_code_seq'), 0)`;
  const next = options.dry_run ? `${last} + n` : `nextval('purchase_code_seq')`;
  let skipped = 0;
  for (;;) {
    const lines = await manager.query<{ line: number }[]>(
      `SELECT line FROM import_lines WHERE code IS NULL ORDER BY line LIMIT ${BATCH}`,
    );
    if (lines.length === 0) return undefined;
    const numbers = await manager.query<{ number: number }[]>(
      `SELECT ${next} AS number FROM generate_series($1::int + 1, $1::int + $2::int) n`,
      [skipped, lines.length],
    );
    const codes = numbers.map(({ number }) => makeCode(env.CODE_PREFIX, number));
    const taken = new Set([...(await findCodes(manager, codes)), ...(await firstLines.taken('code', codes))]);
    const free = codes.filter((code) => !taken.has(code));
    await manager.query(
      `UPDATE import_lines l SET code = given.code FROM unnest($1::integer[], $2::text[]) AS given (line, code)
       WHERE l.line = given.line`,
      [lines.slice(0, free.length).map(({ line }) => line), free],
    );
    skipped += codes.length;
  }
}

async function findCodes(manager: EntityManager, codes: string[]): Promise<string[]> {
  const rows = await manager.query<{ key: string }[]>(
    `SELECT code_key AS key FROM purchase_codes WHERE code_key = ANY ($1)`,
    [codes],
  );
  return rows.map(({ key }) => key);
}
