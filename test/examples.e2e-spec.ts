/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
import { readFileSync } from 'node:fs';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../src/app.setup.js';
import { loadEnv } from '../src/config/env.js';
import { loadDemo } from '../src/demo/load.js';
import { Client } from './support/client.js';
import type { Answer } from './support/client.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { withQuery } from './support/factories.js';
import { Examples } from './support/examples.js';
import { Oracle } from './support/fuzz-oracle.js';
import { filled, operationsOf } from './support/fuzz-requests.js';
import type { Caller, FuzzOperation } from './support/fuzz-requests.js';
import { temporaryFolder } from './support/process.js';

/** No password is in the code: these stand for the demo user's, and are all of a request that is not sent as it is. */
const STAND_INS = /"the (old )?password"/;

/** What differs from one start of the demo organisation to the next; every other value is held to its example. */
const VOLATILE = [
  'at', 'request_id', 'created_at', 'updated_at', 'last_used_at', 'expires_at', 'token', 'finished_at',
  'secret', 'previous_secret_until', 'message_id', 'next_try_at',
]; // prettier-ignore
/** What a write sets, or another one has changed meanwhile. */
const WRITTEN = ['scanned_at', 'scan_id', 'progress'];
/** Answers with the session as it is then; the example shows it as it is in the demo. */
const CHANGES_ITS_EXAMPLE = 'closeInventory';

const takes = (type: string, { definition }: FuzzOperation): boolean =>
  type in (definition.requestBody?.content ?? {});
/** A type of file that a route takes, if it takes any. */
const fileType = (operation: FuzzOperation): string | undefined =>
  takes('text/csv', operation)
    ? 'text/csv'
    : takes('multipart/form-data', operation)
      ? 'multipart/form-data; boundary=x'
      : undefined;

/** On a new demo organisation: first what reads, then what writes, last what takes something away. */
function turn({ id, method }: FuzzOperation): number {
  const last = ['closeInventory', 'changeMyPassword', 'logout'].indexOf(id);
  return last < 0 ? ['GET', 'POST', 'PATCH', 'DELETE'].indexOf(method) : 4 + last;
}

/** Without the fields that have one of these names, wherever they are. */
const without = (names: string[], value: unknown): any =>
  JSON.parse(JSON.stringify(value, (name, field: unknown) => (names.includes(name) ? undefined : field)));

const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
const operations = operationsOf(document)
  .sort((a, b) => turn(a) - turn(b))
  .map((operation) => [`${operation.method} ${operation.template}`, operation] as const);

