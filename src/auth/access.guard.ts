import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { AppRequest } from '../common/request.js';
import { ACCESS_RULE } from './access.js';
import type { AccessRule, Principal } from './access.js';
import { BearerStrategy, bearerToken } from './bearer.strategy.js';
import { TokensService } from './tokens.service.js';

type SignedRequest = AppRequest & { user?: Principal };

/** The one guard of every route: who is it, and may they? A route that names no rule is denied to everyone. */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    strategy: BearerStrategy,
  ) {
    super({ defaultStrategy: strategy.registeredAs });
  }

  /** Waits for nothing where the token was checked within the last second, as on nearly every scan. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (rule === 'public') return true;
    if (!rule) throw new DomainError('forbidden');
    const request = context.switchToHttp().getRequest<SignedRequest>();
    request.user = this.tokens.recall(bearerToken(request.headers.authorization) ?? '') ?? undefined;
    return request.user ? permits(rule, request.user) : this.ask(request, context, rule);
  }

  /** Passport's strategy stands behind the memory of tokens. */
  private async ask(request: SignedRequest, context: ExecutionContext, rule: AccessRule): Promise<boolean> {
    await super.canActivate(context);
    return permits(rule, request.user as Principal);
  }

  override handleRequest<T>(error: unknown, user: T, _: unknown, context: ExecutionContext): T {
    if (error) throw error as Error;
    if (user) return user;
    const { authorization = '' } = context.switchToHttp().getRequest<SignedRequest>().headers;
    const wasSent = /^Bearer +\S/i.test(authorization); // another scheme's credentials are no token (RFC 6750, 3.1)
    throw new DomainError('unauthenticated', {
      detail: say(wasSent ? 'bad_token' : 'no_token'),
      headers: { 'WWW-Authenticate': `Bearer realm="inventory"${wasSent ? ', error="invalid_token"' : ''}` },
    });
  }
}

function permits(rule: AccessRule, { permissions }: Principal): boolean {
  if (typeof rule === 'object' && !permissions.includes(rule.permission)) {
    throw new DomainError('forbidden', { detail: say('missing_permission', rule.permission) });
  }
  return true;
}
