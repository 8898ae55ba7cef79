import pg from 'pg';
import type { FieldDef } from 'pg';
import type { SentRow } from './sent-row.js';

/** A row by its first column, which is its id, and as it is answered. */
export interface JsonRow {
  id: number;
  /** UTF-8, each byte as a character: it goes to a socket as it is, and V8 keeps it as such, rather than as UTF-16. */
  json: string;
}

/** A value as the rows above have theirs. */
export const jsonOf = (value: object): string => Buffer.from(JSON.stringify(value)).toString('latin1');

/** What is answered of a cell whose type is `json`, by the name of its column. */
export type Made = Record<string, (cell: never) => unknown>;

/** A value and its name, with the comma before it. */
interface Cell {
  name: Buffer;
  write: Write;
}
/** An object and its name; null where the first of its cells is. */
interface Group {
  name: Buffer;
  cells: number;
  parts: Part[];
}
type Part = Cell | Group;
type Write = (json: JsonWriter, start: number, end: number, made: Made) => void;

const [OPEN, CLOSE, QUOTE, BACKSLASH] = [0x7b, 0x7d, 0x22, 0x5c];
const [SPACE, ZERO, NINE, DOT, PLUS, DASH, T, Z] = [0x20, 0x30, 0x39, 0x2e, 0x2b, 0x2d, 0x54, 0x5a];
const [NULL, TRUE, FALSE] = [Buffer.from('null'), Buffer.from('true'), Buffer.from('false')];
/** PostgreSQL's `true`. */
const YES = 0x74;
/** The most that a cell is longer than what PostgreSQL sends of it: `null`, `false`, an instant with its quotes and zeros. */
const MORE = 4;

/** Writes the cells of one row after the other, byte by byte: a copy by Buffer takes longer than most of them are. */
class JsonWriter {
  private out: Buffer = Buffer.allocUnsafe(16_384);
  private at = 0;
  private bytes = this.out;
  /** Where the next cell is. */
  private next = 0;
  /** As many bytes as the row takes, but for what value() writes. */
  private room = 0;

  row(parts: Part[], names: number, { bytes, at, length }: SentRow, made: Made): JsonRow {
    this.bytes = bytes;
    this.at = 0;
    this.next = at + 2;
    this.room = names + length + bytes.readInt16BE(at) * MORE;
    this.reserve(this.room);
    const first = this.next + 4;
    const id = Number(this.text(first, first + this.length()));
    this.group(parts, made);
    return { id, json: this.out.toString('latin1', 0, this.at) };
  }

  text(start: number, end: number): string {
    return this.bytes.toString('utf8', start, end);
  }

  /** As JSON.stringify() has it, which may be of any length. */
  value(value: unknown): void {
    const text = JSON.stringify(value);
    this.reserve(this.at + 3 * text.length + this.room);
    this.at += this.out.write(text, this.at);
  }

  /** As it is. */
  copy(start: number, end: number, bytes = this.bytes): void {
    const { out } = this;
    let { at } = this;
    for (let i = start; i < end; i++) out[at++] = bytes[i]!;
    this.at = at;
  }

  /** `t` or `f`. */
  truth(start: number): void {
    this.word(this.bytes[start] === YES ? TRUE : FALSE);
  }

