/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { parse } from 'node:querystring';
import { attachmentMessages } from '../../src/attachments/attachments.messages.js';
import { authMessages } from '../../src/auth/auth.messages.js';
import { contractMessages } from '../../src/contract/contract.messages.js';
import { fieldMessages } from '../../src/fields/fields.messages.js';
import { inventoryMessages } from '../../src/inventories/inventories.messages.js';
import { labelMessages } from '../../src/labels/labels.messages.js';
import { locationMessages } from '../../src/locations/locations.messages.js';
import { purchaseMessages } from '../../src/purchases/purchases.messages.js';
import { referenceMessages } from '../../src/reference/reference.messages.js';
import { scanMessages } from '../../src/scans/scans.messages.js';
import { userMessages } from '../../src/users/users.messages.js';
import { linesOf } from './fuzz-requests.js';
import type { FuzzOperation, FuzzRequest } from './fuzz-requests.js';

export interface FuzzAnswer {
  status: number;
  headers: Record<string, unknown>;
  text: string;
}

/** Why a request that the schemas allow may still get a 422: what depends on rows, and what no schema can say. */
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const BEYOND_SCHEMAS = [
  contractMessages.not_found,
  contractMessages.items_not_found, // which ones follows
  contractMessages.taken,
  purchaseMessages.code_taken,
  fieldMessages.no_key,
  fieldMessages.values, // which holds none other
  fieldMessages.choices_required,
  fieldMessages.choices_of_others,
  fieldMessages.choice_in_use,
  purchaseMessages.epc, // check digits and bits
  purchaseMessages.gs1,
  purchaseMessages.before_purchase,
  purchaseMessages.not_after_disposal,
  purchaseMessages.disposed,
  purchaseMessages.bought_later,
  purchaseMessages.not_yet,
  purchaseMessages.of_expiring,
  labelMessages.one,
  labelMessages.none,
  labelMessages.no_code,
  labelMessages.of_custom,
  labelMessages.not_custom,
  labelMessages.overlap,
  labelMessages.off_page,
  labelMessages.skip,
  labelMessages.not_held,
  labelMessages.no_room,
  locationMessages.code_taken,
  locationMessages.circle,
  locationMessages.too_deep,
  inventoryMessages.not_missing,
  attachmentMessages.no_photo,
  attachmentMessages.no_thumbnail,
  attachmentMessages.cover_photo,
  scanMessages.move_without_place,
  scanMessages.code_of_another,
  contractMessages.cursor,
  contractMessages.cursor_and_page,
  contractMessages.not_with_updated_since,
  contractMessages.not_with_format,
  contractMessages.needs_updated_since,
  contractMessages.key_reused,
  authMessages.password_common,
  authMessages.password_wrong,
  userMessages.last_admin,
  referenceMessages.coefficient_linear, // by the method and the duration that the row has
  referenceMessages.coefficient_required,
  contractMessages.moment, // a day that its month does not have
  contractMessages.email, // its exact syntax: JSON Schema leaves it open
  contractMessages.text_format, // those beyond U+FFFF
  userMessages.login, // characters that are @ or white space only once they are normalized
].map(([text]) => new RegExp(`^${escaped(text).replace(/\\\{\d\\\}|(?<=: )$/g, '.*')}$`, 's'));

/** Takes every character that a scanner may read; everywhere else NUL and lone surrogates are refused. */
const TAKES_ANY_CODE = 'scanPurchase';

interface Verdict {
  /** Nothing of it contradicts the document. */
  isValid: boolean;
  /** It must not be accepted. What differs from a valid request only by white space around texts is in between. */
  isForbidden: boolean;
}

const VALID: Verdict = { isValid: true, isForbidden: false };
const FORBIDDEN: Verdict = { isValid: false, isForbidden: true };
/** What a file has to be, no schema says. */
const UNSAID: Verdict = { isValid: false, isForbidden: false };

