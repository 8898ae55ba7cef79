import type { Permission, Principal } from './access.js';

/** A token ends after this time in any case. */
export const MAX_AGE_DAYS = 365;

/** When the token `t` ends, the sooner of its two ends; hours, since a day of an interval may have 23 or 25. */
export const expiry = (ttlDays: number): string => `least(t.last_used_at + interval '${ttlDays * 24} hours',
  t.created_at + interval '${MAX_AGE_DAYS * 24} hours')`;

export interface CheckedToken extends Principal {
  secret_hash: Buffer;
  expires_at: Date;
  last_used_at: Date;
}

/** A token that has not ended, with all that a request asks of its user: each phone's is checked once a second. */
export const checkToken = (id: number, ttlDays: number) => ({
  name: 'token-check',
  text: `
    SELECT t.id AS token_id, t.secret_hash, t.last_used_at, ${expiry(ttlDays)} AS expires_at, u.id, u.name, u.email,
      ARRAY(SELECT r.name::text FROM user_roles ur JOIN roles r ON r.id = ur.role_id
            WHERE ur.user_id = u.id ORDER BY 1) AS roles,
      concat_ws('-', u.id, u.version, (
        SELECT sum(r.version)::bigint FROM user_roles ur JOIN roles r ON r.id = ur.role_id WHERE ur.user_id = u.id
      )) AS tag,
      ARRAY(SELECT DISTINCT rp.permission::text FROM user_roles ur JOIN role_permissions rp USING (role_id)
            WHERE ur.user_id = u.id ORDER BY 1) AS permissions
    FROM access_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.id = $1 AND t.deleted_at IS NULL AND u.is_active AND now() < ${expiry(ttlDays)}`,
  values: [id],
});

/** Which of these tokens have not ended, and have a user with this permission. */
export const checkTokens = (permission: Permission, ids: number[], ttlDays: number) => ({
  name: 'token-check-many',
  text: `
    SELECT t.id FROM access_tokens t JOIN users u ON u.id = t.user_id
    WHERE t.id = ANY ($1) AND t.deleted_at IS NULL AND u.is_active AND now() < ${expiry(ttlDays)}
      AND EXISTS (
        SELECT FROM user_roles ur JOIN role_permissions rp USING (role_id)
        WHERE ur.user_id = u.id AND rp.permission = $2)`,
  values: [ids, permission],
});
