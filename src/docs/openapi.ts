import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { ProblemCode } from '../common/problems.js';
import { problemAnswer } from '../contract/openapi.js';
import type { ProblemAnswer } from '../contract/openapi.js';
import { problemOf } from './problems.js';
import { API_PREFIX } from '../http/routes.js';
import { version } from '../config/version.js';
import { ATTACHMENT_EXAMPLES } from './attachments.js';
import { DECISION_EXAMPLES } from './decisions.js';
import { idInPath } from './ids.js';
import { BATCH_EXAMPLE, SCAN_EXAMPLES } from './scans.js';
import { WEBHOOK_EXAMPLES } from './webhooks.js';

const description = `REST service for taking the yearly inventory of fixed assets with a phone.

Log in with \`POST /api/v1/login\`, send the token as \`Authorization: Bearer <token>\`, and scan.

Lists take \`page\` and \`per_page\`, or \`cursor\` (empty to begin). With \`updated_since\` they tell what has changed, so that a phone can hold them offline.

Single resources have an \`ETag\`: \`If-None-Match\` asks for it again only if it has changed, \`If-Match\` changes or deletes it only if nobody else has meanwhile. An \`Idempotency-Key\` makes a creating POST safe to repeat.

Errors are \`application/problem+json\` (RFC 9457). Texts are trimmed, their lengths counted in code points; but for scanned codes they hold neither NUL nor lone surrogates. Names, references, logins, e-mail addresses and codes hold no invisible or bidirectional format characters (category Cf of Unicode) either, such as a zero-width space. Booleans in a query may be \`1\` and \`0\` too.`;

/** In the order of a campaign. */
const TAGS = {
  Authentication: 'Log in, see who you are, revoke a lost phone.',
  'Inventory sessions': 'Open a session, scan, see what is missing, close.',
  Purchases: 'The owned items, each with its code, and the lookup of a scanned code.',
  Articles: 'The catalogue.',
  Places: 'Sites, buildings, floors, rooms: where the owned items are.',
  'Photos and papers': 'What shows a thing, and what came with it.',
  Suppliers: 'Whom things are bought from.',
  Imports: 'Files of others, as they are.',
  Reports: 'What it all is worth.',
  'Fields of one’s own': 'What articles and purchases have that nobody else’s do.',
  'Reference data':
    'Brands, categories, amortization categories: kept by the importer and, here, by who has `reference.manage`.',
  Equipment: 'Equipment of the companion app: kept by the importer, read-only here.',
  'Third parties': 'Third parties (“tiers”) of the companion app: kept by the importer, read-only here.',
  'Users and roles': 'Who may do what.',
  Webhooks: 'Who is told of what happens, by messages that are signed.',
  'Audit log': 'Who did what, when and from where.',
  Operations: 'For proxies and orchestrators.',
};

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header' as const,
  required: false,
  description: 'The `ETag` of the answer that you have kept: 304 without a body if nothing has changed.',
  schema: { type: 'string' },
};

type OperationObject = NonNullable<OpenAPIObject['paths'][string]['get']>;
type ResponseObject = OperationObject['responses'][string];
type AnswerObject = Exclude<ResponseObject, { $ref: string }>;
type SchemaObject = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;
type ParameterObject = Exclude<NonNullable<OperationObject['parameters']>[number], { $ref: string }>;
type RequestBodyObject = Extract<NonNullable<OperationObject['requestBody']>, { content: object }>;