/** Holds answers against the document. */
export class Oracle {
  private readonly ajv: Ajv2020;
  private readonly named = new Map<string, ValidateFunction>();
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: any) {
    this.ajv = new Ajv2020({ strictTypes: false, allErrors: true });
    // Money has too many digits for the division of doubles by which ajv would judge it.
    this.ajv.removeKeyword('multipleOf').addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      validate: (of: number, value: number) => Number((Math.round(value / of) * of).toFixed(2)) === value,
    });
    this.ajv.addVocabulary(['example', 'x-enum-varnames', 'x-extensible-enum']);
    formats.default(this.ajv);
    this.ajv.addFormat('email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/); // as wide as mail over UTF-8 is (RFC 6531)
    this.ajv.addSchema({ $id: 'api', $defs: closed(localized(document.components.schemas)) });
  }

  /** What an answer breaks; nothing when all is well. `before` is the entity tag that the row had. */
  breaches(request: FuzzRequest, answer: FuzzAnswer, before?: string): string[] {
    const { operation, caller } = request;
    const { status } = answer;
    const verdict = this.verdictOn(request);
    const malformed = this.malformedHeaders(request);
    const isAccepted = status < 400;
    const isOpen = operation.definition.security.length === 0;
    const found = [
      ...this.breachesOfAnswer(operation, answer),
      ...breachesOfConditions(request, answer, before),
    ];
    if (status === 200 && operation.parameters.some(({ name }) => name === 'include_deleted'))
      found.push(...breachesOfList(request, answer));
    if (status >= 500) found.push('fails');
    if (isAccepted && (verdict.isForbidden || malformed.length > 0))
      found.push('accepts what the document forbids');
    if (isAccepted && !isOpen && (caller === 'nobody' || caller === 'stranger')) found.push('lets anyone in');
    if (caller === 'admin' && !isOpen && (status === 401 || status === 403))
      found.push('keeps the admin out');
    if (!verdict.isValid || status === 401 || status === 403) return found;
    if ([400, 413, 415].includes(status)) found.push('refuses a body that the document allows');
    const errors = status === 422 ? errorsOf(answer) : {};
    if (malformed.length > 0) {
      if (Object.keys(errors).join() !== malformed.join()) found.push(`does not name ${malformed.join()}`);
    } else if (
      !Object.entries(errors).every(
        ([name, messages]) =>
          name.startsWith('fields.') || // which fields there are, nobody knows beforehand
          messages.every((message) => BEYOND_SCHEMAS.some((known) => known.test(message))),
      )
    ) {
      found.push('refuses what the document allows');
    }
    return found;
  }

  /** What of an answer is not as its operation declares it. */
  breachesOfAnswer({ id, definition }: FuzzOperation, answer: FuzzAnswer): string[] {
    const declared = definition.responses[answer.status];
    if (!declared) return [`status ${answer.status} is not declared`];
    const missing = Object.keys(declared.headers ?? {}).filter(
      (name) => !(name.toLowerCase() in answer.headers),
    );
    const found = missing.map((name) => `the header ${name} is missing`);
    if (!declared.content) return answer.text === '' ? found : [...found, 'has a body'];
    const type = String(answer.headers['content-type']).split(';')[0] as string;
    const content = declared.content[type];
    if (!content) return [...found, `content type ${type} is not declared`];
    if (!/\bjson$/.test(type)) return found;
    const validate = this.validator(`${id} ${answer.status}`, () => closed(localized(content.schema)));
    if (!validate(JSON.parse(answer.text))) found.push(`the answer: ${this.ajv.errorsText(validate.errors)}`);
    return found;
  }

  /** The names of the headers that are not as the document has them. */
  private malformedHeaders(request: FuzzRequest): string[] {
    const { id, parameters } = request.operation;
    return parameters
      .filter((parameter) => parameter.in === 'header')
      .filter(({ name, schema }) => {
        const value = headerOf(request, name);
        return value !== undefined && !this.validator(`${id} ${name}`, () => localized(schema))(value);
      })
      .map(({ name }) => name as string);
  }

  /** On everything but the headers. */
  private verdictOn(request: FuzzRequest): Verdict {
    const verdicts = [pathVerdict(request), this.queryVerdict(request), this.bodyVerdict(request)];
    return {
      isValid: verdicts.every(({ isValid }) => isValid),
      isForbidden: verdicts.some(({ isForbidden }) => isForbidden),
    };
  }

  private queryVerdict({ operation, query }: FuzzRequest): Verdict {
    const parameters = operation.parameters.filter((parameter) => parameter.in === 'query');
    const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const given = Object.entries(parse(query)).map(([name, value]) => [
      name,
      Object.hasOwn(properties, name) ? fromText(properties[name], value) : value,
    ]);
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    const schema = { type: 'object', properties, required, additionalProperties: false };
    const validate = this.validator(`${operation.id} query`, () => localized(schema));
    return judge(validate, schema, Object.fromEntries(given));
  }

  private bodyVerdict({ operation, body }: FuzzRequest): Verdict {
    const { requestBody } = operation.definition;
    const isFile = requestBody && !requestBody.content['application/json'];
    if (isFile) return Object.hasOwn(requestBody.content, body.type.split(';')[0]!) ? UNSAID : FORBIDDEN;
    if (body.text === '') return requestBody?.required ? FORBIDDEN : VALID;
    if (!/^application\/json(; charset=utf-8)?$/.test(body.type) || body.repeats) return FORBIDDEN;
    let value: unknown;
    try {
      value = JSON.parse(body.text.replace(/^\ufeff/, ''));
    } catch {
      return FORBIDDEN;
    }
    if (!operation.body) {
      // Without fields a body is nothing that an operation without one could misunderstand.
      return { isValid: false, isForbidden: Object.keys(Object(value) as object).length > 0 };
    }
    const validate = this.validator(`${operation.id} body`, () => localized(operation.body));
    return judge(validate, operation.body, value, operation.id === TAKES_ANY_CODE);
  }

  private validator(name: string, schema: () => object): ValidateFunction {
    let known = this.named.get(name);
    if (!known) {
      const own = schema();
      const text = JSON.stringify(own);
      known = this.compiled.get(text) ?? this.ajv.compile(own);
      this.compiled.set(text, known); // many operations share one, such as that of a problem
      this.named.set(name, known);
    }
    return known;
  }
}

