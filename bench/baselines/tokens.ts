import { createHash, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Pool } from 'pg';

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
const EXPIRY = `least(t.last_used_at + interval '720 hours', t.created_at + interval '8760 hours')`;
/** The statement of TokensService.check(). */
const CHECK = `
  SELECT t.id AS token_id, t.secret_hash, t.last_used_at, ${EXPIRY} AS expires_at, u.id, u.name, u.email,
    ARRAY(SELECT r.name::text FROM user_roles ur JOIN roles r ON r.id = ur.role_id
          WHERE ur.user_id = u.id ORDER BY 1) AS roles,
    concat_ws('-', u.id, u.version, (
      SELECT sum(r.version) FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id
    )) AS tag,
    ARRAY(SELECT DISTINCT rp.permission::text FROM user_roles ur JOIN role_permissions rp USING (role_id)
          WHERE ur.user_id = u.id ORDER BY 1) AS permissions
  FROM access_tokens t JOIN users u ON u.id = t.user_id
  WHERE t.id = $1 AND t.deleted_at IS NULL AND u.is_active AND now() < ${EXPIRY}`;

/** Id and hash of a token, where its form and its checksum are right. */
export function parse(authorization = ''): { id: number; hash: Buffer } | null {
  const [, id, random, checksum] = FORMAT.exec(authorization) ?? [];
  if (!random || crc32(random).toString(16).padStart(8, '0') !== checksum) return null;
  return {
    id: Number(id),
    hash: createHash('sha256')
      .update(random + checksum)
      .digest(),
  };
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
    const { rows } = await this.pool.query<Principal & { secret_hash: Buffer }>({
      name: 'token-check',
      text: CHECK,
      values: [token.id],
    });
    const [principal] = rows;
    if (!principal || !timingSafeEqual(principal.secret_hash, token.hash)) return null;
    this.remembered.set(token.id, { hash: token.hash, principal, until });
    return principal;
  }
}
