/* eslint-disable @typescript-eslint/no-explicit-any -- what is sent is asserted, not typed */
import { jest } from '@jest/globals';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { json } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { PIPELINE_SIZE } from '../src/database/options.js';
import { Sql } from '../src/database/sql.js';
import { TogetherService } from '../src/scans/together.service.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { stopClock } from './support/clock.js';
import { createTestDatabase } from './support/database.js';
import { factories } from './support/factories.js';
import { closeGate } from './support/gate.js';
import { RunningProcess, stopAll, until } from './support/process.js';

jest.setTimeout(120_000); // what starts processes takes long on a busy machine

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  status: { code?: number; message?: string };
  /** By name. */
  attributes: Record<string, any>;
}

const SERVER = 2;
const CLIENT = 3;
const ERROR = 2;

const valueOf = (value: any): any =>
  value.arrayValue ? value.arrayValue.values.map(valueOf) : Object.values(value)[0];
const byName = (attributes: any[]) =>
  Object.fromEntries(attributes.map((one) => [one.key, valueOf(one.value)]));

/** What takes traces, as OTLP has it. */
class Receiver {
  readonly spans: Span[] = [];
  readonly requests: { path: string; headers: any; resource: Record<string, any> }[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer((request, response) => {
      void json(request)
        .then((sent) => this.take(request, sent))
        .then(() => response.setHeader('Content-Type', 'application/json').end('{}'));
    });
  }

  private take({ url, headers }: IncomingMessage, sent: any): void {
    for (const { resource, scopeSpans } of sent.resourceSpans) {
      this.requests.push({
        path: url!,
        headers,
        resource: byName(resource.attributes),
      });
      for (const { spans } of scopeSpans)
        for (const span of spans) this.spans.push({ ...span, attributes: byName(span.attributes) });
    }
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
  }

  /** Of the request that was answered with this id. */
  requestSpan(id: string): Span {
    const span = this.spans.find(
      ({ attributes }) => attributes['http.response.header.x-request-id']?.[0] === id,
    );
    if (!span) throw new Error(`No span of ${id}`);
    return span;
  }

