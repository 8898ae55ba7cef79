import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Creator } from '../contract/creation.js';
import { mapConstraints } from '../database/errors.js';
import { invalid, notFound } from '../common/errors.js';
import type { Changer } from '../contract/etag.js';
import { say } from '../common/messages.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { holdRow } from '../database/sql.js';
import { Role } from './role.entity.js';
import type { CreateRoleDto, RoleQuery, UpdateRoleDto } from './roles.dto.js';
import { TokensService } from '../auth/tokens.service.js';
import { changingRights, keepAdmin, lockAdministration } from './rights.js';
import { contractMessages } from '../contract/contract.messages.js';
import { userMessages } from './users.messages.js';

const taken = () => invalid({ name: [say(contractMessages.taken)] });
const constraints = { uq_roles_name: taken, uq_roles_name_key: taken };

@Injectable()
export class RolesService {
  constructor(
    @InjectRepository(Role) private readonly roles: Repository<Role>,
    private readonly tokens: TokensService,
  ) {}

  list(query: RoleQuery): Promise<Page<Role>> {
    return paginate(this.roles.createQueryBuilder('role'), query, {
      id: { by: 'role.id', type: 'integer', of: (role) => role.id },
      name: { by: 'role.name COLLATE "und-x-icu"', type: 'text', of: (role) => role.name },
    });
  }

  async get(id: number, manager = this.roles.manager): Promise<Role> {
    const role = await manager.findOneBy(Role, { id });
    if (!role) throw notFound(userMessages.no_role);
    return role;
  }

  create<Answer>({ permissions, ...fields }: CreateRoleDto, by: Creator<Role, Answer>): Promise<Answer> {
    return changingRights(this.roles.manager, by.actor, { resource: 'role' }, (manager, need) =>
      by.once(manager, async () => {
        await lockAdministration(manager);
        await need({ permissions });
        const { identifiers } = await mapConstraints(manager.insert(Role, fields), constraints);
        const { id } = identifiers[0] as { id: number };
        await this.setPermissions(manager, id, permissions);
        return this.get(id, manager);
      }),
    );
  }

  /** @throws DomainError forbidden; validation-failed when it would leave no active user who may manage users; stale */
  async update(
    id: number,
    { permissions, ...fields }: UpdateRoleDto,
    { actor, isExpected }: Changer<Role>,
  ): Promise<Role> {
    const subject = { resource: 'role', resource_id: id } as const;
    const role = await changingRights(this.roles.manager, actor, subject, async (manager, need) => {
      await lockAdministration(manager);
      await holdRow(manager, 'roles', id);
      const before = await this.get(id, manager);
      if (permissions || Object.keys(fields).length > 0) await need({ role: id, permissions });
      isExpected(before);
      if (Object.keys(fields).length > 0) await mapConstraints(manager.update(Role, id, fields), constraints);
      if (permissions)
        await keepAdmin(manager, 'permissions', async () => {
          await this.setPermissions(manager, id, permissions);
          await manager.query(`UPDATE roles SET updated_at = now() WHERE id = $1`, [id]); // they are part of it
        });
      return this.get(id, manager);
    });
    this.tokens.forgetAll();
    return role;
  }

  private async setPermissions(manager: EntityManager, roleId: number, permissions: string[]): Promise<void> {
    const unknown = await manager.query<{ name: string }[]>(
      `SELECT name FROM unnest($1::varchar[]) name WHERE name NOT IN (SELECT p.name FROM permissions p)`,
      [permissions],
    );
    const missing = unknown.map(({ name }) => name).join(', ');
    if (missing) throw invalid({ permissions: [say(contractMessages.items_not_found, missing)] });
    await manager.query(`DELETE FROM role_permissions WHERE role_id = $1 AND permission <> ALL ($2)`, [
      roleId,
      permissions,
    ]);
    await manager.query(
      `INSERT INTO role_permissions (role_id, permission) SELECT $1, unnest($2::varchar[])
       ON CONFLICT DO NOTHING`,
      [roleId, permissions],
    );
  }
}
