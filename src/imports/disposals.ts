import type { FieldErrors } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import { storable } from '../purchases/code.js';
import type { DisposalReason } from '../purchases/purchase.entity.js';
import { purchaseMessages } from '../purchases/purchases.messages.js';
import type { Line, StoredRow, Values } from './kind.js';
import { plainName } from './names.js';
import type { Column } from './names.js';
import { textOf } from './table.js';
import type { Cell } from './table.js';
import { readDay, readSerial } from './written-dates.js';

/** Of a purchase: when, why, for how much. */
export const DISPOSAL = ['disposed_on', 'disposal_reason', 'disposal_proceeds', 'disposal_note'] as const;
const MAX_NOTE = 500;

/** The same as the service asks who disposes of a purchase; a column that the file does not have keeps what is stored. */
export function disposalRule(values: Values, stored: StoredRow | undefined, today: string): FieldErrors {
  const { purchase_date, disposed_on, disposal_reason, ...more } = { ...stored, ...values } as Record<
    string,
    string | null | undefined
  >;
  const isTold = [disposal_reason, more.disposal_proceeds, more.disposal_note].some(
    (one) => (one ?? '') !== '',
  );
  const required = [say(contractMessages.required)];
  if (!disposed_on) return isTold ? { disposal_date: required } : {};
  const isEarly = disposed_on < purchase_date!;
  return {
    ...(disposed_on > today && { disposal_date: [say(purchaseMessages.not_yet)] }),
    ...(isEarly && 'disposed_on' in values && { disposal_date: [say(purchaseMessages.before_purchase)] }),
    ...(isEarly &&
      !('disposed_on' in values) && { purchase_date: [say(purchaseMessages.not_after_disposal)] }),
    ...(!disposal_reason && { disposal_reason: required }),
  };
}

/** The columns by which another program says that a thing is gone, and when its row was changed last or deleted. */
export interface GoneColumns {
  status: string[];
  changed: string[];
  deleted: string[];
}

/** Where they stand in a file; -1 for none. The day of a sale may have a column of its own. */
export interface Gone {
  status: number;
  changed: number;
  deleted: number;
}

export function goneOf({ status, changed, deleted }: GoneColumns, columns: Column[]): Gone | undefined {
  const at = (names: string[]) =>
    columns.findIndex(({ name }) => names.map(plainName).includes(plainName(name)));
  const isTold =
    Math.max(at(status), at(deleted)) >= 0 || columns.some(({ field }) => field === 'disposal_date');
  return isTold ? { status: at(status), changed: at(changed), deleted: at(deleted) } : undefined;
}

/** The type in brackets behind the name of a state, or a state that is called so; or a flag. */
const ARCHIVED = /^archive[de]?$|\(archived\)$|^true$/;
const REASONS: [RegExp, DisposalReason][] = [
  [/\b(lost|perdue?s?)\b/, 'lost'],
  [/\b(stolen|volee?s?)\b/, 'stolen'],
  [/\b(sold|vendue?s?)\b/, 'sold'],
  [/\b(donated|donnee?s?)\b/, 'donated'],
  [/\b(returned|rendue?s?|retournee?s?)\b/, 'returned'],
];

/**
 * Disposes of what a line says is sold or gone. The other program tells no more than that, so what is known here of a disposal
 * stays, and nothing is taken back.
 */
export function disposeGone(gone: Gone, { values, stored }: Line, cells: Cell[], today: string): void {
  const status = textOf(cells[gone.status]);
  const plain = status.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const isArchived = ARCHIVED.test(plain);
  const deleted = dayOf(cells[gone.deleted]);
  let disposal: Values = {};
  if (stored?.disposed_on) disposal = stored;
  else if (values.disposed_on) disposal = { ...values, disposal_reason: 'sold' };
  else if (isArchived || deleted) {
    const changed = deleted ?? dayOf(cells[gone.changed]);
    const day = changed && changed < today ? changed : today;
    const bought = String(values.purchase_date ?? stored?.purchase_date);
    disposal = {
      disposed_on: day < bought ? bought : day,
      disposal_reason: REASONS.find(([pattern]) => pattern.test(plain))?.[1] ?? 'scrapped',
      disposal_note:
        !isArchived || plain === 'true' ? null : [...storable(status)].slice(0, MAX_NOTE).join(''),
    };
  }
  for (const field of DISPOSAL) if (field in values) values[field] = disposal[field] ?? null;
}

/** One that can be read in one way only. */
function dayOf(cell: Cell | undefined): string | undefined {
  if (typeof cell === 'number') return readSerial(cell);
  return /^\d{4}-/.test(textOf(cell)) ? readDay(textOf(cell), 'dmy') : undefined;
}
