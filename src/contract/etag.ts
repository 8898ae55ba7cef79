import type { Response } from 'express';
import { version } from '../config/version.js';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Actor } from '../database/audit.js';
import { documentHeader } from './openapi.js';
import { contractMessages } from './contract.messages.js';

const TAG = '(?:W/)?"[!#-~\\x80-\\xff]*"';
const TAGS = new RegExp(TAG, 'g');
// Elements may be empty (RFC 9110, 5.6.1). No text matches in two ways, or one that fails would take for ever.
const PATTERN = `^(?:\\*|[ \\t,]*${TAG}(?:[ \\t]*,[ \\t,]*${TAG})*[ \\t,]*)$`;
const HEADER = new RegExp(PATTERN);

/**
 * A strong entity tag (RFC 9110, 8.8.3) of an answer: the versions of all rows that it shows, and whatever else it
 * depends on. Nothing is hashed. The release is part of it, since another one may show the same rows differently.
 */
export const tagOf = (...versions: (number | string | undefined)[]): string =>
  `"${[version, ...versions.map((one) => one ?? '')].join('-')}"`;

export const recordTag = ({ version: rowVersion }: { version: number }): string => tagOf(rowVersion);

/**
 * Sends an entity tag with the answer. What was read may be kept, and has to be asked about each time: 304, without
 * the body, where `If-None-Match` has the tag. Express itself would not answer 304 to `Cache-Control: no-cache`, which
 * fetch() sends along with that header.
 */
export function tagged<Answer>(response: Response, tag: string, answer: Answer): Answer {
  response.set('ETag', tag);
  const { method, headers } = response.req;
  if (method !== 'GET' && method !== 'HEAD') return answer;
  response.set('Cache-Control', 'private, no-cache');
  if (isKept(headers['if-none-match'], tag)) response.status(304);
  return answer;
}

/** Whether an `If-None-Match` has the tag. Ours holds no comma. Compared weakly, as RFC 9110 has it here. */
export function isKept(header = '', tag: string): boolean {
  const names = header.split(',').map((name) => name.trim().replace(/^W\//, ''));
  return header === '*' || names.includes(tag);
}

/** Whether a row is still the one that a client has seen; throws DomainError stale where it is not. */
export type Precondition<Row> = (row: Row) => void;

/** Who changes a row, and whether it is still the one that he has seen. */
export interface Changer<Row> {
  actor: Actor;
  isExpected: Precondition<Row>;
}

/** For those who have seen nothing. */
export const whatever: Precondition<unknown> = () => undefined;

/** The `If-Match` of a request. */
export class Expected {
  constructor(private readonly tags: Set<string> | null) {}

  /** To be asked under a lock on the row, so that nobody changes it between this and the change. */
  by<Row>(tag: (row: Row) => string): Precondition<Row> {
    return (row) => {
      if (this.tags && !this.tags.has(tag(row))) throw new DomainError('stale');
    };
  }
}

const NAME = 'If-Match';

/** @throws DomainError validation-failed for what is neither `*` nor a list of entity tags */
export function parseIfMatch(header: string | undefined): Set<string> | null {
  // That the row is there is asked anyhow.
  if (header === undefined || header === '*') return null;
  if (!HEADER.test(header)) throw invalid({ [NAME]: [say(contractMessages.entity_tags)] });
  return new Set(header.match(TAGS)); // a weak tag is never the one of a row
}

/** Documents the `If-Match` of a PATCH or DELETE, and its 412. */
export const documentIfMatch = (target: object, name: string | symbol | undefined): void => {
  documentHeader(target, name, 'stale', {
    name: NAME,
    description:
      'The `ETag` that you have seen: refused with 412 if anything that it stands for was changed since.',
    schema: { type: 'string', pattern: PATTERN },
  });
};
