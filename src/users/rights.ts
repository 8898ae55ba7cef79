import type { EntityManager } from 'typeorm';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { changing } from '../database/audit.js';
import type { Actor } from '../database/audit.js';
import { userMessages } from './users.messages.js';

/** Of whom or what all permissions are at stake: as they are now, beside those that are to come. */
interface Stake {
  user?: number;
  role?: number;
  /** By name; those that there are not bring no permission. */
  roles?: string[];
  permissions?: string[];
}

/** @throws DomainError forbidden where the caller lacks one of the permissions */
export type Need = (stake: Stake) => Promise<void>;

/**
 * The transaction of a change of users or roles. Nobody gives what he does not have, nor takes it, nor touches the account
 * of one who has it: whoever may set the password of an administrator is one.
 */
export const changingRights = <T>(
  manager: EntityManager,
  actor: Actor,
  subject: { resource: 'user' | 'role'; resource_id?: number },
  work: (manager: EntityManager, need: Need) => Promise<T>,
): Promise<T> =>
  changing(manager, actor, (own) =>
    work(own, async (stake) => {
      const missing = await missingTo(own, actor, stake);
      if (missing.length > 0)
        throw new DomainError('forbidden', {
          detail: say(userMessages.missing_permissions, missing.join(', ')),
          refused: { ...subject, details: { permissions: missing } },
        });
    }),
  );

/**
 * What of the stake the caller has not, as everyone is in the database now; to be asked under the lock of
 * administration, so that it stays true. Whoever has the command line has everything.
 */
async function missingTo(
  manager: EntityManager,
  { user_id }: Actor,
  { user, role, roles = [], permissions = [] }: Stake,
): Promise<string[]> {
  if (user_id === undefined) return [];
  const rows = await manager.query<{ permission: string }[]>(
    `SELECT name AS permission FROM permissions WHERE name = ANY ($2) OR name = 'users.manage'
     UNION SELECT permission FROM role_permissions WHERE role_id IN (
       SELECT id FROM roles WHERE name = ANY ($3) OR id = $4 UNION SELECT role_id FROM user_roles WHERE user_id = $5)
     EXCEPT SELECT rp.permission
       FROM users u JOIN user_roles ur ON ur.user_id = u.id JOIN role_permissions rp USING (role_id)
       WHERE u.id = $1 AND u.is_active
     ORDER BY 1`,
    [user_id, permissions, roles, role ?? null, user ?? null],
  );
  return rows.map(({ permission }) => permission);
}

/**
 * One at a time, so that two admins cannot disable each other at the same moment, and no role gains a permission while
 * it is given. Before any lock of a row. Not FOR UPDATE, which would also keep out roles that are given this permission.
 */
export async function lockAdministration(manager: EntityManager): Promise<void> {
  await manager.query(`SELECT FROM permissions WHERE name = 'users.manage' FOR NO KEY UPDATE`);
}

/**
 * Runs a change of rights, under the lock of administration.
 *
 * @throws DomainError validation-failed on `field` when nobody is left who could let others in; or, where somebody could
 * give every permission, nobody who still can: what nobody has, nobody gives
 */
export async function keepAdmin(
  manager: EntityManager,
  field: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = await mostGiven(manager);
  await change();
  const after = await mostGiven(manager);
  if (before.permissions > 0 && after.permissions === 0)
    throw invalid({ [field]: [say(userMessages.last_admin)] });
  if (before.isAll && !after.isAll) throw invalid({ [field]: [say(userMessages.last_full_admin)] });
}

/** How many permissions the active user may give who may give the most, and whether these are all that there are. */
async function mostGiven(manager: EntityManager): Promise<{ permissions: number; isAll: boolean }> {
  const [most] = await manager.query<{ permissions: number; isAll: boolean }[]>(`
    SELECT count(DISTINCT rp.permission)::integer AS permissions,
      count(DISTINCT rp.permission) = (SELECT count(*) FROM permissions) AS "isAll"
    FROM users u JOIN user_roles ur ON ur.user_id = u.id JOIN role_permissions rp USING (role_id)
    WHERE u.is_active GROUP BY u.id HAVING bool_or(rp.permission = 'users.manage')
    ORDER BY 1 DESC LIMIT 1`);
  return most ?? { permissions: 0, isAll: false };
}
