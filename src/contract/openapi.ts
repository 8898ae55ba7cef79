import { HttpCode, SetMetadata, UseInterceptors, applyDecorators } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiProperty,
  ApiResponse,
  getSchemaPath,
} from '@nestjs/swagger';
import type { ApiHeaderOptions } from '@nestjs/swagger';
import { problems } from '../common/problems.js';
import type { ProblemCode } from '../common/problems.js';
import { contentOf } from './content.js';
import type { Content } from './content.js';
import { render, say } from '../common/messages.js';
import { InstantAnswer, WordAnswer } from './answers.js';
import { ListInterceptor } from './list-files.js';

/** The one shape of every error (RFC 9457). */
export class ProblemDto {
  @WordAnswer(Object.keys(problems).map((code) => `/problems/${code}`), {
    description: 'Stable; compare this.',
  })
  type: string;

  @ApiProperty()
  title: string;

  @ApiProperty({ type: 'integer' })
  status: number;

  @ApiProperty()
  detail: string;

  @ApiProperty({ description: 'Path of the request.' })
  instance: string;

  @ApiProperty({ description: 'Also in X-Request-Id and in the log.' })
  request_id: string;

  @ApiProperty({
    required: false,
    type: 'object',
    additionalProperties: { type: 'array', items: { type: 'string' } },
    description:
      'The messages by field: on 422, and on 403 where the caller may do without them what he asked for.',
  } as object)
  errors?: Record<string, string[]>;
}

export class PageMetaDto {
  @ApiProperty({ type: 'integer', required: false, example: 1, description: 'Not in cursor mode.' })
  current_page?: number;

  @ApiProperty({ type: 'integer', example: 50 })
  per_page: number;

  @ApiProperty({ type: 'integer', required: false, example: 1, description: 'Not in cursor mode.' })
  total?: number;

  @ApiProperty({ type: 'integer', required: false, example: 1, description: 'Not in cursor mode.' })
  last_page?: number;

  @ApiProperty({ type: String, nullable: true, example: null, description: 'Null on the last page.' })
  next_cursor: string | null;

  @ApiProperty({
    type: 'string',
    format: 'date-time',
    required: false,
    example: '2026-11-20T08:30:00.000Z',
    description:
      'Only with `updated_since`: every change before this instant is answered by now. Ask from here the next time; also after a page that was not the last.',
  })
  synced_until?: Date;
}

export class TombstoneDto {
  @ApiProperty({ type: 'integer', example: 12 })
  id: number;

  @InstantAnswer()
  deleted_at: Date;
}

export class NamedDto {
  @ApiProperty({ type: 'integer', example: 12 })
  id: number;

  @ApiProperty({ example: 'Dell' })
  name: string;
}

export class DeletedDto {
  @ApiProperty({ type: 'integer', example: 12 })
  id: number;

  @ApiProperty({ example: true })
  deleted: boolean;
}

/** Of every answer. */
export const headers = {
  'X-Request-Id': { description: 'Id of the request, also in the log.', schema: { type: 'string' } },
};

/** What a detail is filled in with. */
const exampleValues: Partial<Record<ProblemCode, (string | number)[]>> = {
  'in-use': [12],
  'refers-to-deleted': ['article_id 13'],
  'method-not-allowed': ['GET, HEAD'],
};

/** An error answer with an example. */
export function problemAnswer(code: ProblemCode) {
  const { status, title: titles, detail } = problems[code];
  const title = render(say(titles));
  const example = {
    type: `/problems/${code}`,
    title,
    status,
    detail: render(say(detail, ...(exampleValues[code] ?? []))),
    instance: '/api/v1/…',
    request_id: '0b6f3c1e-5d0a-4f0e-9a53-2f1f3f0a7c11',
  };
  const challenge = { description: 'How to authenticate (RFC 6750).', schema: { type: 'string' } } as const;
  const wait = { description: 'Seconds to wait.', schema: { type: 'integer' } } as const;
  return {
    status,
    description: title,
    headers: {
      ...headers,
      ...(status === 401 && { 'WWW-Authenticate': challenge }),
      ...((status === 429 || status === 503 || code === 'request-in-flight') && { 'Retry-After': wait }),
    },
    content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) }, example } },
  };
}

