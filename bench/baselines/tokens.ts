import { hash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Pool } from 'pg';
import { checkToken } from '../../src/auth/tokens.queries.js';
import type { CheckedToken } from '../../src/auth/tokens.queries.js';

export interface Principal {
  id: number;
  permissions: string[];
}

interface Remembered {
  hash: Buffer;
  principal: Principal;
  until: number;
}

const REMEMBERED_MS = 1000;
const FORMAT = /^Bearer ([1-9]\d{0,9})\|([0-9A-Za-z]{40})([0-9a-f]{8})$/;
const TTL_DAYS = 30;

/** Id and hash of a token, where its form and its checksum are right. */
export function parse(authorization = ''): { id: number; hash: Buffer } | null {
  const [, id, random, checksum] = FORMAT.exec(authorization) ?? [];
  if (!random || crc32(random).toString(16).padStart(8, '0') !== checksum) return null;
  return { id: Number(id), hash: hash('sha256', random + checksum, 'buffer') };
}

/** Who stands behind a token, remembered for a second. */
export class Tokens {
  private readonly remembered = new Map<number, Remembered>();

  constructor(private readonly pool: Pool) {}

  async check(authorization?: string): Promise<Principal | null> {
    const token = parse(authorization);
    if (!token) return null;
    const known = this.remembered.get(token.id);
    if (known && known.until > Date.now())
      return timingSafeEqual(known.hash, token.hash) ? known.principal : null;
    const until = Date.now() + REMEMBERED_MS;
    const { rows } = await this.pool.query<CheckedToken>(checkToken(token.id, TTL_DAYS));
    const [principal] = rows;
    if (!principal || !timingSafeEqual(principal.secret_hash, token.hash)) return null;
    this.remembered.set(token.id, { hash: token.hash, principal, until });
    return principal;
  }
}