const errorsOf = ({ text }: FuzzAnswer): Record<string, string[]> =>
  (JSON.parse(text) as { errors?: Record<string, string[]> }).errors ?? {};

/** A header as the operation reads it; those that it does not declare it does not read. */
function headerOf(request: FuzzRequest, header: string): string | string[] | undefined {
  if (!request.operation.parameters.some(({ name }) => name === header)) return undefined;
  const lines = linesOf(request, header).map((line) => line.replace(/^[ \t]+|[ \t]+$/g, ''));
  if (lines.length < 2) return lines[0];
  return header === 'Idempotency-Key' ? lines : lines.join(', '); // several lines of a list are one (RFC 9110, 5.3)
}

/** 304 and 412 exactly where the entity tags ask for them. */
function breachesOfConditions(request: FuzzRequest, answer: FuzzAnswer, before?: string): string[] {
  const { status, headers, text } = answer;
  const found: string[] = [];
  const ifNoneMatch = headerOf(request, 'If-None-Match')?.toString().replaceAll('W/', '');
  if ((status === 304) !== (status < 400 && lists(ifNoneMatch, headers.etag)))
    found.push('304 where the tag is another, or none where it is the same');
  const ifMatch = headerOf(request, 'If-Match')?.toString();
  const isExpected = ifMatch === undefined || lists(ifMatch, before);
  if (status === 412 && (isExpected || before === undefined))
    found.push('refuses a change of what the client has seen');
  if (status < 300 && !isExpected) found.push('changes what the client has not seen');
  if (text.includes('/problems/request-in-flight') && headerOf(request, 'Idempotency-Key') === undefined)
    found.push('takes a request without a key for another');
  return found;
}

