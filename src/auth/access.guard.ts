import { Injectable } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { AddressLimit, RateLimit } from '../http/rate-limit.js';
import type { AppRequest } from '../http/request.js';
import { Env } from '../config/env.js';
import { ACCESS_RULE } from './access.js';
import type { AccessRule, Permission, Principal } from './access.js';
import { BearerStrategy, bearerToken } from './bearer.strategy.js';
import { TokensService } from './tokens.service.js';
import { authMessages } from './auth.messages.js';

type SignedRequest = AppRequest & { user?: Principal };

/**
 * The one guard of every route: who is it, may they, and is it not too much? A route that names no rule is denied to
 * everyone. Callers are counted by token, so that fifty phones behind one address do not slow each other; by address
 * only where there is no good token.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  private readonly ofTokens: RateLimit<number>;

  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: TokensService,
    private readonly addresses: AddressLimit,
    strategy: BearerStrategy,
    env: Env,
  ) {
    super({ defaultStrategy: strategy.registeredAs });
    this.ofTokens = new RateLimit(env.TOKEN_RATE_LIMIT);
  }

  /** Waits for nothing where the token was checked within the last second, as on nearly every scan. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const rule = this.reflector.getAllAndOverride<AccessRule | undefined>(ACCESS_RULE, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (!rule) throw new DomainError('forbidden');
    const request = context.switchToHttp().getRequest<SignedRequest>();
    if (rule === 'public') {
      this.addresses.count(request);
      return true;
    }
    request.user = this.tokens.recall(bearerToken(request.headers.authorization) ?? '') ?? undefined;
    return request.user ? this.admit(rule, request, request.user) : this.ask(request, context, rule);
  }

  /** Passport's strategy stands behind the memory of tokens. */
  private async ask(request: SignedRequest, context: ExecutionContext, rule: AccessRule): Promise<boolean> {
    await super.canActivate(context);
    return this.admit(rule, request, request.user as Principal);
  }

  private admit(rule: AccessRule, request: SignedRequest, { token_id, permissions }: Principal): boolean {
    this.ofTokens.count(token_id);
    if (typeof rule !== 'object') return true;
    const isAllowed = [rule.permission, rule.own].some((one) => one && permissions.includes(one));
    if (!isAllowed) throw lacks(rule.permission);
    if (!rule.deleted || !asksForDeleted(request) || permissions.includes(rule.deleted)) return true;
    throw lacks(rule.deleted);
  }

  override handleRequest<T>(error: unknown, user: T, _: unknown, context: ExecutionContext): T {
    if (error) throw error as Error;
    if (user) return user;
    const request = context.switchToHttp().getRequest<SignedRequest>();
    this.addresses.count(request);
    const { authorization = '' } = request.headers;
    const wasSent = /^Bearer +\S/i.test(authorization); // another scheme's credentials are no token (RFC 6750, 3.1)
    throw new DomainError('unauthenticated', {
      ...(wasSent && { detail: say(authMessages.bad_token) }),
      headers: { 'WWW-Authenticate': `Bearer realm="inventory"${wasSent ? ', error="invalid_token"' : ''}` },
    });
  }
}

const lacks = (permission: Permission): DomainError =>
  new DomainError('forbidden', {
    detail: say(authMessages.missing_permission, permission),
    refused: { details: { permission } },
  });

const asksForDeleted = ({ query }: SignedRequest): boolean =>
  query.deleted !== undefined && query.deleted !== 'false' && query.deleted !== '0';
