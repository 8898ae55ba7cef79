import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Actor } from '../database/audit.js';
import type { AppRequest } from './request.js';

const MAX_ADDRESS = 64;

export function actorOf(request: AppRequest): Actor {
  const user = request.user as { id: number; name: string; token_id: number } | undefined;
  // An IPv4 address is told as such, also by a socket for both kinds.
  const address = request.address.replace(/^::ffff:(?=[\d.]+$)/, '').slice(0, MAX_ADDRESS);
  const request_id = request.id;
  if (!user) return { address, request_id };
  return { user_id: user.id, user_name: user.name, token_id: user.token_id, address, request_id };
}

/** Of a route that takes a token it is a Caller. */
export const CurrentActor = createParamDecorator((_: unknown, context: ExecutionContext) =>
  actorOf(context.switchToHttp().getRequest<AppRequest>()),
);
