import type { EntityManager } from 'typeorm';
import { say } from '../common/messages.js';
import type { Kind, Line, StoredRow } from './kind.js';
import { findRows, groupBy } from './references.js';
import { importMessages } from './imports.messages.js';

/** Finds the row that each line updates, and lines that mean the same one. */
export async function matchLines(manager: EntityManager, kind: Kind, lines: Line[]): Promise<void> {
  for (const field of kind.key) {
    // Also of lines that are wrong elsewhere: the one that repeats them is wrong all the same.
    const keyed = lines.filter((line) => keyField(kind, line) === field && !line.errors[field]);
    const texts = keyed.map((line) => String(line.values[field]));
    const keys = (await kind.keysOf?.(manager, texts)) ?? texts;
    const stored = await find(manager, kind, field, [...new Set(keys)]);
    const firstLines = new Map<string, number>();
    for (const [index, line] of keyed.entries()) {
      const key = keys[index]!;
      const first = firstLines.get(key);
      if (first === undefined) firstLines.set(key, line.number);
      const rows = ownKey(kind, field, stored.get(key) ?? []);
      if (first !== undefined) line.errors[field] = [say(importMessages.repeated, first)];
      else if (rows.length > 1) line.errors[field] = [say(importMessages.ambiguous, rows.length)];
      else line.stored = rows[0];
    }
  }
  if (kind.key.length > 1) refuseSameRow(kind, lines);
}

/** The first field of the natural key that a line fills, well or not. */
const keyField = (kind: Kind, line: Line): string | undefined =>
  kind.key.find((field) => field in line.errors || (line.values[field] ?? null) !== null);

async function find(
  manager: EntityManager,
  kind: Kind,
  field: string,
  keys: string[],
): Promise<Map<string, StoredRow[]>> {
  if (kind.find) return groupBy(await kind.find(manager, keys), 'key');
  const columns = [...kind.key, ...(kind.stored ?? [])];
  return groupBy(await findRows(manager, kind.table, columns, field, keys, 'NO KEY UPDATE'), field);
}

/** Of several rows of one name, those without a reference come first: their name is what tells them apart. */
function ownKey(kind: Kind, field: string, rows: StoredRow[]): StoredRow[] {
  const earlier = kind.key.slice(0, kind.key.indexOf(field));
  const own = rows.filter((row) => earlier.every((other) => row[other] === null));
  return own.length > 0 ? own : rows;
}

/** One line may mean a row by its reference and another one by its name. */
function refuseSameRow(kind: Kind, lines: Line[]): void {
  const firstLines = new Map<number, number>();
  for (const line of lines) {
    if (!line.stored) continue;
    const first = firstLines.get(line.stored.id);
    if (first === undefined) firstLines.set(line.stored.id, line.number);
    else line.errors[keyField(kind, line)!] = [say(importMessages.repeated, first)];
  }
}
