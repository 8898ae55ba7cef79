import { Injectable, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { createHash, createHmac } from 'node:crypto';
import { DataSource } from 'typeorm';
import { Chores } from '../common/chores.js';
import { DomainError, invalid } from '../common/errors.js';
import { tagged } from './etag.js';
import { say } from '../common/messages.js';
import { documentHeader } from './openapi.js';
import type { Resource } from './resource.js';
import type { Actor, Caller } from '../database/audit.js';
import { actorOf } from '../http/actor.js';
import type { AppRequest } from '../http/request.js';
import { contractMessages } from './contract.messages.js';
import { httpMessages } from '../http/http.messages.js';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
/** As it is, or in double quotes: a string of RFC 8941, as the IETF draft has it. */
const KEY = /^(?:([!#-~]{1,255})|"((?:[ !#-[\]-~]|\\["\\]){1,255})")$/;
const KEPT_HOURS = 24;
const IS_KEPT = `created_at > now() - interval '${KEPT_HOURS} hours'`;
const CLEARED_EVERY_MS = 3_600_000;

/** Runs statements in the transaction of the effect. */
interface Queries {
  query: <Rows>(sql: string, values: unknown[]) => Promise<Rows>;
}

/** Creates a row at most once, and answers the same each time. */
type Once<Row, Answer> = (transaction: Queries, create: () => Promise<Row>) => Promise<Answer>;

/** For those who do not repeat: answers the row itself. */
export const directly = <Row>(_: Queries, create: () => Promise<Row>): Promise<Row> => create();

/** Who creates a row, and how it is done only once. */
export interface Creator<Row, Answer, By extends Actor = Actor> {
  actor: By;
  once: Once<Row, Answer>;
}

interface KeptAnswer {
  location: string;
  tag?: string;
  body: object;
}

/** How a row is answered that is created; one that changes by itself has no entity tag. */
type Created<Row, Answer> = Pick<Resource<Row, Answer>, 'answer'> & Partial<Resource<Row, Answer>>;

/** A request that creates a row, with its `Idempotency-Key` if it has one. */
export class Creation {
  constructor(
    private readonly request: AppRequest,
    private readonly response: Response,
    private readonly key: string | null,
  ) {}

  /**
   * The answer is made, and kept with the key, in the transaction that creates the row.
   * @param list where the row is found by its id, unless that is below the path of the request
   */
  of<Row extends { id: number }, Answer extends object>(
    { tag, answer: body }: Created<Row, Answer>,
    list = this.request.entry?.template,
  ): Creator<Row, Answer, Caller> {
    const answerFor = (row: Row): KeptAnswer => ({
      location: `${list}/${row.id}`,
      ...(tag && { tag: tag(row) }),
      body: body(row),
    });
    const once: Once<Row, Answer> = async (transaction, create) => {
      const answer =
        this.key === null
          ? answerFor(await create())
          : await this.repeatable(this.key, transaction, async () => answerFor(await create()));
      this.response.location(answer.location);
      const shown = answer.body as Answer;
      return answer.tag === undefined ? shown : tagged(this.response, answer.tag, shown);
    };
    return { actor: actorOf(this.request) as Caller, once };
  }

  /**
   * @throws DomainError request-in-flight while the first request with the key runs, validation-failed when that had
   * another body
   */
  private async repeatable(
    key: string,
    transaction: Queries,
    answer: () => Promise<KeptAnswer>,
  ): Promise<KeptAnswer> {
    const { id: userId } = this.request.user as { id: number };
    const keyHash = createHash('sha256').update(`${userId} ${this.request.entry?.template} ${key}`).digest();
    // Fields in any order, what it is created in, and how. The key is the secret of this hash and kept nowhere, since a body
    // may hold a password.
    const { query, params } = this.request;
    const fields = Object.entries({ ...query, ...params, ...(this.request.body as object) }).sort(
      ([a], [b]) => (a < b ? -1 : 1),
    );
    const bodyHash = createHmac('sha256', key).update(JSON.stringify(fields, sorted)).digest();

    // Not waited for: whoever repeats a request that takes long must not hold a connection for as long.
    const [claim] = await transaction.query<[{ is_mine: boolean }]>(
      `SELECT pg_try_advisory_xact_lock($1, $2) AS is_mine`,
      [keyHash.readInt32BE(0), keyHash.readInt32BE(4)],
    );
    if (!claim.is_mine) throw new DomainError('request-in-flight', { headers: { 'Retry-After': '1' } });
    const [kept] = await transaction.query<{ body_hash: Buffer; answer: KeptAnswer }[]>(
      `SELECT body_hash, answer FROM idempotency_keys WHERE key_hash = $1 AND ${IS_KEPT}`,
      [keyHash],
    );
    if (kept) {
      if (!kept.body_hash.equals(bodyHash))
        throw invalid({ [IDEMPOTENCY_KEY]: [say(contractMessages.key_reused)] });
      return kept.answer;
    }
    const made = await answer();
    // A key that has ended may still be there until it is cleared away.
    await transaction.query(
      `INSERT INTO idempotency_keys (key_hash, body_hash, answer) VALUES ($1, $2, $3)
       ON CONFLICT (key_hash)
       DO UPDATE SET body_hash = excluded.body_hash, answer = excluded.answer, created_at = now()`,
      [keyHash, bodyHash, JSON.stringify(made)],
    );
    return made;
  }
}

/** @throws DomainError validation-failed */
export function parseKey(values: string[] | undefined): string | null {
  if (values === undefined) return null;
  if (values.length > 1) throw invalid({ [IDEMPOTENCY_KEY]: [say(httpMessages.given_twice)] });
  const [, bare, quoted] = KEY.exec(values[0] as string) ?? [];
  const key = bare ?? quoted?.replace(/\\(.)/g, '$1');
  if (key === undefined) throw invalid({ [IDEMPOTENCY_KEY]: [say(contractMessages.idempotency_key)] });
  return key;
}

const CreationOf = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  const request = http.getRequest<AppRequest>();
  const key = parseKey(request.headersDistinct['idempotency-key']);
  return new Creation(request, http.getResponse<Response>(), key);
});

/** The creating request, as a Creation; documents its header and its 409. */
export const Creating = (): ParameterDecorator => (target, name, index) => {
  documentHeader(target, name, 'request-in-flight', {
    name: IDEMPOTENCY_KEY,
    description: `Makes the request safe to repeat: for ${KEPT_HOURS} hours the same key gives the same answer, and creates nothing again. Best a UUID; a new one for every new request.`,
    schema: { type: 'string', pattern: KEY.source },
  });
  CreationOf()(target, name, index);
};

/** Clears away the keys that have ended. */
@Injectable()
export class EndedKeys {
  constructor(
    @InjectDataSource() private readonly database: DataSource,
    chores: Chores,
  ) {
    chores.every(CLEARED_EVERY_MS, 'Clearing idempotency keys', () => this.clear());
  }

  async clear(): Promise<void> {
    await this.database.query(`DELETE FROM idempotency_keys WHERE NOT ${IS_KEPT}`);
  }
}

/** For JSON.stringify: the fields of an object in the order of their names. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;
