import { Injectable, UnauthorizedException } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Request } from 'express';
import { timingSafeEqual } from 'node:crypto';
import { IsNull, Repository } from 'typeorm';
import { Token } from './nest.entities.js';
import type { Call } from './observe.js';
import { parse } from './tokens.js';
import type { Principal } from './tokens.js';

const REMEMBERED_MS = 1000;
const DAY_MS = 86_400_000;

/** The token check in the idiom of TypeORM: an entity with its relations, remembered for a second. */
@Injectable()
export class TokenGuard implements CanActivate {
  private readonly remembered = new Map<number, { token: Token; principal: Principal; until: number }>();

  constructor(@InjectRepository(Token) private readonly tokens: Repository<Token>) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Request & Call>();
    request.template = (request.route as { path: string }).path;
    const sent = parse(request.headers.authorization);
    const known = sent && (await this.find(sent.id));
    if (!known || !timingSafeEqual(known.token.secret_hash, sent.hash)) throw new UnauthorizedException();
    request.caller = known.principal;
    const permission = request.method === 'POST' ? 'inventories.scan' : 'purchases.view';
    return known.principal.permissions.includes(permission);
  }

  private async find(id: number) {
    const known = this.remembered.get(id);
    if (known && known.until > Date.now()) return known;
    const until = Date.now() + REMEMBERED_MS;
    const token = await this.tokens.findOne({
      where: { id, deleted_at: IsNull(), user: { is_active: true } },
      relations: { user: { roles: { permissions: true } } },
    });
    if (!token || hasEnded(token)) return null;
    const permissions = token.user.roles.flatMap((role) => role.permissions.map(({ name }) => name));
    const found = { token, principal: { id: token.user.id, permissions }, until };
    this.remembered.set(id, found);
    return found;
  }
}

const hasEnded = ({ last_used_at, created_at }: Token): boolean =>
  Date.now() > Math.min(last_used_at.getTime() + 30 * DAY_MS, created_at.getTime() + 365 * DAY_MS);
