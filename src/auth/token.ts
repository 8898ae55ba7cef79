import { hash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { MAX_ID } from '../contract/fields.js';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 40;
const FORMAT = /^([1-9]\d{0,9})\|([0-9A-Za-z]{40}[0-9a-f]{8})$/;

/** The secret part of a token: 40 random base62 characters (238 bits) and their CRC-32 in hex. */
export function makeSecret(): string {
  let random = '';
  while (random.length < RANDOM_LENGTH) random += BASE62.charAt(randomInt(BASE62.length));
  return random + checksum(random);
}

/** Id and secret of a token `<id>|<secret>`; null where its form or its checksum is wrong. */
export function parseToken(token: string): { id: number; secret: string } | null {
  const [, id, secret] = FORMAT.exec(token) ?? [];
  if (!id || !secret || Number(id) > MAX_ID) return null;
  const random = secret.slice(0, RANDOM_LENGTH);
  return checksum(random) === secret.slice(RANDOM_LENGTH) ? { id: Number(id), secret } : null;
}

export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

const checksum = (random: string): string => crc32(random).toString(16).padStart(8, '0');
