import type { EntityManager } from 'typeorm';
import { DomainError, noErrors, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { readEpc } from './epc.js';
import { purchaseMessages } from './purchases.messages.js';

/** All that a purchase may be found by. */
export interface Codes {
  code?: string | null;
  epc?: string | null;
  gs1?: string[] | null;
}

interface Queries {
  query: <Rows>(text: string, values: unknown[]) => Promise<Rows>;
}

/** Whether one of the codes is or was that of another purchase than `ownId`. */
export async function isTaken(db: Queries, codes: string[], ownId = 0): Promise<boolean> {
  return (await taken(db, codes, ownId)).length > 0;
}

/**
 * Asked before anything is written, since only this tells which of several codes it is, and two purchases that take each
 * other's code would wait for each other.
 * @throws DomainError validation-failed naming the codes that are or were those of another purchase than `ownId`
 */
export async function refuseTaken(
  manager: EntityManager,
  { code, epc, gs1 }: Codes,
  ownId = 0,
): Promise<void> {
  const given = [
    ...(code ? [['code', code] as const] : []),
    ...(epc ? [epc, readEpc(epc)!.key].map((text) => ['epc', text] as const) : []),
    ...(gs1 ?? []).map((key, at) => [`gs1.${at}`, key] as const),
  ];
  if (given.length === 0) return;
  const errors = noErrors();
  for (const at of await taken(
    manager,
    given.map(([, text]) => text),
    ownId,
  ))
    errors[given[at]![0]] = [say(purchaseMessages.code_taken)];
  refuseInvalid(errors);
}

/** Whether somebody brought a code meanwhile that was free when it was looked for; the next try says which it is. */
export const isOvertaken = (error: unknown, { code, epc, gs1 }: Codes): boolean =>
  error instanceof DomainError &&
  Boolean(error.errors?.code) &&
  (!code || Boolean(epc) || Boolean(gs1?.length));

/** The places of those of the texts that are or were codes of another purchase than `ownId`. */
async function taken(db: Queries, texts: string[], ownId: number): Promise<number[]> {
  const rows = await db.query<{ at: number }[]>(
    `SELECT (n - 1)::integer AS at FROM unnest($1::text[]) WITH ORDINALITY AS given (text, n)
     JOIN purchase_codes ON code_key = code_key(given.text) AND purchase_id <> $2 ORDER BY n`,
    [texts, ownId],
  );
  return rows.map(({ at }) => at);
}