  statementsOf(parent: Span): Span[] {
    return this.spans.filter(
      ({ parentSpanId, traceId }) => parentSpanId === parent.spanId && traceId === parent.traceId,
    );
  }
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';
const traceparent = (flags: string) => `00-${TRACE}-${CALLER}-${flags}`;

describe('traces, with a collector', () => {
  const receiver = new Receiver();
  /** Ids of the requests, by what they show. */
  const ids: Record<string, string> = {};
  let t: TestApp;
  let token: string;
  let code: string;

  beforeAll(async () => {
    t = await startApp({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${await receiver.listen()}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=gulls%20%26%20co',
      OTEL_SERVICE_NAME: 'recense-test',
      OTEL_RESOURCE_ATTRIBUTES: 'site=Lyon,service.name=other',
    });
    const operator = t.as('operator');
    token = operator.token!;
    code = (await factories(t).purchase()).code;
    const { body: session } = await t
      .as('manager')
      .post('/inventories', { year: 2026, inventory_date: '2026-11-20' });
    const base = `/inventories/${session.id}`;
    const ask = async (
      name: string,
      method: string,
      path: string,
      body?: object,
      headers?: Record<string, string>,
    ) => {
      const answer = await operator.send(method, path, body, { 'x-request-id': name, ...headers });
      ids[name] = answer.headers.get('x-request-id')!;
      return answer;
    };
    const parent = { traceparent: traceparent('01'), tracestate: 'gull=seven,other=1' };
    await ask('scan', 'POST', `${base}/scan`, { code }, parent);
    await ask('not-sampled', 'POST', `${base}/scan`, { code }, { traceparent: traceparent('00') });
    stopClock('performance'); // so that the token stays remembered
    await operator.get('/me');
    const openGate = await closeGate(t);
    t.app.get(TogetherService).patience = 60_000; // or on a slow machine nobody would wait
    const together = Promise.all(TOGETHER.map((id) => ask(id, 'POST', `${base}/scan`, { code })));
    await until(() => t.app.get(Sql).pipeline.gathered >= TOGETHER.length - PIPELINE_SIZE);
    await openGate();
    await together;
    jest.useRealTimers();
    await ask('list', 'GET', `/articles?search=hunter2`);
    await ask('login', 'POST', '/login', { login: 'operator', password: 'seven gulls in the wrong place' });
    await ask('nowhere', 'GET', '/nowhere/at/all?access_token=hunter2');
    await ask('pack', 'GET', `${base}/pack`);
    await ask('stream', 'GET', `${base}/events`);
    for (const [at, bad] of BAD.entries())
      await ask(`bad-${at}`, 'GET', '/me', undefined, { traceparent: bad });
    await t.database.query('ALTER TABLE tiers RENAME TO away');
    await ask('broken', 'GET', '/tiers');
    await t.stop(); // which sends what is left
  });
  afterAll(() => receiver.close());

  const TOGETHER = Array.from({ length: 12 }, (_, n) => `together-${n}`);
  const BAD = [
    'what',
    `00-${'0'.repeat(32)}-${CALLER}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${CALLER}-01`,
    `00-${TRACE.toUpperCase()}-${CALLER}-01`,
    `00-${TRACE}-${CALLER}-01-more`,
    `${traceparent('01')}, ${traceparent('01')}`,
    'x'.repeat(8000),
  ];

  it('what is sent says who sends it, and by which right', () => {
    for (const { path, headers, resource } of receiver.requests) {
      expect([path, headers['x-tenant']]).toEqual(['/v1/traces', 'gulls & co']);
      expect(resource).toMatchObject({ 'service.name': 'recense-test', site: 'Lyon' });
      expect(resource['service.version']).toMatch(/^\d+\.\d+\.\d+/);
      expect(resource['service.instance.id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(receiver.requests.length).toBeGreaterThan(0);
  });

  it('a scan is a part of its caller’s trace, and its statement a part of the scan', () => {
    const span = receiver.requestSpan('scan');
    expect(span).toMatchObject({
      traceId: TRACE,
      parentSpanId: CALLER,
      traceState: 'gull=seven,other=1',
      kind: SERVER,
      name: 'POST /api/v1/inventories/{id}/scan',
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/v1/inventories/{id}/scan',
        'http.response.status_code': 200,
        'url.scheme': 'http',
        'url.path': expect.stringMatching(/^\/api\/v1\/inventories\/\d+\/scan$/),
        'user.id': expect.stringMatching(/^\d+$/),
      },
    });
    expect(span.status.code ?? 0).toBe(0);
    const statements = receiver.statementsOf(span);
    expect(statements.length).toBeGreaterThan(0);
    for (const { kind, attributes } of statements) {
      expect(kind).toBe(CLIENT);
      expect(attributes).toMatchObject({
        'db.system.name': 'postgresql',
        'db.namespace': expect.stringMatching(/^test_/),
        'db.operation.name': expect.stringMatching(/^[A-Z]+$/),
        'db.query.text': expect.stringContaining('$1'),
        'server.address': expect.anything(),
        'server.port': expect.any(Number),
      });
    }
  });

  it('scans that go together have the statement for all of them in the trace of each', () => {
    const spans = TOGETHER.map((id) => receiver.requestSpan(id));
    const names = spans.map((span) => receiver.statementsOf(span).map(({ name }) => name));
    const grouped = names.filter((those) => those.includes('inventory-scan-together'));
    expect(grouped.length).toBeGreaterThanOrEqual(TOGETHER.length - PIPELINE_SIZE);
    for (const those of names) expect(those.join()).toContain('inventory-scan');
  });

  it('what its caller does not keep is not sent', () => {
    expect(receiver.spans.filter(({ traceId }) => traceId === TRACE).length).toBe(
      1 + receiver.statementsOf(receiver.requestSpan('scan')).length,
    );
    expect(() => receiver.requestSpan('not-sampled')).toThrow();
  });

  it.each(BAD.map((_, at) => at))('a traceparent that is none begins a new trace: %i', (at) => {
    const span = receiver.requestSpan(`bad-${at}`);
    expect(span.parentSpanId ?? '').toBe('');
    expect(span.traceId).not.toBe(TRACE);
  });

  it('what TypeORM asks is seen, and what is read as a stream', () => {
    const list = receiver.statementsOf(receiver.requestSpan('list'));
    expect(list.some(({ attributes }) => attributes['db.query.text'].includes('"articles"'))).toBe(true);
    const pack = receiver.statementsOf(receiver.requestSpan('pack'));
    const operations = pack.map(({ attributes }) => attributes['db.operation.name']);
    expect(operations).toEqual(expect.arrayContaining(['BEGIN', 'COPY', 'ROLLBACK']));
  });

  it('a stream ends when its listener goes, without what it read for all', () => {
    const span = receiver.requestSpan('stream');
    expect(span.attributes).toMatchObject({ 'http.response.status_code': 200 });
  });

  it('a route that is none has no name of its own', () => {
    const { name, attributes, status } = receiver.requestSpan('nowhere');
    expect([name, attributes['http.response.status_code'], status.code ?? 0]).toEqual(['GET', 404, 0]);
    expect(attributes).not.toHaveProperty('http.route');
  });

  it('what fails is an error, of the request and of the statement', () => {
    const span = receiver.requestSpan('broken');
    expect(span).toMatchObject({
      status: { code: ERROR },
      attributes: { 'http.response.status_code': 500, 'error.type': '500' },
    });
    expect(receiver.statementsOf(span)).toContainEqual(
      expect.objectContaining({
        status: { code: ERROR },
        attributes: expect.objectContaining({ 'db.response.status_code': '42P01', 'error.type': '42P01' }),
      }),
    );
  });

  it('nothing secret is among them, and no value of a statement', () => {
    const all = JSON.stringify(receiver.spans);
    for (const secret of [token, 'hunter2', 'seven gulls', 'Bearer', `"${code}"`, `'${code}'`])
      expect(all).not.toContain(secret);
  });
});

describe('traces of a process', () => {
  /** Says at its end which packages of OpenTelemetry it has loaded. */
  const telling = `data:text/javascript,${encodeURIComponent(`
    import Module from 'node:module';
    process.on('exit', () => {
      const names = Object.keys(Module._cache).map((path) => /@opentelemetry\\/([^/]+)/.exec(path)?.[1]);
      console.log('loaded: ' + [...new Set(names.filter(Boolean))].sort().join(','));
    });`)}`;

  async function run(settings: Record<string, string>, work: (url: string) => Promise<void>) {
    const database = await createTestDatabase();
    const env = {
      DATABASE_URL: database.url,
      NODE_OPTIONS: `--import=${telling}`,
      LOG_FORMAT: 'json',
      ...settings,
    };
    const service = new RunningProcess('main', [], env);
    await work(await service.url());
    const began = performance.now();
    const code = await service.signal('SIGTERM');
    const ms = performance.now() - began;
    await database.drop();
    return { code, ms, output: service.output, loaded: /^loaded: (.*)$/m.exec(service.output)?.[1] };
  }
  afterAll(stopAll);

  it('loads nothing of it without the setting, but for what prom-client brings along', async () => {
    const { loaded, output } = await run({ LOG_LEVEL: 'info' }, async (url) => {
      await fetch(`${url}/health/ready`, { headers: { traceparent: traceparent('01') } });
    });
    expect(loaded).toBe('api');
    expect(output).toMatch(/"route":"\/health\/ready"/);
    expect(output).not.toMatch(/trace_id/);
  });

  it('goes on without a collector that answers, says so once, and ends in time', async () => {
    const url = 'http://127.0.0.1:1'; // where nobody listens, nor will another test
    const { code, ms, output, loaded } = await run(
      { OTEL_EXPORTER_OTLP_ENDPOINT: url, LOG_LEVEL: 'info', OTEL_EXPORTER_OTLP_TIMEOUT: '200' },
      async (service) => {
        const ask = () => fetch(`${service}/health/live`, { headers: { traceparent: traceparent('01') } });
        for (let turn = 0; turn < 2; turn++) {
          // As many as are sent without waiting for more.
          const answers = await Promise.all(Array.from({ length: 520 }, ask));
          expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
          await sleep(400);
        }
      },
    );
    expect(output.match(/Traces cannot be sent/g)).toHaveLength(1);
    expect(output).toContain(`"trace_id":"${TRACE}","span_id":"`);
    expect(loaded).toMatch(/sdk-trace/);
    expect([code, ms < 5000]).toEqual([0, true]);
  });
});