export type ProblemAnswer = ReturnType<typeof problemAnswer>;

/** The error answers of a route. Those that every route may give are added in src/docs/openapi.ts. */
export const ProblemAnswers = (...codes: ProblemCode[]): MethodDecorator & ClassDecorator =>
  applyDecorators(ApiExtraModels(ProblemDto), ...codes.map((code) => ApiResponse(problemAnswer(code))));

/** Documents a header that a route takes, and the problem that it may bring. */
export function documentHeader(
  target: object,
  name: string | symbol | undefined,
  problem: ProblemCode,
  header: ApiHeaderOptions,
): void {
  const method = Object.getOwnPropertyDescriptor(target, name as string) as PropertyDescriptor;
  for (const decorate of [ApiHeader({ required: false, ...header }), ProblemAnswers(problem)])
    decorate(target, name as string, method);
}

interface OperationOptions extends Content {
  id: string;
  summary: string;
  description: string;
  /** The answer, or the item of the page that is answered; none where only `files` are. */
  answer?: Type;
  /** 201 for a created resource, 202 for what is still to be done, with where unless not `located`. */
  status?: 200 | 201 | 202;
  located?: boolean;
  /** Whether the answer has an entity tag; that of a created resource has. */
  tagged?: boolean;
  errors?: ProblemCode[];
}

const location = { Location: { description: 'Path of the new resource.', schema: { type: 'string' } } };
const etag = {
  ETag: {
    description: 'Changes with everything that the answer shows; for If-None-Match and If-Match.',
    schema: { type: 'string' },
  },
};

function describe(options: OperationOptions, schema: object): MethodDecorator {
  const { id, summary, description, answer, status = 200, errors = [] } = options;
  const { tagged = status === 201, located = status > 200 } = options;
  return applyDecorators(
    HttpCode(status),
    ApiExtraModels(...(answer ? [answer] : [])),
    ApiOperation({ operationId: id, summary, description }),
    ApiResponse({
      status,
      description: { 200: 'OK', 201: 'Created', 202: 'Accepted' }[status],
      headers: { ...headers, ...(located && location), ...(tagged && etag) },
      content: contentOf(schema, options),
    }),
    ProblemAnswers(...errors),
  );
}

/** Documents a route that answers one object, and sets its status. */
export const Operation = (options: OperationOptions): MethodDecorator =>
  describe(options, options.answer ? { $ref: getSchemaPath(options.answer) } : {});

/** The class of the items of a list, as metadata of its route. */
export const LIST_OF = 'recense:list';

/** Documents a route that answers a page: `{ data, meta }`; with `format`, all of the list as a file. */
export const PageOperation = (options: OperationOptions & { answer: Type }): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(PageMetaDto, TombstoneDto),
    SetMetadata<string, Type>(LIST_OF, options.answer),
    UseInterceptors(ListInterceptor),
    describe(
      { ...options, tables: {} },
      {
        type: 'object',
        required: ['data', 'meta'],
        properties: {
          data: { type: 'array', items: { $ref: getSchemaPath(options.answer) } },
          deleted: {
            type: 'array',
            items: { $ref: getSchemaPath(TombstoneDto) },
            example: [],
            description: 'Only with `include_deleted`: what is no longer in the list.',
          },
          meta: { $ref: getSchemaPath(PageMetaDto) },
        },
      },
    ),
  );

/** Of a row that another one shows: its id and its name. */
export function named(row: NamedDto): NamedDto;
export function named(row: NamedDto | null): NamedDto | null;
export function named(row: NamedDto | null): NamedDto | null {
  return row && { id: row.id, name: row.name };
}

/** The same of what a statement has read beside other columns. */
export const namedBy = (id: number | null, name: string): NamedDto | null =>
  id === null ? null : { id, name };

/** A small nested object, or null. */
export const NamedAnswer = (example: object): PropertyDecorator =>
  ApiProperty({ type: NamedDto, nullable: true, example });
