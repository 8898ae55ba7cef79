import { articleMessages } from '../articles/articles.messages.js';
import { attachmentMessages } from '../attachments/attachments.messages.js';
import { authMessages } from '../auth/auth.messages.js';
import type { FieldErrors } from '../common/errors.js';
import { render, say } from '../common/messages.js';
import type { Message } from '../common/messages.js';
import type { ProblemCode } from '../common/problems.js';
import { contractMessages } from '../contract/contract.messages.js';
import { problemAnswer } from '../contract/openapi.js';
import { equipmentMessages } from '../equipment/equipment.messages.js';
import { fieldMessages } from '../fields/fields.messages.js';
import { httpMessages } from '../http/http.messages.js';
import { importMessages } from '../imports/imports.messages.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { locationMessages } from '../locations/locations.messages.js';
import { purchaseMessages } from '../purchases/purchases.messages.js';
import { referenceMessages } from '../reference/reference.messages.js';
import { supplierMessages } from '../suppliers/suppliers.messages.js';
import { tierMessages } from '../tiers/tiers.messages.js';
import { userMessages } from '../users/users.messages.js';
import { webhookMessages } from '../webhooks/webhooks.messages.js';

/** What every route may answer in the same words: Swagger UI shows them folded, after what is a route's own. */
export const EVERYWHERE: ProblemCode[] = [
  'malformed-body',
  'unauthenticated',
  'forbidden',
  'body-too-large',
  'address-too-long',
  'unsupported-media-type',
  'too-many-requests',
  'internal',
  'unavailable',
];

/** Whose row a path names: what is said where there is none. */
const ROWS: Record<string, Message> = {
  'amortization-categories': referenceMessages.none,
  articles: articleMessages.none,
  attachments: attachmentMessages.none,
  brands: referenceMessages.none,
  categories: referenceMessages.none,
  equipments: equipmentMessages.none,
  fields: fieldMessages.none,
  imports: importMessages.none,
  inventories: inventoryMessages.none,
  locations: locationMessages.none,
  purchases: purchaseMessages.none,
  roles: userMessages.no_role,
  scan: purchaseMessages.none,
  suppliers: supplierMessages.none,
  tiers: tierMessages.none,
  tokens: authMessages.no_token,
  users: userMessages.none,
  webhooks: webhookMessages.none,
};

/** No row of the demo organisation has it. */
const MISSING = '9999';

/** What tells one route's errors from another's. */
export interface RouteShape {
  /** With `{id}` or `{code}`. */
  path: string;
  /** The path of the example. */
  instance: string;
  body?: { required?: string[]; properties?: Record<string, object> };
  /** Names of its query parameters. */
  query: string[];
}

/** The 404 or 422 of a route as it answers it; other problems are in the same words everywhere. */
export function problemOf(code: ProblemCode, route: RouteShape) {
  const { description, headers, content } = problemAnswer(code);
  const { schema, example } = content['application/problem+json'];
  const own = code === 'not-found' ? missing(route) : invalidOf(route);
  return {
    description,
    headers,
    content: { 'application/problem+json': { schema, example: { ...example, ...own } } },
  };
}

function missing({ path }: RouteShape): { detail: string; instance: string } {
  const [, list = ''] = /([\w-]+)\/\{/.exec(path) ?? [];
  const none = ROWS[list];
  if (!none) throw new Error(`No words for a row that is missing in ${path}`);
  return { detail: render(say(none)), instance: path.replace(/\{\w+\}/g, MISSING) };
}

/** Nothing where something is required; null where a row must have a value; a page of no rows; a name that is not known. */
function invalidOf({ body, query, instance }: RouteShape): { instance: string; errors: FieldErrors } {
  const { required = [], properties = {} } = body ?? {};
  const isNullable = (field: object) => 'anyOf' in field || ('type' in field && Array.isArray(field.type));
  const [filled] = Object.entries(properties).find(([, field]) => !isNullable(field)) ?? [];
  const message = (text: string) => [render(text)];
  if (required.length > 0)
    return {
      instance,
      errors: Object.fromEntries(required.map((field) => [field, message(say(contractMessages.required))])),
    };
  if (filled) return { instance, errors: { [filled]: message(say(contractMessages.not_null)) } };
  if (query.includes('per_page'))
    return { instance, errors: { per_page: message(say(contractMessages.integer, 1, 200)) } };
  return { instance, errors: { unknown: message(say(httpMessages.unknown_field)) } };
}