/** The OpenAPI document, made from the decorators. */
export function buildDocument(app: INestApplication): OpenAPIObject {
  const config = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Recense')
    .setDescription(description)
    .setVersion(version)
    .addServer('/')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'opaque',
      description: 'The token of a login: `<id>|<secret>`.',
    });
  for (const [name, text] of Object.entries(TAGS)) config.addTag(name, text);
  const document = SwaggerModule.createDocument(app, config.build());
  Object.assign(document.info, {
    license: { name: 'All rights reserved', identifier: 'LicenseRef-Proprietary' },
  });
  for (const [path, item] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(item) as [string, OperationObject][]) {
      complete(method, path, operation);
      if (hasJson(operation)) closeBody(document, operation.requestBody as RequestBodyObject);
      ownProblems(document, method, path, operation);
      shareProblems(document, operation);
      sharePage(document, operation);
    }
  }
  for (const schema of Object.values(document.components?.schemas ?? {})) openAny(schema as SchemaObject);
  return document;
}

/** What may be anything has no type: of an alternative to nothing the generators of clients make a class. */
function openAny({ properties = {} }: SchemaObject): void {
  for (const property of Object.values(properties))
    if ('anyOf' in property && JSON.stringify(property.anyOf) === '[{}]') delete property.anyOf;
}

const SESSION_EXAMPLE = { year: 2026, inventory_date: '2026-09-14', label: 'Inventaire annuel 2026' };

/** What holds for every route, so that no controller has to repeat it. */
function complete(method: string, path: string, operation: OperationObject): void {
  // Public. openapi-python-client would ask for a token with `[{}]`, which means the same.
  operation.security ??= [];
  const codes: ProblemCode[] = ['address-too-long', 'validation-failed', 'too-many-requests', 'internal'];
  if (path.startsWith(API_PREFIX)) codes.push('unavailable');
  // The form of a body is looked at also where none is taken; that of a GET is not even read.
  if (method !== 'get') codes.push('malformed-body', 'body-too-large', 'unsupported-media-type');
  for (const code of codes) {
    const { status, ...answer } = problemAnswer(code);
    operation.responses[status] ??= answer as ResponseObject;
  }
  const ok = operation.responses['200'] as { headers?: object } | undefined;
  if (method === 'get' && ok?.headers && 'ETag' in ok.headers) {
    (operation.parameters ??= []).push(IF_NONE_MATCH);
    operation.responses['304'] = { description: 'Not modified', headers: ok.headers } as ResponseObject;
  }
  // Without a scope, which whoever tries it for the first time has no places for.
  const body = (operation.requestBody as RequestBodyObject | undefined)?.content['application/json'];
  if (body && operation.operationId === 'openInventory') body.example = SESSION_EXAMPLE;
  const file = (operation as { 'x-file'?: RequestBodyObject })['x-file'];
  if (file) operation.requestBody = file;
  delete (operation as { 'x-file'?: RequestBodyObject })['x-file'];
  const { 'x-permission': permission } = operation as { 'x-permission'?: string };
  if (permission) operation.description = `${operation.description}\n\nPermission: \`${permission}\`.`;
  filesLast(operation);
  for (const parameter of operation.parameters ?? []) {
    nameChoices(parameter as NamedChoices);
    if (!('name' in parameter)) continue;
    if (parameter.in === 'path') Object.assign(parameter, idInPath(method, path, parameter.name));
  }
  const status = ['200', '201', '202'].find((code) => code in operation.responses) ?? '';
  const answer = (operation.responses[status] as AnswerObject | undefined)?.content?.['application/json'];
  if (!answer) return;
  const { operationId = '' } = operation;
  const named = (operation.parameters ?? []).filter((one) => 'name' in one && one.in === 'path').at(-1);
  if (method === 'delete')
    answer.example = { id: (named as ParameterObject).example as number, deleted: true };
  if (operationId === 'scanPurchase') answer.examples = SCAN_EXAMPLES;
  if (operationId === 'scanPurchases') answer.example = BATCH_EXAMPLE;
  const example =
    DECISION_EXAMPLES[operationId] ?? WEBHOOK_EXAMPLES[operationId] ?? ATTACHMENT_EXAMPLES[operationId];
  if (example) answer.example = example;
}

interface NamedChoices {
  schema?: object;
  'x-enum-varnames'?: string[];
}

