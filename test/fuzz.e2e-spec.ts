import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { TokensService } from '../src/auth/tokens.service.js';
import { PASSWORD, startApp } from './support/app.js';
import type { RoleName, TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import { Oracle } from './support/fuzz-oracle.js';
import type { FuzzAnswer } from './support/fuzz-oracle.js';
import { CALLERS, linesOf, operationsOf, pathOf, requests, targetOf } from './support/fuzz-requests.js';
import { sendRequest } from './support/fuzz-send.js';
import type { Caller, FuzzRequest, KnownValues } from './support/fuzz-requests.js';

// `npm run fuzz` sends more; FUZZ_REQUESTS and FUZZ_SEED decide otherwise.
const COUNT = Number(
  process.env.FUZZ_REQUESTS ?? (process.env.npm_lifecycle_event === 'fuzz' ? 20_000 : 1000),
);
const SEED = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** Operations that can take a token, a permission or a password from those who ask. */
const HARMFUL = new Set(['logout', 'revokeMyToken', 'changeMyPassword', 'updateUser', 'updateRole']);

const say = (text: string) => process.stdout.write(`${text}\n`);
const brief = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length)}… (${text.length} characters)` : text;

describe('reliability-15-fuzz: whatever is sent', () => {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8')) as object;
  const operations = operationsOf(document);
  const oracle = new Oracle(document);
  const agent = new Agent({ keepAlive: true });
  let app: TestApp;
  let known: KnownValues;
  let tokens: Record<Caller, string | undefined>;

  beforeAll(async () => {
    app = await startApp({ DATABASE_TIMEOUT_MS: '30000' });
    tokens = {
      nobody: undefined,
      stranger: `1|${'0'.repeat(40)}963fbb8e`,
      ...(Object.fromEntries(
        CALLERS.slice(2).map((role) => [role, app.as(role as RoleName).token]),
      ) as Record<RoleName, string>),
    };
    known = await makeWorld(app);
    await keep(app);
  });
  afterAll(async () => {
    agent.destroy();
    await app.stop();
  });

  const send = (request: FuzzRequest) =>
    sendRequest(app.url, request, { token: tokens[request.caller], agent });

  function asCurl(request: FuzzRequest): string {
    const { operation, caller, headers, body } = request;
    return [
      `curl --path-as-is -X ${operation.method} '${app.url}${brief(targetOf(request), 2000)}'`,
      ...(tokens[caller] ? [`-H 'authorization: Bearer <${caller}>'`] : []),
      ...headers.map(([name, value]) => `-H '${name}: ${brief(value, 2000)}'`),
      ...(body.text ? [`-H 'content-type: ${body.type}' --data-raw '${brief(body.text, 2000)}'`] : []),
    ].join(' ');
  }

  /** The tag of a row that is about to be changed. */
  async function tagBefore(request: FuzzRequest): Promise<string | undefined> {
    if (linesOf(request, 'If-Match').length === 0) return undefined;
    const row = pathOf(request).replace(/\/(restore|dispose|dispose\/undo)$/, '');
    const answer = await app.as('admin').get(`/${row}`);
    return answer.headers.get('etag') ?? undefined;
  }

  /** For later requests: the last tags that a row has had. */
  function remember(request: FuzzRequest, { headers }: FuzzAnswer): void {
    const { etag, location = pathOf(request) } = headers as Record<string, string>;
    if (etag !== undefined) known[location] = [...new Set(known[location]).add(etag)].slice(-3);
  }

  it(
    'is answered as the OpenAPI document says',
    async () => {
      say(`Fuzzing with ${COUNT} requests; FUZZ_SEED=${SEED} sends the same again`);
      const statuses: Record<string, number> = {};
      const worked = new Set<string>();
      /** What may be repeated, and how it has to be answered then. */
      const created: [FuzzRequest, FuzzAnswer][] = [];
      const property = fc.asyncProperty(requests(operations, known), async (request) => {
        const before = await tagBefore(request);
        const answer = await send(request);
        remember(request, answer);
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
        // Of guessed passwords, which would keep the right ones out from then on.
        if (answer.status === 429) await app.database.query(`DELETE FROM password_attempts`);
        if (answer.status < 300) {
          worked.add(request.operation.id);
          if (HARMFUL.has(request.operation.id)) await restore(app);
        }
        const broken = oracle.breaches(request, answer, before);
        if (answer.status === 201 && linesOf(request, 'Idempotency-Key').length > 0) {
          created.push([request, answer]);
          broken.push(...differences(answer, await send(request)));
        }
        const next = nextPage(request, answer);
        if (next && (await send(next)).status !== 200) broken.push('refuses its own cursor');
        if (broken.length > 0) {
          throw new Error(
            [
              `${request.operation.method} ${request.operation.template}: ${broken.join('; ')}`,
              asCurl(request),
              `${answer.status} ${brief(answer.text, 2000)}`,
            ].join('\n'),
          );
        }
      });
      const result = await fc.check(property, { seed: SEED, numRuns: COUNT });
      say(`${JSON.stringify(statuses)}; ${worked.size} of ${operations.length} operations worked`);
      if (result.failed)
        throw new Error(
          `FUZZ_SEED=${SEED}, request ${result.numRuns}\n${(result.errorInstance as Error).message}`,
        );
      for (const [request, answer] of created) expect(differences(answer, await send(request))).toEqual([]);
      if (COUNT >= 10_000) expect(operations.map(({ id }) => id).filter((id) => !worked.has(id))).toEqual([]);
    },
    60_000 + COUNT * 50,
  );
});

/** How a repeated request is answered otherwise than it was. */
function differences(first: FuzzAnswer, second: FuzzAnswer): string[] {
  const parts = ({ status, text, headers: { location, etag } }: FuzzAnswer) => ({
    status,
    text,
    location,
    etag,
  });
  const [one, other] = [parts(first), parts(second)];
  return isDeepStrictEqual(one, other)
    ? []
    : [`is answered ${JSON.stringify(other)} when it is repeated, after ${JSON.stringify(one)}`];
}

/** The request for the page after the one that was answered. */
function nextPage(request: FuzzRequest, { status, text }: FuzzAnswer): FuzzRequest | null {
  const { meta } = (status === 200 && text.startsWith('{"data"') ? JSON.parse(text) : {}) as {
    meta?: { next_cursor: string | null };
  };
  if (!meta?.next_cursor) return null;
  const others = request.query.split('&').filter((parameter) => !/^(page|cursor)=/.test(parameter));
  return { ...request, query: [...others, `cursor=${meta.next_cursor}`].join('&') };
}

/** Some rows of everything, and the values by which requests find them. */
async function makeWorld(app: TestApp): Promise<KnownValues> {
  const make = factories(app);
  const manager = app.as('manager');
  for (let at = 1; at <= 6; at++) {
    const brand = await make.brand();
    const category = await make.category({ name: `Cat 100%_\\ ${at}` });
    const amortization = await make.amortizationCategory();
    const tier = await make.tier();
    await make.equipment({ tier_id: tier.id, commissioned_on: '2020-02-29' });
    const supplier = await make.supplier({ email: 'hello@supplier.example' });
    const site = await make.location({ name: `Site 100%_\\ / ${at}` });
    const room = await make.location({ parent_id: site.id, code: `é/${at}` });
    const article = await make.article({
      brand_id: brand.id,
      category_id: category.id,
      amortization_category_id: amortization.id,
    });
    for (let of = 1; of <= 3; of++) {
      await make.purchase({
        article_id: article.id,
        supplier_id: supplier.id,
        location_id: room.id,
        code: `00${at}/é-${of}`,
        purchase_price: at + 0.29,
        warranty_end_date: of === 1 ? null : '2027-01-15',
      });
    }
    await app.asNewUser(`person${at}`, 'viewer');
    await app.as('admin').post('/roles', { name: `role ${at}`, permissions: ['articles.view'] });
    await manager.post('/inventories', { year: 2020 + at, inventory_date: '2026-01-15' });
    await manager.post(`/inventories/${at}/scan`, { code: '001/é-1' });
    await manager.post(`/inventories/${at}/scan`, { code: '002/é-1' });
    await make.article(); // of which nobody has bought any
    await manager.post(`/inventories/${at}/close`);
    for (const n of [1, 2, 3]) {
      const late = { code: `00${n}/é-3`, client_id: randomUUID(), scanned_at: '2026-01-15T08:00:00Z' };
      expect((await manager.post(`/inventories/${at}/scan`, late)).body.reason).toBe('late');
    }
    await manager.post(`/inventories/${at}/reopen`, { reason: 'Trois téléphones en retard' });
  }
  await manager.post('/inventories/6/close');
  const admin = app.as('admin');
  const many = <T>(make: (n: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: 15 }, (_, n) => make(n)));
  const newId = async (path: string, body: object) => (await admin.post(path, body)).body.id as number;
  const newSession = () => newId('/inventories', { year: 2030, inventory_date: '2026-01-15' });
  const closedSession = async () => {
    const id = await newSession();
    await manager.post(`/inventories/${id}/close`);
    return [id];
  };
  const misplaced = [1, 2, 3, 4, 5].flatMap((session) => [2, 5, 8].map((purchase) => [session, purchase]));
  for (const [session] of misplaced)
    for (const n of [1, 2, 3])
      await manager.post(`/inventories/${session}/scan`, { code: `00${n}/é-2`, location_id: 11 });
  const scans = (await manager.get('/inventories/1/scans')).body.data.map(({ id }: { id: number }) => [
    1,
    id,
  ]);
  await many((n) => manager.post('/inventories/1/scan', { code: `nobody knows ${n}` }));
  const unknown = (await manager.get('/inventories/1/unknown-codes')).body.data.map(
    ({ id }: { id: number }) => [1, id],
  ) as [number, number][];
  for (const [, id] of unknown.slice(10))
    await manager.post(`/inventories/1/unknown-codes/${id}/dismiss`, { reason: 'Fournisseur' });
  const webhook = await newId('/webhooks', { url: 'https://hooks.example/', events: ['import.done'] });
  const deliveries = await many(async () => [webhook, await newId(`/webhooks/${webhook}/ping`, {})]);
  const imports = await many(async () => {
    const sent = await admin.send('POST', '/imports/brands', 'name\n""\n', { 'content-type': 'text/csv' });
    return [sent.body?.id as number | undefined];
  });
  const lists = [
    '/articles',
    '/purchases',
    '/brands',
    '/locations',
    '/inventories',
    '/inventories/1/scans',
    '/inventories/1/unscanned',
  ];
  const cursors = await Promise.all(
    ['cursor=', 'updated_since=2000-01-01T00:00:00Z'].flatMap((mode) =>
      lists.map(
        async (list) => (await manager.get(`${list}?per_page=1&${mode}`)).body.meta.next_cursor as string,
      ),
    ),
  );
  return {
    cursor: ['', '', '', ...cursors],
    updated_since: ['2000-01-01T00:00:00Z', new Date().toISOString()],
    code: ['001/é-1', '001/É-2', '006/é-3', ']C1001/é-3', ' 002/é-2 '],
    search: ['', 'a', '100%_\\', 'É-1'],
    email: ['person1@test.example', 'viewer@test.example'],
    login: ['person1', 'viewer', 'VIEWER@test.example'],
    password: [PASSWORD],
    current_password: [PASSWORD],
    year: [2021, 2022],
    purchase_ids: [[4], [7], [10], [13]],
    date: ['2026-06-01'],
    'paths of moveMisplaced': misplaced.filter((_, at) => at % 2 === 0),
    'paths of ignoreMisplaced': misplaced.filter((_, at) => at % 2 === 1),
    'paths of linkUnknownCode': unknown.slice(0, 5),
    'paths of dismissUnknownCode': unknown.slice(5, 10),
    'paths of reopenUnknownCode': unknown.slice(10),
    'paths of resendWebhookDelivery': deliveries,
    'paths of getImport': imports.filter(([id]) => id !== undefined),
    'paths of getRefusedLines': imports.filter(([id]) => id !== undefined),
    'paths of deleteCategory': await many(async () => [(await make.category()).id]),
    'paths of deleteLocation': await many(async () => [(await make.location()).id]),
    'paths of deleteInventory': await many(async () => [await newSession()]),
    'paths of importFile': [['brands'], ['suppliers']],
    'paths of attachToScan': scans,
    'paths of disposeMissing': await many(closedSession),
    'paths of reopenInventory': [await closedSession()],
  };
}

const KEPT = ['users', 'user_roles', 'roles', 'role_permissions', 'access_tokens'];

/** Remembers who may do what, for restore(). */
async function keep({ database }: TestApp): Promise<void> {
  await database.query(KEPT.map((table) => `CREATE TABLE kept_${table} AS TABLE ${table};`).join('\n'));
}

/** Gives those who ask their names, passwords, roles and tokens back. */
async function restore({ app, database }: TestApp): Promise<void> {
  await database.query(`
    UPDATE roles r SET name = k.name FROM kept_roles k WHERE k.id = r.id;
    DELETE FROM role_permissions WHERE role_id IN (SELECT id FROM kept_roles);
    INSERT INTO role_permissions SELECT * FROM kept_role_permissions;
    UPDATE users u SET login = k.login, email = k.email, password_hash = k.password_hash, is_active = true
      FROM kept_users k WHERE k.id = u.id;
    DELETE FROM user_roles WHERE user_id IN (SELECT id FROM kept_users);
    INSERT INTO user_roles SELECT * FROM kept_user_roles;
    INSERT INTO access_tokens OVERRIDING SYSTEM VALUE SELECT * FROM kept_access_tokens
      ON CONFLICT (id) DO UPDATE SET deleted_at = NULL;`);
  app.get(TokensService).forgetAll();
}
