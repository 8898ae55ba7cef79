import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EntityManager } from 'typeorm';
import type { Actor } from '../database/audit.js';
import type { Creator } from '../contract/creation.js';
import { mapConstraints } from '../database/errors.js';
import { invalid, notFound } from '../common/errors.js';
import { whatever } from '../contract/etag.js';
import type { Changer } from '../contract/etag.js';
import { say } from '../common/messages.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { holdRow } from '../database/sql.js';
import { validated } from '../contract/validation.pipe.js';
import { CredentialsService } from '../auth/credentials.service.js';
import { hashPassword, refuseCommonPassword } from '../auth/passwords.js';
import { TokensService } from '../auth/tokens.service.js';
import { User } from '../auth/user.entity.js';
import { UpdateUserDto } from './users.dto.js';
import type { CreateUserDto, UserQuery } from './users.dto.js';
import { contractMessages } from '../contract/contract.messages.js';
import { changingRights, keepAdmin, lockAdministration } from './rights.js';
import { userMessages } from './users.messages.js';

const constraints = {
  uq_users_login: () => invalid({ login: [say(contractMessages.taken)] }),
  uq_users_email: () => invalid({ email: [say(contractMessages.taken)] }),
};

@Injectable()
export class UsersService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly tokens: TokensService,
    private readonly credentials: CredentialsService,
  ) {}

  list(query: UserQuery): Promise<Page<User>> {
    const users = this.users.createQueryBuilder('user');
    if (query.search) {
      users.andWhere(
        `fold("user".name || E'\\n' || "user".login || E'\\n' || "user".email) LIKE search_pattern(:search)`,
        query,
      );
    }
    if (query.is_active !== undefined) users.andWhere({ is_active: query.is_active });
    return paginate(users, query, {
      id: { by: 'user.id', type: 'integer', of: (user) => user.id },
      name: { by: 'user.name COLLATE "und-x-icu"', type: 'text', of: (user) => user.name },
      created_at: { by: 'user.created_at', type: 'timestamptz', of: (user) => user.created_at },
    });
  }

  async get(id: number, manager = this.users.manager): Promise<User> {
    const user = await manager.findOneBy(User, { id });
    if (!user) throw notFound(userMessages.none);
    return user;
  }

  /** @throws DomainError forbidden; validation-failed for a login or e-mail that is taken, an unknown role, … */
  async create<Answer>(
    { password, roles, ...fields }: CreateUserDto,
    by: Creator<User, Answer>,
  ): Promise<Answer> {
    await refuseCommonPassword(password);
    const password_hash = await hashPassword(password);
    return changingRights(this.users.manager, by.actor, { resource: 'user' }, (manager, need) =>
      by.once(manager, async () => {
        await lockAdministration(manager);
        await need({ roles });
        const insert = manager.insert(User, { ...fields, password_hash });
        const { identifiers } = await mapConstraints(insert, constraints);
        const { id } = identifiers[0] as { id: number };
        await this.setRoles(manager, id, roles);
        return this.get(id, manager);
      }),
    );
  }

  /** @throws DomainError forbidden; validation-failed when it would leave no active user who may manage users; stale */
  async update(
    id: number,
    { roles, password, ...fields }: UpdateUserDto,
    { actor, isExpected }: Changer<User>,
  ): Promise<User> {
    if (password !== undefined) await refuseCommonPassword(password);
    const password_hash = password === undefined ? undefined : await hashPassword(password);
    const changes = { ...fields, ...(password_hash && { password_hash }) };
    const subject = { resource: 'user', resource_id: id } as const;
    const user = await changingRights(this.users.manager, actor, subject, async (manager, need) => {
      await lockAdministration(manager);
      await holdRow(manager, 'users', id);
      const before = await this.get(id, manager);
      if (roles || Object.keys(changes).length > 0) await need({ user: id, roles });
      isExpected(before);
      await keepAdmin(manager, fields.is_active === false ? 'is_active' : 'roles', async () => {
        if (Object.keys(changes).length > 0)
          await mapConstraints(manager.update(User, id, changes), constraints);
        if (!roles) return;
        await this.setRoles(manager, id, roles);
        await manager.query(`UPDATE users SET updated_at = now() WHERE id = $1`, [id]); // they are part of it
      });
      if (password_hash || fields.is_active === false) await this.tokens.revokeAll(manager, id);
      return this.get(id, manager);
    });
    this.tokens.forgetAll();
    return user;
  }

  /** For the command line: sets the password of the user with this login or e-mail and revokes all tokens. */
  async setPassword(login: string, password: string, actor: Actor): Promise<User> {
    const user = await this.credentials.named({ login }).getOne();
    if (!user) throw invalid({ login: [say(contractMessages.not_found)] });
    return this.update(user.id, validated(UpdateUserDto, { password }), { actor, isExpected: whatever });
  }

  private async setRoles(manager: EntityManager, userId: number, roles: string[]): Promise<void> {
    const found = await manager.query<{ id: number; name: string }[]>(
      `SELECT id, name FROM roles WHERE name = ANY ($1) FOR SHARE`,
      [roles],
    );
    const ids = found.map((role) => role.id);
    const missing = roles.filter((name) => !found.some((role) => role.name === name));
    if (missing.length > 0)
      throw invalid({ roles: [say(contractMessages.items_not_found, missing.join(', '))] });
    await manager.query(`DELETE FROM user_roles WHERE user_id = $1 AND role_id <> ALL ($2)`, [userId, ids]);
    await manager.query(
      `INSERT INTO user_roles (user_id, role_id) SELECT $1, unnest($2::integer[]) ON CONFLICT DO NOTHING`,
      [userId, ids],
    );
  }
}
