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
      expect([name, operation.description]).toEqual([
        name,
        expect.stringMatching(/^(?!undefined|Permission: )./),
      ]);
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
      if (operation.security.length === 0) continue;
      expect([name, Object.keys(operation.responses)]).toEqual([name, expect.arrayContaining(['401'])]);
      if (name === 'GET /api/v1/attachments/{id}') {
        expect(Object.keys(operation.responses)).toContain('403'); // by what it is of
      } else if (!/\/(me|logout)\b/.test(name)) {
        expect([name, operation['x-permission']]).toEqual([name, expect.stringMatching(/^[a-z]+\.[a-z]+$/)]);
        expect(Object.keys(operation.responses)).toContain('403');
      }
    }
  });

  it('gives every field of a request an example or a default', () => {
    for (const { name, operation } of operations) {
      const reference = operation.requestBody?.content['application/json']?.schema.$ref as string | undefined;
      if (!reference) continue;
      const schema = document.components.schemas[reference.split('/').at(-1)!];
      for (const [field, property] of Object.entries<any>(schema.properties)) {
        expect([name, field, 'example' in property || 'default' in property]).toEqual([name, field, true]);
      }
    }
  });

  it('names the headers that bring a part of a file, for clients that send none but those that it names', () => {
    const inParts = operations.filter(({ operation }) => '206' in operation.responses);
    expect(inParts.map(({ name }) => name)).toEqual(['GET /api/v1/attachments/{id}']);
    for (const { operation } of inParts) {
      const names = operation.parameters.map(({ name }: any) => name);
      expect(names).toEqual(expect.arrayContaining(['Range', 'If-Range']));
    }
  });

  it('names updated_since only for lists that can tell their changes', () => {
    const takes = (id: string): string[] =>
      operations
        .find(({ operation }) => operation.operationId === id)!
        .operation.parameters.map(({ name }: any) => name);
    expect(takes('listBrands')).toEqual(expect.arrayContaining(['updated_since', 'include_deleted']));
    expect(takes('listImports')).toEqual(['per_page', 'page', 'cursor', 'sort', 'format', 'delimiter']);
    expect(takes('listPurchaseHistory')).not.toContain('updated_since');
  });

  it('says who keeps reference data, which people do as well as the importer', () => {
    const tag = document.tags.find(({ name }: any) => name === 'Reference data').description;
    const { description } = document.paths['/api/v1/articles'].post;
    for (const text of [tag, description]) {
      expect(text).toContain('`reference.manage`');
      expect(text).not.toMatch(/read-only|the importer keeps/);
    }
  });

  describe('in a generated client', () => {
    /** The lists of words of which an answer can never bring another one: a client may count on these. */
    const CLOSED = ['InventoryDto.status', 'ScanResultDto.status', 'WarrantyDto.status'];
    const parameters = () =>
      operations.flatMap(({ name, operation }) =>
        (operation.parameters ?? []).map((one: any) => [`${name} ${one.name}`, one.schema]),
      );
    const fields = () =>
      Object.entries<any>(document.components.schemas).flatMap(([schema, { properties = {} }]) =>
        Object.entries<any>(properties).map(([field, property]) => [`${schema}.${field}`, property]),
      );
    const everything = (): [string, any][] => [...parameters(), ...fields()];
    /** The schemas of the bodies of requests: what is sent is checked, so its lists are closed. */
    const sent = () => {
      const found = new Set<string>();
      const collect = (part: any): void => {
        if (part === null || typeof part !== 'object') return;
        const name = part.$ref?.split('/').at(-1);
        if (name && !found.has(name)) {
          found.add(name);
          collect(document.components.schemas[name]);
        }
        Object.values(part).forEach(collect);
      };
      operations.forEach(({ operation }) => collect(operation.requestBody));
      return found;
    };

    it('no list of words in an answer is closed but the few that can never grow', () => {
      const bodies = sent();
      const answered = fields().filter(([name]) => !bodies.has(name.split('.')[0]));
      const closed = answered.filter(([, schema]) => 'enum' in schema || 'const' in schema);
      expect(closed.map(([name]) => name).sort()).toEqual(CLOSED);
      const nested = answered.filter(([name]) => !CLOSED.includes(name));
      expect(JSON.stringify(nested)).not.toMatch(/"(enum|const)":/); // of items and alternatives
    });

    it('every other list names the words that are known, each once, in its description', () => {
      const open = fields().filter(([, schema]) => 'x-extensible-enum' in schema);
      expect(open.map(([name]) => name)).toEqual(
        expect.arrayContaining([
          'ProblemDto.type',
          'ScanResultDto.reason',
          'ScanResultDto.message',
          'MeDto.permissions',
        ]),
      );
      for (const [name, { description, 'x-extensible-enum': words }] of open) {
        for (const word of words) expect([name, description]).toEqual([name, expect.stringContaining(word)]);
        expect([name, words]).toEqual([name, [...new Set(words)]]);
      }
    });

    it('every choice has a name that no language keeps for itself', () => {
      for (const [name, schema] of everything()) {
        if (!('enum' in schema)) continue;
        const names: string[] = schema['x-enum-varnames'] ?? schema.enum;
        expect([name, new Set(names).size]).toEqual([name, schema.enum.length]);
        for (const one of names) {
          expect([name, one]).toEqual([name, expect.stringMatching(/^([a-z][a-z_]*|[A-Z][A-Z_]*)$/)]);
          expect(['name', 'ordinal', 'values', 'value', 'entries', 'declaringclass']).not.toContain(one);
        }
      }
    });

    it('every number is a double, which is sent as a number, and not a decimal', () => {
      const numbers = everything().filter(([, { type }]) => [type].flat().includes('number'));
      expect(numbers.length).toBeGreaterThan(3);
      for (const [name, { format }] of numbers) expect([name, format]).toEqual([name, 'double']);
    });

    it('every list has one class of its pages', () => {
      const lists = operations.filter(({ operation }) => operation.operationId.startsWith('list'));
      for (const { name, operation } of lists) {
        const { schema } = operation.responses['200'].content['application/json'];
        expect([name, schema]).toEqual([name, { $ref: expect.stringMatching(/Page$/) }]);
      }
    });
  });
});