const lists = (condition: string | undefined, tag: unknown): boolean =>
  condition === '*' || Boolean(condition?.split(',').some((one) => one.trim() === tag));

/** What a list tells of itself in each of its modes. */
function breachesOfList({ query }: FuzzRequest, { text, headers }: FuzzAnswer): string[] {
  const { updated_since, include_deleted, cursor, format = 'json' } = parse(query);
  const isPage = String(headers['content-type']).startsWith('application/json');
  if (isPage !== (format === 'json')) return ['a page where a file was asked for, or a file for a page'];
  if (!isPage) return [];
  const { deleted, meta } = JSON.parse(text) as { deleted?: object[]; meta: object };
  const isSync = updated_since !== undefined;
  const expected = {
    deleted: isSync && BOOLEANS[String(include_deleted)] === true,
    synced_until: isSync,
    total: !isSync && cursor === undefined,
  };
  const has = {
    deleted: deleted !== undefined,
    synced_until: 'synced_until' in meta,
    total: 'total' in meta,
  };
  return Object.entries(expected)
    .filter(([name, isThere]) => has[name as keyof typeof has] !== isThere)
    .map(([name, isThere]) => `${name} is ${isThere ? 'missing' : 'too much'}`);
}

function pathVerdict({ operation, inPath }: FuzzRequest): Verdict {
  const parameters = operation.parameters.filter((one) => one.in === 'path');
  const isPossible = parameters.every(({ schema: { type, minimum, maximum } }, at) => {
    const value = inPath[at]!;
    return (
      type !== 'integer' || (/^\d+$/.test(value) && Number(value) >= minimum && Number(value) <= maximum)
    );
  });
  return isPossible ? VALID : FORBIDDEN;
}

/**
 * Texts are trimmed before they are checked, so what the schemas allow only before or only after it is in between. A
 * scanner may read any code.
 */
function judge(validate: ValidateFunction, schema: any, value: unknown, takesAnyCode = false): Verdict {
  if (!isStorable(takesAnyCode ? { ...Object(value), code: undefined } : value)) return FORBIDDEN;
  const asSent = validate(value);
  const asRead = validate(trimmed(schema, value));
  return { isValid: asSent && asRead, isForbidden: !asSent && !asRead };
}

/** An empty text clears a field that may be null; passwords stay as they are, and so does a tab that is one of the choices. */
function trimmed(schema: any, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const known = Object.hasOwn(schema.properties, name) ? schema.properties[name] : {};
    if (typeof field !== 'string') return [name, field];
    if (known.format === 'password' || known.enum?.includes(field)) return [name, field];
    const text = field.trim();
    return [name, text === '' && Array.isArray(known.type) && known.type.includes('null') ? null : text];
  });
  return Object.fromEntries(fields);
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable);
}

const BOOLEANS: Record<string, boolean> = { true: true, false: false, '1': true, '0': false };

/** A query parameter as its type; what is no such thing stays a text. */
function fromText(schema: any, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (schema.type === 'integer') return /^\d+$/.test(value) ? Number(value) : value;
  if (schema.type === 'number') return /^-?\d{1,6}(\.\d{1,6})?$/.test(value) ? Number(value) : value;
  if (schema.type === 'boolean') return Object.hasOwn(BOOLEANS, value) ? BOOLEANS[value] : value;
  // A plus sign of a time zone that the query turned into a space is taken as meant.
  if (schema.pattern?.includes('[Tt]')) return value.replace(' ', '+');
  return value;
}

const localized = (schema: object): any =>
  JSON.parse(JSON.stringify(schema).replaceAll('#/components/schemas/', 'api#/$defs/'));

/** A copy in which objects have no other fields than those that are declared. */
function closed(schema: any): any {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'example' ? value : closed(value)]),
  );
  return copy.type === 'object' && copy.properties ? { additionalProperties: false, ...copy } : copy;
}
