import { say } from './messages.js';
import type { MessageKey } from './messages.js';

/** The closed list of problems: the `type` of an answer is `/problems/<code>`. */
export const problems = {
  'malformed-body': { status: 400, detail: say('body_json') },
  'bad-request': { status: 400, detail: say('bad_request') },
  unauthenticated: { status: 401, detail: say('no_token') },
  'bad-credentials': { status: 401, detail: say('bad_credentials') },
  forbidden: { status: 403, detail: say('forbidden') },
  'not-found': { status: 404, detail: say('no_route') },
  'method-not-allowed': { status: 405, detail: say('method', 'GET, HEAD') },
  'in-use': { status: 409, detail: say('in_use', 12) },
  'session-closed': { status: 409, detail: say('session_closed') },
  'session-has-scans': { status: 409, detail: say('session_has_scans') },
  'request-in-flight': { status: 409, detail: say('in_flight') },
  stale: { status: 412, detail: say('stale') },
  'body-too-large': { status: 413, detail: say('body_size') },
  'unsupported-media-type': { status: 415, detail: say('body_type') },
  'validation-failed': { status: 422, detail: say('invalid') },
  'too-many-requests': { status: 429, detail: say('too_many_requests') },
  internal: { status: 500, detail: say('internal') },
  unavailable: { status: 503, detail: say('unavailable') },
} as const;

export type ProblemCode = keyof typeof problems;
export type FieldErrors = Record<string, string[]>;

interface DomainErrorOptions {
  detail?: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
}

/** The one error class of the services: a code from the list and, on 422, the messages by field. */
export class DomainError extends Error {
  readonly detail: string;
  readonly errors?: FieldErrors;
  readonly headers: Record<string, string>;

  constructor(
    readonly code: ProblemCode,
    { detail = problems[code].detail, errors, headers = {} }: DomainErrorOptions = {},
  ) {
    super(code);
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
  }
}

/** Without a prototype, so that a field called __proto__ is reported like any other. */
export const noErrors = (): FieldErrors => Object.create(null) as FieldErrors;

/** How many unknown fields an answer names: a body has room for 100 000, and the answer would be larger still. */
const NAMED_FIELDS = 100;

/** Adds the same message for each of `fields`, the first hundred. */
export function complain(errors: FieldErrors, fields: Iterable<string>, message: string): void {
  let named = 0;
  for (const field of fields) {
    if (named++ === NAMED_FIELDS) return;
    errors[field] = [message];
  }
}

export const invalid = (errors: FieldErrors): DomainError => new DomainError('validation-failed', { errors });

export const wrongCredentials = (): DomainError =>
  new DomainError('bad-credentials', { headers: { 'WWW-Authenticate': 'Bearer realm="inventory"' } });

/** To be sent again after so many seconds. */
export const tooMany = (what: 'too_many_requests' | 'too_many_attempts', seconds: number): DomainError =>
  new DomainError('too-many-requests', { detail: say(what), headers: { 'Retry-After': String(seconds) } });

/** Busy or away: worth another try in a moment. */
export const unavailable = (): DomainError =>
  new DomainError('unavailable', { headers: { 'Retry-After': '1' } });

type RowName<Key> = Key extends `row_${infer Name}` ? Name : never;

/** There is no such row. */
export const notFound = (row: RowName<MessageKey>): DomainError =>
  new DomainError('not-found', { detail: say(`row_${row}`) });
