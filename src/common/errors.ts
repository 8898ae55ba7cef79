import { say } from './messages.js';

/** The closed list of problems: the `type` of an answer is `/problems/<code>`. */
export const problems = {
  'malformed-body': { status: 400, title: 'Malformed body', detail: say('body_json') },
  'bad-request': { status: 400, title: 'Bad request', detail: say('bad_request') },
  unauthenticated: { status: 401, title: 'Not authenticated', detail: say('no_token') },
  'bad-credentials': { status: 401, title: 'Wrong credentials', detail: say('bad_credentials') },
  forbidden: { status: 403, title: 'Access denied', detail: say('missing_permission', '') },
  'not-found': { status: 404, title: 'Not found', detail: say('no_route') },
  'method-not-allowed': { status: 405, title: 'Method not allowed', detail: say('method', '') },
  'in-use': { status: 409, title: 'Still in use', detail: say('in_use', '') },
  'session-closed': { status: 409, title: 'Session closed', detail: say('session_closed') },
  'session-has-scans': { status: 409, title: 'Session has scans', detail: say('session_has_scans') },
  'body-too-large': { status: 413, title: 'Body too large', detail: say('body_size') },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type', detail: say('body_type') },
  'validation-failed': { status: 422, title: 'Validation failed', detail: say('invalid') },
  internal: { status: 500, title: 'Internal error', detail: say('internal') },
  unavailable: { status: 503, title: 'Temporarily unavailable', detail: say('unavailable') },
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

export const invalid = (errors: FieldErrors): DomainError => new DomainError('validation-failed', { errors });

export const wrongCredentials = (): DomainError =>
  new DomainError('bad-credentials', { headers: { 'WWW-Authenticate': 'Bearer realm="inventory"' } });

export const notFound = (what: string): DomainError =>
  new DomainError('not-found', { detail: say('no_row', what) });
