import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import { LEVEL } from './compression.js';

const { Z_SYNC_FLUSH } = constants;
const deflate = promisify(deflateRaw);

/** Deflate, no name, no time, no system (RFC 1952, 2.3). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
/** An empty block that is the last (RFC 1951, 3.2.6). */
const LAST_BLOCK = Buffer.from([0x03, 0x00]);

/** A text for many readers, compressed once for all of them. */
export interface SharedText {
  plain: Buffer;
  /** A piece of any stream: it refers to nothing before it, and ends at a byte. */
  deflated: Buffer;
  crc: number;
  /** By which the CRC of what stands before it is multiplied. */
  shift: number;
}

/** Beside the event loop. */
export async function sharedText(plain: Buffer): Promise<SharedText> {
  const deflated = await deflate(plain, { level: LEVEL, finishFlush: Z_SYNC_FLUSH });
  return { plain, deflated, crc: crc32(plain), shift: power(X8, plain.length) };
}

/** As it is, in a block of its own (RFC 1951, 3.2.4): less than 64 KiB. */
export function shortText(text: string): SharedText {
  const plain = Buffer.from(text);
  const head = Buffer.alloc(5);
  head.writeUInt16LE(plain.length, 1);
  head.writeUInt16LE(~plain.length & 0xffff, 3);
  const deflated = Buffer.concat([head, plain]);
  return { plain, deflated, crc: crc32(plain), shift: power(X8, plain.length) };
}

/** One after the other, in one piece. */
export function joined(texts: SharedText[]): SharedText {
  const [first] = texts;
  if (first && texts.length === 1) return first;
  return {
    plain: Buffer.concat(texts.map(({ plain }) => plain)),
    deflated: Buffer.concat(texts.map(({ deflated }) => deflated)),
    crc: texts.reduce((before, { crc, shift }) => times(before, shift) ^ crc, 0),
    shift: texts.reduce((before, { shift }) => times(before, shift), ONE),
  };
}

/**
 * One reader's gzip of texts that many share: a stream of its own would compress each of them for each reader, and
 * hold 256 KiB. Its checksum is told by theirs.
 */
export class GzipStream {
  readonly head = HEAD;
  private crc = 0;
  private length = 0;

  piece({ plain, deflated, crc, shift }: SharedText): Buffer {
    this.crc = times(this.crc, shift) ^ crc;
    this.length += plain.length;
    return deflated;
  }

  end(): Buffer {
    const sums = Buffer.alloc(8);
    sums.writeUInt32LE(this.crc >>> 0);
    sums.writeUInt32LE(this.length >>> 0, 4); // modulo 2^32
    return Buffer.concat([LAST_BLOCK, sums]);
  }
}

/*
 * A CRC is a polynomial over two elements, modulo one of degree 32; its highest bit is the coefficient of 1. What
 * follows in n bytes multiplies that of what was before by x^8n.
 */
const MODULUS = 0xedb88320;
const ONE = 0x80000000;
const X8 = 0x00800000;

function times(a: number, b: number): number {
  let product = 0;
  let shifted = b;
  for (let bit = 31; bit >= 0; bit--) {
    if ((a >>> bit) & 1) product ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ MODULUS : shifted >>> 1;
  }
  return product;
}

function power(base: number, exponent: number): number {
  let [result, square] = [ONE, base];
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2) result = times(result, square);
    square = times(square, square);
  }
  return result;
}
