import type { EntityManager } from 'typeorm';
import { say } from '../common/messages.js';
import type { FirstLines } from './first-lines.js';
import { importMessages } from './imports.messages.js';
import type { Kind, Line, StoredRow, Values } from './kind.js';
import { findRows, groupBy, nameKeys, ownKey } from './references.js';

/** Finds the row that each line updates, and lines that mean the same one. */
export async function matchLines(
  manager: EntityManager,
  kind: Kind,
  lines: Line[],
  firstLines: FirstLines,
): Promise<void> {
  for (const field of kind.key) {
    // Also of lines that are wrong elsewhere: the one that repeats them is wrong all the same.
    const keyed = lines.filter((line) => keyField(kind, line) === field && !line.errors[field]);
    const texts = keyed.map((line) => String(line.values[field]));
    const keys = await (kind.keysOf ?? nameKeys)(manager, texts);
    const stored = await find(manager, kind, field, [...new Set(keys)]);
    const first = await firstLines.of(field, keys, keyed);
    const earlier = kind.key.slice(0, kind.key.indexOf(field));
    for (const [index, line] of keyed.entries()) {
      const rows = ownKey(earlier, stored.get(keys[index]!) ?? []);
      if (first[index] !== line.number) line.errors[field] = [say(importMessages.repeated, first[index]!)];
      else if (rows.length > 1) line.errors[field] = [say(importMessages.ambiguous, rows.length)];
      else if (rows[0]) update(line, rows[0], field);
    }
  }
  if (kind.key.length > 1) await refuseSameRow(kind, lines, firstLines);
}

/** What a row was found by stays as it is spelled there. */
function update(line: Line, stored: StoredRow, field: string): void {
  line.stored = stored;
  if (field in stored) line.values[field] = stored[field];
}

/** The field by which a line is known; undefined where it fills none. */
export const keyOf = ({ key }: Kind, values: Values): string | undefined =>
  key.find((field) => (values[field] ?? null) !== null);

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
  return groupBy(await findRows(manager, kind.table, columns, field, keys, 'NO KEY UPDATE'), 'key');
}

/** One line may mean a row by its reference and another one by its name. */
async function refuseSameRow(kind: Kind, lines: Line[], firstLines: FirstLines): Promise<void> {
  const matched = lines.filter((line) => line.stored);
  const ids = matched.map((line) => String(line.stored!.id));
  const first = await firstLines.of('id', ids, matched);
  for (const [index, line] of matched.entries()) {
    if (first[index] !== line.number)
      line.errors[keyField(kind, line)!] = [say(importMessages.repeated, first[index]!)];
  }
}