/** Generators look for the names of choices in the schema; @nestjs/swagger puts them beside it. */
function nameChoices(parameter: NamedChoices): void {
  const { 'x-enum-varnames': names } = parameter;
  if (!names) return;
  delete parameter['x-enum-varnames'];
  parameter.schema = { ...parameter.schema, 'x-enum-varnames': names };
}

function codeOf(answer: ResponseObject): ProblemCode | undefined {
  const content = (answer as { content?: Partial<ProblemAnswer['content']> }).content;
  const type = content?.['application/problem+json']?.example.type;
  return type?.replace('/problems/', '') as ProblemCode | undefined;
}

/** How a list is had as a file comes last: some generated clients take parameters by their place. */
function filesLast(operation: OperationObject): void {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  if (!parameters.some(({ name }) => name === 'per_page')) return;
  const isOfFile = ({ name }: ParameterObject): boolean => name === 'format' || name === 'delimiter';
  operation.parameters = [...parameters.filter((one) => !isOfFile(one)), ...parameters.filter(isOfFile)];
}

/** A row that is missing and a request that is refused are shown in the words of the route. */
function ownProblems(
  document: OpenAPIObject,
  method: string,
  path: string,
  operation: OperationObject,
): void {
  const parameters = (operation.parameters ?? []) as ParameterObject[];
  const exampleOf = (name: string): string => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return String(parameter?.example ?? (parameter?.schema as SchemaObject | undefined)?.example);
  };
  const route = {
    path,
    instance: path.replace(/\{(\w+)\}/g, (_, name: string) => exampleOf(name)),
    body: hasJson(operation) ? bodySchema(document, operation.requestBody as RequestBodyObject) : undefined,
    query: parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name),
  };
  for (const [status, answer] of Object.entries(operation.responses)) {
    const code = codeOf(answer);
    if (code && isOwn(code)) operation.responses[status] = problemOf(code, route);
  }
}

const isOwn = (code: ProblemCode): boolean => code === 'not-found' || code === 'validation-failed';

/** The answer of every other problem stands once, under the code of the problem. */
function shareProblems({ components = {} }: OpenAPIObject, operation: OperationObject): void {
  const shared = (components.responses ??= {});
  for (const [status, answer] of Object.entries(operation.responses)) {
    const name = codeOf(answer);
    if (!name || isOwn(name)) continue;
    shared[name] = answer as NonNullable<ResponseObject>;
    operation.responses[status] = { $ref: `#/components/responses/${name}` };
  }
}

/** A page stands once, under the name of its rows, so that generated clients have one class for every list of them. */
function sharePage({ components = {} }: OpenAPIObject, operation: OperationObject): void {
  const content = (operation.responses['200'] as AnswerObject | undefined)?.content?.['application/json'];
  const page = content?.schema as { properties?: { data?: { items?: { $ref: string } } } } | undefined;
  const row = page?.properties?.data?.items?.$ref.split('/').at(-1);
  if (!content || !row) return;
  const name = row.replace(/Dto$/, 'Page');
  (components.schemas ??= {})[name] = page as SchemaObject;
  content.schema = { $ref: `#/components/schemas/${name}` };
}

/** Whether it takes a body that is no file. */
const hasJson = ({ requestBody }: OperationObject): boolean =>
  requestBody !== undefined && 'content' in requestBody && 'application/json' in requestBody.content;

/** A body holds no unknown field, and may be left out where none of its fields is required. */
function closeBody(document: OpenAPIObject, body: RequestBodyObject): void {
  const schema = bodySchema(document, body);
  schema.additionalProperties = false;
  body.required = Boolean(schema.required?.length);
}

function bodySchema({ components }: OpenAPIObject, body: RequestBodyObject): SchemaObject {
  const reference = body.content['application/json']?.schema as { $ref: string };
  return components?.schemas?.[reference.$ref.split('/').at(-1) ?? ''] as SchemaObject;
}
