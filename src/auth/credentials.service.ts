import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { SelectQueryBuilder } from 'typeorm';
import { invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { changing } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { AttemptsService } from './attempts.service.js';
import { hashPassword, isPassword, refuseCommonPassword } from './passwords.js';
import { Refusals } from './refusals.js';
import { TokensService } from './tokens.service.js';
import { User } from './user.entity.js';
import { authMessages } from './auth.messages.js';

/** By user name or e-mail address, or by e-mail address alone. */
export type Name = { login: string } | { email: string };

/** Whose name and password these are, and the own password. */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(User) private readonly users: Repository<User>,
    private readonly tokens: TokensService,
    private readonly attempts: AttemptsService,
    private readonly refusals: Refusals,
  ) {}

  /** The active user whose login or e-mail and password these are; null for any other, in about the same time. */
  async authenticate(name: Name, password: string, network: string): Promise<User | null> {
    const user = await this.named(name).addSelect('user.password_hash').getOne();
    const matches = await isPassword(user?.password_hash, password, network);
    return matches && user?.is_active ? user : null;
  }

  /** Changes the caller's own password and revokes all tokens but the one in use. */
  async changePassword(caller: Caller, current: string, password: string): Promise<void> {
    const { user_id: id, token_id: tokenId } = caller;
    const user = await this.users.findOneOrFail({ where: { id }, select: { id: true, password_hash: true } });
    const isRight = await this.attempts.ownPassword(id, () => isPassword(user.password_hash, current));
    if (!isRight) {
      await this.refusals.ownPassword(caller);
      throw invalid({ current_password: [say(authMessages.password_wrong)] });
    }
    await refuseCommonPassword(password);
    const password_hash = await hashPassword(password);
    await changing(this.users.manager, caller, async (manager) => {
      // Only if it is still the one that was checked: an administrator may have set another one meanwhile.
      const { affected } = await manager.update(
        User,
        { id, password_hash: user.password_hash, is_active: true },
        { password_hash },
      );
      if (!affected) throw invalid({ current_password: [say(authMessages.password_wrong)] });
      await this.tokens.revokeAll(manager, id, tokenId);
    });
    this.tokens.forgetAll();
  }

  /** A login is a user name or an e-mail address; no user name looks like an address. */
  named(name: Name): SelectQueryBuilder<User> {
    const users = this.users.createQueryBuilder('user').where('name_key("user".email) = name_key(:name)');
    if ('login' in name) users.orWhere('name_key("user".login) = name_key(:name)');
    // Of twins from before names were compared so, the one who is spelled like this.
    return users
      .addSelect('("user".email = :name OR "user".login = :name)', 'is_exact')
      .orderBy('is_exact', 'DESC')
      .setParameter('name', 'email' in name ? name.email : name.login);
  }
}
