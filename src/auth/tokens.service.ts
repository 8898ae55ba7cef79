import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { timingSafeEqual } from 'node:crypto';
import { Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { AT_ONCE } from '../database/at-once.js';
import { actAs } from '../database/audit.js';
import type { Actor, Caller } from '../database/audit.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { Sql } from '../database/sql.js';
import { Env } from '../config/env.js';
import { AccessToken } from './access-token.entity.js';
import type { Permission, Principal } from './access.js';
import type { DeviceQuery } from './auth.dto.js';
import { hashSecret, makeSecret, parseToken } from './token.js';
import { MAX_AGE_DAYS, checkToken, checkTokens, expiry } from './tokens.queries.js';
import type { CheckedToken } from './tokens.queries.js';

const DAY_MS = 86_400_000;
/** How long a checked token may be remembered: what every other instance needs to notice a revocation. */
const REMEMBERED_MS = 1000;
const REMEMBERED_TOKENS = 10_000;
const USE_RECORDED_EVERY_MS = 60_000;

interface Remembered {
  hash: Buffer;
  principal: Principal;
  /** By performance.now(), which no correction of the clock turns back. */
  until: number;
}

export interface IssuedToken {
  token: string;
  expires_at: Date;
}

@Injectable()
export class TokensService {
  private readonly remembered = new Map<number, Remembered>();
  /** Counts the changes, so that a check that began before one is not remembered after it. */
  private changes = 0;
  private readonly ttlDays: number;
  /** The same as expiresAt(), in SQL. */
  private readonly expiry: string;

  constructor(
    private readonly sql: Sql,
    @InjectRepository(AccessToken) private readonly tokens: Repository<AccessToken>,
    env: Env,
  ) {
    this.ttlDays = env.TOKEN_TTL_DAYS;
    this.expiry = expiry(this.ttlDays);
  }

  /**
   * A new token of a user, if the user is still active and still has the password that was checked: a change of it
   * revokes the tokens that there are, and a login under way must not add one after it.
   * Null when that is no longer so.
   */
  async issue(
    userId: number,
    deviceName: string | null,
    passwordHash: string,
    actor: Actor,
  ): Promise<IssuedToken | null> {
    const secret = makeSecret();
    const [row] = await this.sql.query<{ id: number; expires_at: Date }>({
      name: 'token-issue',
      // The same statement clears away the user's tokens that have ended.
      text: `WITH ended AS (DELETE FROM access_tokens t WHERE t.user_id = $1 AND now() >= ${this.expiry})
             INSERT INTO access_tokens AS t (user_id, secret_hash, device_name)
             SELECT id, $2, $3 FROM users, ${actAs('$5')}
             WHERE id = $1 AND is_active AND password_hash = $4 FOR SHARE OF users
             RETURNING t.id, ${this.expiry} AS expires_at`,
      values: [userId, hashSecret(secret), deviceName, passwordHash, JSON.stringify(actor)],
    });
    return row ? { token: `${row.id}|${secret}`, expires_at: row.expires_at } : null;
  }

  /** Without the database: who stands behind a token that was checked within the last second. */
  recall(token: string): Principal | null {
    const parsed = parseToken(token);
    const known = parsed && this.remembered.get(parsed.id);
    if (!known || known.until < performance.now()) return null;
    return timingSafeEqual(known.hash, hashSecret(parsed.secret)) ? known.principal : null;
  }

  /** Who stands behind a token; null when it is wrong, has ended, was revoked or its user is disabled. */
  async check(token: string): Promise<Principal | null> {
    const parsed = parseToken(token);
    if (!parsed) return null;
    const changes = this.changes;
    const start = performance.now(); // before the row is read, however long that takes
    const [row] = await this.sql.query<CheckedToken>(checkToken(parsed.id, this.ttlDays));
    const hash = hashSecret(parsed.secret);
    if (!row || !timingSafeEqual(row.secret_hash, hash)) return null;
    const { secret_hash: _, expires_at, last_used_at, ...principal } = row;
    if (changes === this.changes) {
      const left = expires_at.getTime() - Date.now();
      this.remember(principal, hash, start + Math.min(REMEMBERED_MS, left));
    }
    if (Date.now() - last_used_at.getTime() > USE_RECORDED_EVERY_MS) this.markUsed(principal.token_id);
    return principal;
  }

  /** Which of these tokens are good, and give this permission. */
  async whichMay(permission: Permission, tokenIds: number[]): Promise<Set<number>> {
    const rows = await this.sql.query<{ id: number }>(checkTokens(permission, tokenIds, this.ttlDays));
    return new Set(rows.map(({ id }) => id));
  }

  /** The caller's devices: the tokens that have not ended. */
  list(userId: number, query: DeviceQuery): Promise<Page<AccessToken>> {
    const tokens = this.tokens
      .createQueryBuilder('t')
      .where({ user_id: userId })
      .andWhere(`now() < ${this.expiry}`);
    return paginate(tokens, query, { id: { by: 't.id', type: 'integer', of: (token) => token.id } });
  }

  /** The sooner of the two ends, as it stands. */
  expiresAt(token: AccessToken): Date {
    const unused = token.last_used_at.getTime() + this.ttlDays * DAY_MS;
    return new Date(Math.min(unused, token.created_at.getTime() + MAX_AGE_DAYS * DAY_MS));
  }

  /** Whether the caller had such a token. */
  async revoke(caller: Caller, tokenId: number): Promise<boolean> {
    const gone = await this.sql.query({
      name: 'token-revoke',
      text: `UPDATE access_tokens SET deleted_at = now() FROM ${actAs('$3')}
             WHERE id = $1 AND user_id = $2 AND deleted_at IS NULL RETURNING id`,
      values: [tokenId, caller.user_id, JSON.stringify(caller)],
    });
    this.forgetAll();
    return gone.length > 0;
  }

  /** All tokens of a user but one, in the transaction of what ends them; call forgetAll() after it. */
  async revokeAll(manager: EntityManager, userId: number, butId = 0): Promise<void> {
    await manager.query(
      `UPDATE access_tokens SET deleted_at = now() WHERE user_id = $1 AND id <> $2 AND deleted_at IS NULL`,
      [userId, butId],
    );
  }

  /** Called on every change of a user, a role or a token, so that it counts at once on this instance. */
  forgetAll(): void {
    this.changes++;
    this.remembered.clear();
  }

  private remember(principal: Principal, hash: Buffer, until: number): void {
    // Oldest first in a Map: re-inserting moves a token to the end, and the first one goes when it is full.
    this.remembered.delete(principal.token_id);
    const [oldest] = this.remembered.keys();
    if (this.remembered.size >= REMEMBERED_TOKENS && oldest !== undefined) this.remembered.delete(oldest);
    this.remembered.set(principal.token_id, { hash, principal, until });
  }

  /** Outside the request: nobody waits for it, and a failure costs nothing but a minute. */
  private markUsed(tokenId: number): void {
    this.sql
      .query({
        name: 'token-used',
        text: `UPDATE access_tokens SET last_used_at = now()
               WHERE id = $1 AND last_used_at < now() - interval '1 minute' AND ${AT_ONCE}`,
        values: [tokenId],
      })
      .catch(() => undefined);
  }
}
