import { Injectable } from '@nestjs/common';
import type { CallHandler, ExecutionContext, Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { lastValueFrom, map, of } from 'rxjs';
import type { Observable } from 'rxjs';
import { todayIn } from '../common/dates.js';
import { complain, noErrors, refuseInvalid } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { Env } from '../config/env.js';
import { contractMessages } from '../contract/contract.messages.js';
import { ListFiles } from '../contract/list-files.js';
import { LIST_OF } from '../contract/openapi.js';
import { Sql } from '../database/sql.js';
import { preferredLanguage } from '../http/language.js';
import type { AppRequest } from '../http/request.js';
import { delimiterNamed } from '../contract/delimiter.js';
import type { Delimiter } from '../contract/delimiter.js';
import { FILE_TYPES, tableDownload } from './download.js';
import type { TableFormat } from './download.js';
import { fieldsOfAnswer } from './fields.js';
import { wholeList } from './whole-list.js';
import type { Answer } from './whole-list.js';

/** Each holds a connection and a good part of a processor for as long as it is read. */
const READERS = 2;
const FORMATS = ['csv', 'xlsx'] as const;
const NOT_ALL = ['page', 'per_page', 'cursor'];

/** Answers all of a list as a file, to whoever asks by `format` or `Accept`: by the list itself, a batch after the other. */
@Injectable()
export class ListsInterceptor extends ListFiles {
  private readonly readers: Limit;

  constructor(
    private readonly reflector: Reflector,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {
    super();
    this.readers = new Limit(READERS, env.DATABASE_TIMEOUT_MS, 10 * READERS);
  }

  intercept(context: ExecutionContext, next: CallHandler<Answer>): Observable<unknown> {
    const item = this.reflector.get<Type>(LIST_OF, context.getHandler());
    const request = context.switchToHttp().getRequest<AppRequest>();
    const format = formatOf(request);
    if (!format) return next.handle();
    refuseParts(request);
    const name = request.path.replace(/^\/api\/v1\//, '').replaceAll('/', '-');
    const fields = fieldsOfAnswer(item);
    const file = tableDownload(
      `${name}-${todayIn(this.env.TIME_ZONE)}`,
      format,
      (send) =>
        this.readers.run(() =>
          this.sql.snapshot(async (snapshot) =>
            send(await wholeList(name, snapshot, fields, () => lastValueFrom(next.handle()))),
          ),
        ),
      delimiterOf(request),
    );
    // Of a file that is not made, a page of the list tells what GET would be refused for.
    return request.method === 'HEAD' ? next.handle().pipe(map(() => file)) : of(file);
  }
}

/** @throws DomainError validation-failed where less than all of the list is asked for */
function refuseParts({ query }: AppRequest): void {
  // With `format`, the list says itself that this does not go with `updated_since`.
  const refused = query.format === undefined ? [...NOT_ALL, 'updated_since'] : NOT_ALL;
  const errors = noErrors();
  complain(
    errors,
    refused.filter((name) => query[name] !== undefined),
    say(contractMessages.not_with_format),
  );
  refuseInvalid(errors);
}

/** By the query, else by what is accepted first; null for JSON. What is no format is told by the list. */
function formatOf(request: AppRequest): TableFormat | null {
  const { format } = request.query;
  if (format !== undefined) return format === 'csv' || format === 'xlsx' ? format : null;
  if (!/text\/csv|spreadsheetml/i.test(request.headers.accept ?? '')) return null;
  const type = request.accepts('application/json; charset=utf-8', ...Object.values(FILE_TYPES));
  return FORMATS.find((one) => FILE_TYPES[one] === type) ?? null;
}

function delimiterOf({ query: { delimiter }, headers }: AppRequest): Delimiter {
  const asked = delimiterNamed(delimiter);
  return asked ?? (preferredLanguage(headers['accept-language'], 'fr') === 'fr' ? ';' : ',');
}
