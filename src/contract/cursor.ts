import { createHash } from 'node:crypto';
import { isCalendarDate, parseInstant } from '../common/dates.js';
import { invalid } from '../common/errors.js';
import { MAX_ID } from './fields.js';
import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';

export type SortType = 'integer' | 'bigint' | 'text' | 'date' | 'timestamptz' | 'numeric';

/** Where a page of a list ended. */
export type Position = [value: string | number, id: number];

// The sum tells a damaged cursor, and one of another list or order. It needs no secret: a cursor grants nothing,
// it only names a place in a list that its bearer may read anyway.
const sumOf = (list: string, position: string): string =>
  createHash('sha256').update(`${list}|${position}`).digest('base64url').slice(0, 12);

export function encodeCursor(list: string, position: Position): string {
  const text = JSON.stringify(position);
  return Buffer.from(sumOf(list, text) + text).toString('base64url');
}

// Whoever knows the sum can write a cursor too, so what it holds must be something that its column compares with.
const fits: Record<SortType, (value: unknown) => boolean> = {
  integer: (value) => Number.isInteger(value) && Math.abs(Number(value)) <= MAX_ID,
  bigint: Number.isSafeInteger,
  numeric: Number.isFinite,
  text: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\0'),
  date: (value) => value === '-infinity' || isCalendarDate(value),
  timestamptz: (value) => typeof value === 'string' && parseInstant(value)?.toISOString() === value,
};

/** @throws DomainError validation-failed when it was not made for this list with values of these types */
export function decodeCursor(list: string, cursor: string, types: [SortType, SortType]): Position {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.slice(12);
  const isCanonical = Buffer.from(text).toString('base64url') === cursor;
  if (isCanonical && text.slice(0, 12) === sumOf(list, position)) {
    const values = parsed(position);
    if (Array.isArray(values) && types.every((type, at) => fits[type](values[at]))) return values as Position;
  }
  throw invalid({ cursor: [say(contractMessages.cursor)] });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