describe('The examples of the OpenAPI document', () => {
  const examples = new Examples(document);
  const oracle = new Oracle(document);
  const folder = temporaryFolder();
  let database: TestDatabase;
  let app: NestExpressApplication;
  let password: string;
  let anonymous: Client;
  let demo: Client;

  // As `npm start` does it; the token is that of the example of POST /login.
  beforeAll(async () => {
    database = await createTestDatabase();
    const env = loadEnv({ LOG_LEVEL: 'silent', DATA_DIR: folder.path });
    password = (await loadDemo(database.url, env))!.password;
    app = await createApp(database.url, env);
    await app.listen(0, '127.0.0.1');
    anonymous = new Client(await app.getUrl());
    const [, login] = operations.find(([, { id }]) => id === 'login')!;
    const answer = await send(anonymous, login);
    demo = new Client(anonymous.url, answer.body.token);
  });
  afterAll(async () => {
    await app.close();
    await database.drop();
    folder.remove();
  });

  function send(client: Client, operation: FuzzOperation) {
    const { inPath, query, body, headers } = examples.request(operation);
    const path = filled(operation.template, inPath) + (query && `?${query}`);
    const text = body.text.replace(STAND_INS, JSON.stringify(password));
    const type = text ? [['content-type', body.type] as const] : [];
    return client.send(
      operation.method,
      `/${path}`,
      text || undefined,
      Object.fromEntries([...type, ...headers]),
    );
  }

  const isOpen = ({ definition }: FuzzOperation): boolean => definition.security.length === 0;

  /** What of an answer, its headers included, is not as the document says. */
  const breaches = (caller: Caller, operation: FuzzOperation, { status, headers, text }: Answer): string[] =>
    oracle.breaches(
      { ...examples.request(operation), caller },
      { status, headers: Object.fromEntries(headers), text },
    );

  it.each(operations)('%s: every answer that is shown is as its schema says', (_, operation) => {
    for (const [status, { headers, content }] of Object.entries<any>(operation.definition.responses)) {
      if (!content) continue;
      const [type] = Object.keys(content);
      const shown = examples.answer(operation, status);
      const names = Object.keys(headers ?? {}).map((name) => [name.toLowerCase(), '']);
      const answer = {
        status: Number(status),
        headers: { ...Object.fromEntries(names), 'content-type': type },
        text: JSON.stringify(shown),
      };
      expect([status, oracle.breachesOfAnswer(operation, answer)]).toEqual([status, []]);
      if (type === 'application/problem+json')
        expect(shown).toMatchObject({ status: Number(status), instance: expect.stringMatching(/^\//) });
      if (shown.meta) expect([shown.data.length, shown.meta.total]).toEqual([1, 1]);
    }
  });

  it.each(operations.filter(([, operation]) => !isOpen(operation)))(
    '%s: the example is refused without a token',
    async (_, operation) => {
      const answer = await send(anonymous, operation);
      expect([answer.status, breaches('nobody', operation, answer)]).toEqual([401, []]);
    },
  );

  /** What a route cannot be asked without. */
  const needed = ({ parameters }: FuzzOperation): string =>
    parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name, schema }) => `${name}=${schema.example}`)
      .join('&');

  const WITH_ROW = operations.filter(([, { definition }]) => definition.responses['404']);

  it.each(WITH_ROW)('%s: a row that is missing is answered as shown', async (_, operation) => {
    const shown = examples.answer(operation, '404');
    const { text, type } = examples.request(operation).body;
    const answer = await demo.send(
      operation.method,
      `/${withQuery(shown.instance, needed(operation))}`,
      text ? text.replace(STAND_INS, '"$1password"') : undefined,
      text ? { 'content-type': type } : {},
    );
    expect(without(VOLATILE, answer.body)).toEqual(without(VOLATILE, shown));
  });

  it.each(operations)('%s: what is refused is answered as shown', async (_, operation) => {
    const shown = examples.answer(operation, '422');
    const [[field, [message]]] = Object.entries<string[]>(shown.errors) as [[string, [string]]];
    // What it takes to be refused so.
    const wrong = { per_page: 'per_page=0', unknown: 'unknown=1' }[field];
    const query = [wrong, needed(operation)].filter(Boolean).join('&');
    const body = message === 'must not be null' ? { [field]: null } : {};
    const type = fileType(operation);
    const answer = await (isOpen(operation) ? anonymous : demo).send(
      operation.method,
      `/${withQuery(shown.instance, query)}`,
      operation.body ? body : type ? '' : undefined,
      type ? { 'content-type': type } : {},
    );
    expect(without(VOLATILE, answer.body)).toEqual(without(VOLATILE, shown));
  });

  /** After the first scan of the example, in a session that the demo has closed, and in one that has a scope. */
  async function everyOutcome(operation: FuzzOperation): Promise<void> {
    const { examples: shown } = operation.definition.responses['200'].content['application/json'];
    const names = [
      'recorded',
      'already-scanned',
      'out-of-scope',
      'disposed',
      'unknown-code',
      'client-id-reused',
      'undone',
      'session-closed',
      'late',
      'refused',
    ];
    expect(Object.keys(shown)).toEqual(names);
    const volatile = [...VOLATILE, ...WRITTEN];
    for (const [name, { value }] of Object.entries<any>(shown).slice(1)) {
      const session = { 'session-closed': 1, late: 1, 'out-of-scope': 5, refused: 5 }[name] ?? 3;
      const told = { late: { scanned_at: '2024-10-18T14:00:00Z' }, 'out-of-scope': { location_id: 35 } }[
        name
      ];
      const { code, client_id } = value;
      if (name === 'undone') {
        const [scan] = (await demo.get(`/inventories/3/scans?client_id=${client_id}`)).body.data;
        await demo.delete(`/inventories/3/scans/${scan.id}`);
      }
      const answer = await demo.post(`/inventories/${session}/scan`, { code, client_id, ...told });
      expect([name, without(volatile, answer.body)]).toEqual([name, without(volatile, value)]);
      expect([name, breaches('admin', operation, answer)]).toEqual([name, []]);
    }
  }

  // In this order, each on what the ones before have left.
  it.each(operations)('%s: the example works, and is answered as shown', async (_, operation) => {
    const { id, method, definition } = operation;
    const status = Object.keys(definition.responses).find((one) => one.startsWith('2'))!;
    const shown = examples.answer(operation, status);
    const answer = await send(isOpen(operation) ? anonymous : demo, operation);
    const { body } = answer;
    expect([answer.status, body]).toEqual([Number(status), expect.anything()]);
    expect(breaches('admin', operation, answer)).toEqual([]);
    if (shown === '') {
      const types = Object.keys(definition.responses[status].content);
      expect(types).toContain(answer.headers.get('content-type'));
    } else if (operation.template.endsWith('/events')) {
      const dataOf = (text: string) => /^data: .*$/m.exec(text)?.[0];
      expect(dataOf(body)).toEqual(dataOf(shown)); // the first event; the others come when something happens
    } else if (definition.responses[status].content['text/csv'] && typeof shown === 'string') {
      expect(answer.text).toBe(shown);
    } else if (typeof shown === 'string') {
      const linesOf = (text: string) =>
        text.split('\n').filter(Boolean).map((line) => without([...VOLATILE, 'synced_until'], JSON.parse(line))); // prettier-ignore
      expect(linesOf(body)).toEqual(expect.arrayContaining(linesOf(shown)));
    } else if (shown.meta) {
      const listed = body.data.find((item: any) => item.id === shown.data[0].id);
      expect(without(VOLATILE, listed)).toEqual(without(VOLATILE, shown.data[0]));
    } else if (shown.data) {
      expect(body.data).toContainEqual(shown.data[0]); // a report, of which it shows one row
      expect(body.total).toEqual(shown.total);
    } else if (shown.figures) {
      for (const [group, [part]] of Object.entries<any>(shown.by))
        expect(body.by[group]).toContainEqual(part);
      expect(without(VOLATILE, { ...body, by: shown.by })).toEqual(without(VOLATILE, shown));
    } else if (status === '201') {
      // A row of its own, with what was sent; the code that was left to the service is its own too.
      const { body: sent } = examples.request(operation);
      for (const [field, value] of Object.entries(
        operation.body ? JSON.parse(sent.text) : { kind: 'manual' },
      ))
        if (value !== null && field in body) expect([field, body[field]]).toEqual([field, value]);
    } else if (status === '202') {
      const begun = { importFile: ['checking', 'brands'], pingWebhook: ['waiting', 'webhook.ping'] }[id];
      expect([body.status, body.kind ?? body.event]).toEqual(begun);
    } else if (id !== CHANGES_ITS_EXAMPLE) {
      const names = method === 'GET' ? VOLATILE : [...VOLATILE, ...WRITTEN];
      expect(without(names, body)).toEqual(without(names, shown));
    }
    if (id === 'scanPurchase') await everyOutcome(operation);
  });
});
