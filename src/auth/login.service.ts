import { Injectable } from '@nestjs/common';
import { wrongCredentials } from '../common/errors.js';
import type { Actor } from '../database/audit.js';
import { AttemptsService } from './attempts.service.js';
import type { LoginDto, TokenAnswerDto } from './auth.dto.js';
import { CredentialsService } from './credentials.service.js';
import type { Name } from './credentials.service.js';
import { Refusals } from './refusals.js';
import { TokensService } from './tokens.service.js';

/** Gives a token for a name and its password. */
@Injectable()
export class LoginService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly credentials: CredentialsService,
    private readonly tokens: TokensService,
    private readonly refusals: Refusals,
  ) {}

  /** @throws DomainError too-many-requests, bad-credentials */
  async login(
    name: Name,
    { password, device_name = null }: Pick<LoginDto, 'password' | 'device_name'>,
    actor: Actor,
  ): Promise<TokenAnswerDto> {
    const given = 'login' in name ? name.login : name.email;
    const check = (network: string) => this.credentials.authenticate(name, password, network);
    const user = await this.attempts.login(given, actor, check);
    const issued = user && (await this.tokens.issue(user.id, device_name, user.password_hash, actor));
    if (!issued) {
      await this.refusals.login(actor, given);
      throw wrongCredentials();
    }
    return { ...issued, user: { id: user.id, name: user.name } };
  }
}