  /** As a text; one in which something is to be escaped is left to JSON.stringify(). */
  quoted(start: number, end: number): void {
    const { out, bytes } = this;
    let { at } = this;
    out[at++] = QUOTE;
    for (let i = start; i < end; i++) {
      const byte = bytes[i]!;
      if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) return this.value(this.text(start, end));
      out[at++] = byte;
    }
    out[at++] = QUOTE;
    this.at = at;
  }

  /** Without the zeros at its end, as JSON.stringify() has numbers. */
  decimal(start: number, end: number): void {
    const { bytes } = this;
    if (bytes[end - 1]! > NINE) return this.word(NULL); // NaN, Infinity, -Infinity
    const point = bytes.subarray(start, end).indexOf(DOT);
    let last = end;
    if (point >= 0) while (bytes[last - 1] === ZERO) last--;
    if (bytes[last - 1] === DOT) last--;
    this.copy(start, last);
  }

  /** As toISOString() has it; of one in UTC of four digits, and with milliseconds at most. */
  instant(start: number, end: number): void {
    const { out } = this;
    const [time, point, zone] = [start + 11, start + 19, end - 3];
    out[this.at++] = QUOTE;
    this.copy(start, time - 1);
    out[this.at++] = T;
    this.copy(time, zone);
    if (zone === point) out[this.at++] = DOT;
    for (let i = Math.max(zone, point + 1); i < point + 4; i++) out[this.at++] = ZERO;
    out[this.at++] = Z;
    out[this.at++] = QUOTE;
  }

  /** Whether it is such a one. */
  isPlainInstant(start: number, end: number): boolean {
    const { bytes } = this;
    const zone = end - 3;
    const isUtc = bytes[zone] === PLUS && bytes[zone + 1] === ZERO && bytes[zone + 2] === ZERO;
    return isUtc && bytes[start + 4] === DASH && zone - start >= 19 && zone - start <= 23;
  }

  private group(parts: Part[], made: Made): void {
    this.out[this.at++] = OPEN;
    for (const part of parts) {
      this.word(part.name);
      const length = this.length();
      if (length < 0) {
        this.word(NULL);
        this.skip('parts' in part ? part.cells : 1);
      } else if ('parts' in part) this.group(part.parts, made);
      else {
        const start = this.next + 4;
        this.next = start + length;
        part.write(this, start, this.next, made);
      }
    }
    this.out[this.at++] = CLOSE;
  }

  /** Of the next cell; below 0 where it is null. */
  private length(): number {
    return this.bytes.readInt32BE(this.next);
  }

  private skip(cells: number): void {
    for (let i = 0; i < cells; i++) this.next += 4 + Math.max(0, this.length());
  }

  private word(word: Buffer): void {
    this.copy(0, word.length, word);
  }

  private reserve(bytes: number): void {
    if (bytes <= this.out.length) return;
    const wider = Buffer.allocUnsafe(2 * bytes);
    this.out.copy(wider, 0, 0, this.at);
    this.out = wider;
  }
}

const { builtins } = pg.types;
const copied: Write = (json, start, end) => json.copy(start, end);
const quoted: Write = (json, start, end) => json.quoted(start, end);
/** By types, as pg reads them (options.ts); what is of another is read so first. */
const WRITES = new Map<number, Write>([
  [builtins.INT2, copied],
  [builtins.INT4, copied],
  [builtins.INT8, copied],
  [builtins.JSONB, copied],
  [builtins.TEXT, quoted],
  [builtins.VARCHAR, quoted],
  [builtins.UUID, quoted],
  [builtins.DATE, quoted],
  [builtins.BOOL, (json, start) => json.truth(start)],
  [builtins.NUMERIC, (json, start, end) => json.decimal(start, end)],
]);

function writeOf({ name, dataTypeID: type }: FieldDef): Write {
  const parse = (pg.types.getTypeParser as (type: number) => (text: string) => unknown)(type);
  const parsed: Write = (json, start, end) => json.value(parse(json.text(start, end)));
  if (type === (builtins.JSON as number))
    return (json, start, end, made) => json.value(made[name]!(JSON.parse(json.text(start, end)) as never));
  if (type === (builtins.TIMESTAMPTZ as number))
    return (json, start, end, made) =>
      json.isPlainInstant(start, end) ? json.instant(start, end) : parsed(json, start, end, made);
  return WRITES.get(type) ?? parsed;
}

/** Of columns, whose names are paths: those that begin alike are one object. */
function partsOf(fields: FieldDef[], depth = 0): Part[] {
  const parts: Part[] = [];
  for (let i = 0; i < fields.length;) {
    const path = fields[i]!.name.split('.');
    const name = Buffer.from(`${i > 0 ? ',' : ''}${JSON.stringify(path[depth])}:`);
    const isIn = (field: FieldDef) => field.name.startsWith(`${path.slice(0, depth + 1).join('.')}.`);
    const others = fields.slice(i).findIndex((field) => !isIn(field));
    const cells = others < 0 ? fields.length - i : others;
    if (cells === 0) parts.push({ name, write: writeOf(fields[i]!) });
    else parts.push({ name, cells, parts: partsOf(fields.slice(i, i + cells), depth + 1) });
    i += Math.max(cells, 1);
  }
  return parts;
}

/** In bytes, of names and braces. */
const sizeOf = (parts: Part[]): number =>
  parts.reduce((sum, part) => sum + part.name.length + ('parts' in part ? sizeOf(part.parts) : 0), 2);

const writer = new JsonWriter();

/**
 * Writes rows as JSON from the bytes that PostgreSQL has sent, without texts or objects in between, which are half of all that
 * a page of fifty purchases takes (bench/PROFILES.md). Columns are named by their paths in the answer: `article.brand.id`.
 */
export function jsonReaderOf(fields: FieldDef[]): (row: SentRow, made: Made) => JsonRow {
  const parts = partsOf(fields);
  const names = sizeOf(parts);
  return (row, made) => writer.row(parts, names, row, made);
}
