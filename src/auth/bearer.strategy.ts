import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import passport from 'passport';
import { Strategy } from 'passport-http-bearer';
import { randomUUID } from 'node:crypto';
import type { Request } from 'express';
import type { Principal } from './access.js';
import { TokensService } from './tokens.service.js';

/** The token of the Authorization header; undefined where there is none. */
export function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(header ?? '')?.[1];
}

@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  /** Passport keeps its strategies by name for the whole process; a second service in it must not replace ours. */
  readonly registeredAs = `bearer-${randomUUID()}`;

  constructor(private readonly tokens: TokensService) {
    super({ realm: 'inventory' });
    passport.use(this.registeredAs, this);
  }

  /** The package would also take tokens from the query string and the body, where logs and caches keep them. */
  override authenticate(request: Request): void {
    const token = bearerToken(request.headers.authorization);
    const headerOnly = { headers: token ? { authorization: `Bearer ${token}` } : {} };
    super.authenticate(headerOnly as Request);
  }

  validate(token: string): Promise<Principal | null> {
    return this.tokens.check(token);
  }
}
