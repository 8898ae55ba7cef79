import { readFileSync } from 'node:fs';
import { RouteTable } from '../src/http/routes.js';
import { buildDocument } from '../src/docs/openapi.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
describe('The OpenAPI document', () => {
  let app: TestApp;
  let document: any;
  let operations: { name: string; operation: any }[];

  beforeAll(async () => {
    app = await startApp();
    document = JSON.parse(JSON.stringify(buildDocument(app.app)));
    operations = Object.entries<any>(document.paths).flatMap(([path, item]) =>
      Object.entries<any>(item).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path}`,
        operation,
      })),
    );
  });
  afterAll(() => app.stop());

  /** The problems stand once, among the components. */
  const resolved = (response: any): any =>
    response.$ref ? document.components.responses[response.$ref.split('/').at(-1)] : response;

  it('equals the committed openapi.json (else: npm run openapi)', () => {
    expect(document).toEqual(JSON.parse(readFileSync('openapi.json', 'utf8')));
  });

  it('has every route', () => {
    const documented = operations.map(({ name }) => name);
    const routes = app.app.get(RouteTable).routes.map(({ method, template }) => `${method} ${template}`);
    expect(documented.sort()).toEqual(routes.filter((route) => route !== 'GET /metrics').sort());
  });

  it('describes every operation', () => {
    const ids = operations.map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { name, operation } of operations) {
      expect([name, operation.summary?.length > 5, operation.tags?.length]).toEqual([name, true, 1]);
      expect(document.tags.map((tag: any) => tag.name)).toContain(operation.tags[0]);
    }
  });

  it('gives every operation its answers, with schemas and examples', () => {
    for (const { name, operation } of operations) {
      const statuses = Object.keys(operation.responses);
      expect([name, statuses.some((status) => status.startsWith('2'))]).toEqual([name, true]);
      for (const [status, response] of Object.entries<any>(operation.responses)) {
        if (status === '304') continue; // has no body
        const [content] = Object.values<any>(resolved(response).content);
        expect([name, status, content.schema]).toEqual([name, status, expect.any(Object)]);
        if (Number(status) >= 400 && !name.includes('/health/')) {
          expect(content.example).toMatchObject({
            status: Number(status),
            type: expect.stringMatching(/^\/problems\//),
          });
        }
      }
    }
  });

  it('says of every protected operation which permission it needs, and its 401 and 403', () => {
    for (const { name, operation } of operations) {
      const isPublic = operation.security.some((scheme: object) => Object.keys(scheme).length === 0);
      if (isPublic) continue;
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401'])]);
      if (!/\/(me|logout)\b/.test(name)) {
        expect([name, operation['x-permission']]).toEqual([name, expect.stringMatching(/^[a-z]+\.[a-z]+$/)]);
        expect(Object.keys(operation.responses)).toContain('403');
      }
    }
  });

  it('gives every field of a request an example or a default', () => {
    for (const { name, operation } of operations) {
      const reference = operation.requestBody?.content['application/json'].schema.$ref as string | undefined;
      if (!reference) continue;
      const schema = document.components.schemas[reference.split('/').at(-1)!];
      for (const [field, property] of Object.entries<any>(schema.properties)) {
        expect([name, field, 'example' in property || 'default' in property]).toEqual([name, field, true]);
      }
    }
  });
});
