import { SetMetadata, applyDecorators, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ApiBearerAuth, ApiExtension } from '@nestjs/swagger';
import { ProblemAnswers } from '../contract/openapi.js';

export const PERMISSIONS = [
  'articles.view', 'articles.create', 'articles.update', 'articles.delete',
  'purchases.view', 'purchases.create', 'purchases.update', 'purchases.delete',
  'purchases.dispose',
  'attachments.manage',
  'suppliers.view', 'suppliers.create', 'suppliers.update', 'suppliers.delete',
  'locations.view', 'locations.manage',
  'inventories.view', 'inventories.create', 'inventories.scan', 'inventories.close',
  'inventories.review', 'inventories.reopen', 'reports.view',
  'reference.view', 'reference.manage', 'equipments.view', 'tiers.view', 'imports.run', 'users.manage', 'audit.view', 'webhooks.manage',
] as const; // prettier-ignore

export type Permission = (typeof PERMISSIONS)[number];
/** What a route asks of its caller. */
export type AccessRule =
  | {
      permission: Permission;
      /** What a list asks of him too who asks for what was deleted. */
      deleted?: Permission;
      /** What is enough for rows of one's own; the service tells which those are. */
      own?: Permission;
    }
  | 'signed-in'
  | 'public';

export const ACCESS_RULE = 'recense:access';

/** Whoever stands behind a valid token. */
export interface Principal {
  id: number;
  name: string;
  email: string;
  roles: string[];
  permissions: string[];
  /** Versions of the user and the roles: an entity tag of all this. */
  tag: string;
  /** The token of this request. */
  token_id: number;
}

/** The route needs a token whose user has this permission. A route without a rule is denied to everyone. */
export const Access = (
  permission: Permission,
  also: { deleted?: Permission; own?: Permission } = {},
): MethodDecorator =>
  applyDecorators(
    SetMetadata<string, AccessRule>(ACCESS_RULE, { permission, ...also }),
    ApiBearerAuth(),
    ApiExtension('x-permission', permission),
    ProblemAnswers('unauthenticated', 'forbidden'),
  );

/** The route needs a valid token and nothing more. */
export const SignedIn = (): MethodDecorator =>
  applyDecorators(
    SetMetadata<string, AccessRule>(ACCESS_RULE, 'signed-in'),
    ApiBearerAuth(),
    ProblemAnswers('unauthenticated'),
  );

export const Public = (): MethodDecorator & ClassDecorator =>
  SetMetadata<string, AccessRule>(ACCESS_RULE, 'public');

export const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<{ user: Principal }>().user,
);
