import { say } from './messages.js';
import type { Message } from './messages.js';
import { problems } from './problems.js';
import type { ProblemCode } from './problems.js';

export type FieldErrors = Record<string, string[]>;

interface DomainErrorOptions {
  detail?: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
  refused?: Refused;
}

/** What the audit log says of a `forbidden`, beside who asked for what. */
export interface Refused {
  resource?: string;
  resource_id?: number;
  details?: Record<string, unknown>;
}

/** The one error class of the services: a code from the list and, where single fields are to blame, their messages. */
export class DomainError extends Error {
  readonly detail: string;
  readonly errors?: FieldErrors;
  readonly headers: Record<string, string>;
  readonly refused: Refused;

  constructor(
    readonly code: ProblemCode,
    { detail = say(problems[code].detail), errors, headers = {}, refused = {} }: DomainErrorOptions = {},
  ) {
    super(code);
    this.detail = detail;
    this.errors = errors;
    this.headers = headers;
    this.refused = refused;
  }
}

/** Of an answer that has begun to go out: nobody can be told of the `cause`, and nothing can be done once more. */
export class Begun extends Error {
  constructor(override readonly cause: unknown) {
    super('The answer breaks off', { cause });
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

/** @throws DomainError validation-failed, where there are any */
export function refuseInvalid(errors: FieldErrors): void {
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

/** What is somebody else's. */
export const notTheirs = (refused: Refused): DomainError => new DomainError('forbidden', { refused });

export const wrongCredentials = (): DomainError =>
  new DomainError('bad-credentials', { headers: { 'WWW-Authenticate': 'Bearer realm="inventory"' } });

/** To be sent again after so many seconds. */
export const tooMany = (
  seconds: number,
  detail: Message = problems['too-many-requests'].detail,
): DomainError =>
  new DomainError('too-many-requests', { detail: say(detail), headers: { 'Retry-After': String(seconds) } });

/** Busy or away: worth another try in a moment. */
export const unavailable = (): DomainError =>
  new DomainError('unavailable', { headers: { 'Retry-After': '1' } });

/** There is no such row. */
export const notFound = (none: Message): DomainError => new DomainError('not-found', { detail: say(none) });
