import { connect } from 'node:net';
import { RouteTable } from '../src/http/routes.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';
import { PDF, upload } from './support/upload.js';

const MISSING = 2_147_483_647;

let t: TestApp;
let make: Factories;
let admin: Client;
/** A user with a role of its own, who has opened a session and closed somebody else's. */
let keeper: Client & { userId: number };
/** Where there is one row of every resource; they show each other where they can. */
const paths: Record<string, string> = {};

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  admin = t.as('admin');
  const role = await admin.post('/roles', { name: 'keeper', permissions: [] });
  keeper = await t.asNewUser('keeper', 'keeper', 'manager');
  const rows = {
    roles: role.body,
    users: { id: keeper.userId },
    brands: await make.brand(),
    categories: await make.category(),
    'amortization-categories': await make.amortizationCategory(),
    suppliers: await make.supplier(),
    sites: await make.location(),
    tiers: await make.tier(),
    fields: (await admin.post('/fields', { name: 'Field', applies_to: 'purchase', type: 'text' })).body,
    webhooks: (await admin.post('/webhooks', { url: 'https://example.org/', events: ['import.done'] })).body,
  };
  const equipments = await make.equipment({ tier_id: rows.tiers.id });
  const articles = await make.article({
    brand_id: rows.brands.id,
    category_id: rows.categories.id,
    amortization_category_id: rows['amortization-categories'].id,
  });
  const locations = await make.location({ parent_id: rows.sites.id });
  const purchases = await make.purchase({
    article_id: articles.id,
    supplier_id: rows.suppliers.id,
    location_id: locations.id,
  });
  for (const [list, row] of Object.entries({ ...rows, equipments, articles, locations, purchases }))
    paths[list] = `/${list === 'sites' ? 'locations' : list}/${row.id}`;
  const paper = await upload(admin, `/purchases/${purchases.id}/attachments`, PDF);
  paths.attachments = `/attachments/${paper.body.id}`;
  paths['closed inventories'] = await openSession(await t.asNewUser('opener', 'manager'));
  await keeper.post(`${paths['closed inventories']}/close`);
  paths.inventories = await openSession(keeper);
  paths.me = '/me';
});
afterEach(rollbackAll);
afterAll(async () => {
  for (const app of [...more, t]) await app.stop();
});

const more: TestApp[] = [];
/** The service once more, on the same database. */
async function another(settings: Record<string, string>): Promise<TestApp> {
  const app = await startApp(settings, t.database);
  more.push(app);
  return app;
}

const NAMES = [
  'brands', 'categories', 'amortization-categories', 'suppliers', 'sites', 'locations', 'articles', 'purchases', 'tiers', 'equipments',
  'fields', 'webhooks', 'attachments', 'roles', 'users', 'inventories', 'closed inventories', 'me',
]; // prettier-ignore

async function openSession(client: Client = admin): Promise<string> {
  const { headers } = await client.post('/inventories', { year: 2026, inventory_date: '2026-11-16' });
  return headers.get('location')!.replace('/api/v1', '');
}

const readerOf = (name: string): Client => (name === 'me' ? keeper : admin);
const get = (name: string, headers?: Record<string, string>) => readerOf(name).get(paths[name]!, headers);
const etag = ({ headers }: Answer): string => headers.get('etag')!;
const cacheControl = ({ headers }: Answer) => headers.get('cache-control');

describe.each(NAMES)('reliability-19-tags: that of one of %s', (name) => {
  it('is strong, and comes with leave to keep the answer and to ask each time', async () => {
    const answer = await get(name);
    expect(etag(answer)).toMatch(/^"[!#-~]+"$/);
    expect(cacheControl(answer)).toBe('private, no-cache');
    const head = await readerOf(name).send('HEAD', paths[name]!);
    expect([head.text, etag(head), cacheControl(head)]).toEqual(['', etag(answer), 'private, no-cache']);
  });

  it('saves reading what has not changed', async () => {
    const tag = etag(await get(name));
    for (const seen of [tag, `W/${tag}`, `"x", ${tag}`, `"x",${tag},"y"`, `W/"x" , W/${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await readerOf(name).send(method, paths[name]!, undefined, { 'if-none-match': seen });
        expect([answer.status, answer.text]).toEqual([304, '']);
        expect([etag(answer), cacheControl(answer)]).toEqual([tag, 'private, no-cache']);
      }
    }
  });

  it('saves nothing when another one was seen', async () => {
    const { body, headers } = await get(name);
    const tag = headers.get('etag')!;
    for (const seen of ['"x"', tag.replaceAll('"', ''), tag.replace('-', '--'), `"*"`, `${tag}x`, '', ',']) {
      const answer = await get(name, { 'if-none-match': seen });
      expect([answer.status, answer.body, etag(answer)]).toEqual([200, body, tag]);
    }
  });
});

describe('Entity tags', () => {
  /** Whose tags a change changes. What an answer shows must never change without its tag. */
  async function changedBy(change: () => Promise<unknown>): Promise<string[]> {
    const readAll = () => Promise.all(NAMES.map((name) => get(name)));
    const before = await readAll();
    await change();
    const after = await readAll();
    const differs = (of: (answer: Answer) => string) =>
      NAMES.filter((_, at) => of(before[at]!) !== of(after[at]!));
    const changed = differs(etag);
    expect(changed).toEqual(expect.arrayContaining(differs(({ text }) => text)));
    return changed;
  }

  const touch = (list: string) =>
    t.database.query(`UPDATE ${list.replace('-', '_')} SET name = $2 WHERE id = $1`, [
      Number(paths[list]!.split('/')[2]),
      unique('Name'),
    ]);
  const patch = async (name: string, body: object) =>
    expect((await admin.patch(paths[name]!, body)).status).toBe(200);
  const scan = async (session: string) => {
    const { code } = (await get('purchases')).body;
    return (await admin.post(`${session}/scan`, { code })).body.status;
  };

  it.each<[string, () => Promise<unknown>]>([
    [
      'others are made',
      async () => {
        for (const one of [make.brand, make.category, make.amortizationCategory, make.tier]) await one();
        for (const one of [make.equipment, make.article, make.supplier, make.location]) await one();
        await t.asNewUser('somebody', 'operator');
      },
    ],
    [
      'others are changed',
      async () => {
        const tables = [
          'brands',
          'categories',
          'amortization_categories',
          'tiers',
          'equipments',
          'suppliers',
          'locations',
        ];
        for (const table of [...tables, 'articles'])
          await t.database.query(`UPDATE ${table} SET name = name WHERE id = (SELECT max(id) FROM ${table})`);
        for (const table of ['users', 'roles'])
          await t.database.query(`UPDATE ${table} SET name = name WHERE name IN ('User admin', 'operator')`);
      },
    ],
    [
      'another session goes its way',
      async () => {
        const other = await openSession();
        await scan(other);
        await admin.patch(other, { label: 'Other' });
        await admin.post(`${other}/close`);
      },
    ],
    ['somebody logs in', () => t.asNewUser('somebody')],
    [
      'nothing is sent',
      async () => {
        for (const name of [
          'articles',
          'purchases',
          'suppliers',
          'locations',
          'inventories',
          'users',
          'roles',
        ])
          await patch(name, {});
      },
    ],
    [
      'changes are refused',
      async () => {
        expect(refused(await admin.patch(paths.purchases!, { article_id: MISSING }))).toEqual(['article_id']);
        expect(refused(await admin.patch(paths.users!, { roles: ['nope'] }))).toEqual(['roles']);
        expect((await admin.delete(paths.suppliers!)).status).toBe(409);
      },
    ],
  ])('stay the same when %s', async (_, change) => {
    expect(await changedBy(change)).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, string[]]>([
    ['a brand', () => touch('brands'), ['brands', 'articles', 'purchases']],
    ['a category', () => touch('categories'), ['categories', 'articles', 'purchases']],
    [
      'an amortization category',
      () => touch('amortization-categories'),
      ['amortization-categories', 'articles', 'purchases'],
    ],
    ['a third party', () => touch('tiers'), ['tiers', 'equipments']],
    ['an equipment', () => touch('equipments'), ['equipments']],
    ['a supplier', () => patch('suppliers', { name: unique('S') }), ['suppliers', 'purchases']],
    ['a place', () => patch('locations', { name: unique('L') }), ['locations', 'purchases']],
    ['the place above', () => patch('sites', { name: unique('L') }), ['sites', 'locations', 'purchases']],
    ['whether the place above is active', () => patch('sites', { is_active: false }), ['sites']],
    [
      'where the place above is',
      async () => patch('sites', { parent_id: (await make.location()).id }),
      ['sites', 'locations', 'purchases'],
    ],
    ['an article', () => patch('articles', { name: unique('A') }), ['articles', 'purchases']],
    ['a purchase', () => patch('purchases', { notes: unique('N') }), ['purchases']],
    ['a role', () => patch('roles', { name: unique('role') }), ['roles', 'users', 'me']],
    ['what a role may', () => patch('roles', { permissions: ['tiers.view'] }), ['roles', 'users', 'me']],
    ['a user', () => patch('users', { name: 'U' }), ['users', 'inventories', 'closed inventories', 'me']],
    ['a session', () => patch('inventories', { label: unique('L') }), ['inventories']],
    [
      'the brand of an article',
      async () => patch('articles', { brand_id: (await make.brand()).id }),
      ['articles', 'purchases'],
    ],
    [
      'the supplier of a purchase',
      async () => patch('purchases', { supplier_id: (await make.supplier()).id }),
      ['purchases'],
    ],
    [
      'the place of a purchase',
      async () => patch('purchases', { location_id: (await make.location()).id }),
      ['purchases'],
    ],
    [
      'the article of a purchase',
      async () => patch('purchases', { article_id: (await make.article()).id }),
      ['purchases'],
    ],
  ])('change with every answer that shows it when %s is changed', async (_, change, changed) => {
    expect(await changedBy(change)).toEqual(changed);
  });

  it('change with the roles of a user', async () => {
    const change = () => patch('users', { roles: ['manager'] });
    expect(await changedBy(change)).toEqual(expect.arrayContaining(['users', 'me']));
  });

  it('of an open session change with its progress, until it is closed', async () => {
    let bought: { id: number };
    const buy = async () => (bought = await make.purchase());
    expect(await changedBy(buy)).toEqual(['inventories']);
    expect(await changedBy(() => admin.delete(`/purchases/${bought.id}`))).toEqual(['inventories']);
    expect(await changedBy(async () => expect(await scan(paths.inventories!)).toBe('success'))).toEqual([
      'inventories',
    ]);
    expect(await changedBy(async () => expect(await scan(paths.inventories!)).toBe('warning'))).toEqual([]);
    expect(await changedBy(() => admin.post(`${paths.inventories}/close`))).toEqual(['inventories']);
    expect(await changedBy(buy)).toEqual([]);
  });

  it('come with the answers that change something too', async () => {
    for (const name of ['articles', 'purchases', 'suppliers', 'locations', 'users', 'roles']) {
      const changed = await admin.patch(paths[name]!, {
        [name === 'purchases' ? 'notes' : 'name']: unique('n'),
      });
      expect([changed.body, etag(changed)]).toEqual([(await get(name)).body, etag(await get(name))]);
      expect(cacheControl(changed)).toBe('no-store');
    }
    const session = await openSession();
    const changes = [() => admin.patch(session, { label: 'x' }), () => admin.post(`${session}/close`)];
    for (const change of changes) {
      const changed = await change();
      expect([changed.status, etag(changed)]).toEqual([200, etag(await admin.get(session))]);
      expect(cacheControl(changed)).toBe('no-store');
    }
  });

  it('of a purchase change when its warranty ends, and for no other new day', async () => {
    // Two days are never the same in these two zones.
    const [late, early] = [
      await another({ TIME_ZONE: 'Etc/GMT+12' }),
      await another({ TIME_ZONE: 'Pacific/Kiritimati' }),
    ];
    const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'Etc/GMT+12' }).format(new Date());
    const tagsOf = async (warranty_end_date: string | null) => {
      const { id } = await make.purchase({ purchase_date: '2020-01-01', warranty_end_date });
      const [there, here] = await Promise.all(
        [late, early].map((app) => app.as('manager').get(`/purchases/${id}`)),
      );
      return {
        id,
        states: [there, here].map((one) => one!.body.warranty.status),
        tags: [there, here].map((one) => etag(one!)),
      };
    };
    const ending = await tagsOf(today);
    expect(ending.states).toEqual(['active', 'expired']);
    expect(ending.tags[0]).not.toBe(ending.tags[1]);
    for (const end of [null, '2020-01-02', '9999-12-31']) {
      const { tags } = await tagsOf(end);
      expect(tags[0]).toBe(tags[1]);
    }
    const path = `/purchases/${ending.id}`;
    const yesterday = { 'if-match': ending.tags[0]!, 'if-none-match': ending.tags[0]! };
    expect((await early.as('manager').get(path, yesterday)).status).toBe(200);
    expect((await early.as('manager').send('PATCH', path, { notes: 'x' }, yesterday)).status).toBe(412);
    expect((await late.as('manager').send('PATCH', path, { notes: 'x' }, yesterday)).status).toBe(200);
  });
});

interface Writable {
  list: string;
  create: () => Promise<string>;
  change: (n: number) => object;
  isDeletable?: boolean;
}

const created = async (list: string, body: object): Promise<string> =>
  `/${list}/${(await admin.post(`/${list}`, body)).body.id}`;

const WRITABLES: Writable[] = [
  {
    list: 'articles',
    create: () => created('articles', { name: 'A' }),
    change: (n) => ({ name: `Name ${n}` }),
    isDeletable: true,
  },
  {
    list: 'suppliers',
    create: () => created('suppliers', { name: 'S' }),
    change: (n) => ({ name: `Name ${n}` }),
    isDeletable: true,
  },
  {
    list: 'locations',
    create: () => created('locations', { name: 'L' }),
    change: (n) => ({ name: `Name ${n}` }),
    isDeletable: true,
  },
  {
    list: 'fields',
    create: () => created('fields', { name: unique('F'), applies_to: 'article', type: 'text' }),
    change: (n) => ({ name: unique(`Name ${n}`) }),
    isDeletable: true,
  },
  {
    list: 'brands',
    create: () => created('brands', { name: unique('B') }),
    change: (n) => ({ name: unique(`Name ${n}`) }),
    isDeletable: true,
  },
  {
    list: 'categories',
    create: () => created('categories', { name: unique('C') }),
    change: (n) => ({ name: unique(`Name ${n}`) }),
    isDeletable: true,
  },
  {
    list: 'purchases',
    create: async () => `/purchases/${(await make.purchase()).id}`,
    change: (n) => ({ notes: `Notes ${n}` }),
    isDeletable: true,
  },
  { list: 'inventories', create: openSession, change: (n) => ({ label: `Label ${n}` }), isDeletable: true },
  {
    list: 'users',
    create: async () => `/users/${(await t.asNewUser(unique('user'))).userId}`,
    change: (n) => ({ name: `Name ${n}` }),
  },
  {
    list: 'roles',
    create: () => created('roles', { name: unique('role'), permissions: [] }),
    change: (n) => ({ description: `Description ${n}` }),
  },
];

const send = (method: string, path: string, tag: string, body?: object) =>
  admin.send(method, path, body, { 'if-match': tag });
const statuses = (answers: Answer[]): number[] => answers.map(({ status }) => status).sort();
const times = <T>(count: number, work: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

describe.each(WRITABLES)('reliability-19-if-match: one of $list', ({ list, create, change, isDeletable }) => {
  const methods = isDeletable ? ['PATCH', 'DELETE'] : ['PATCH'];
  const write = (method: string, path: string, tag: string) =>
    send(method, path, tag, method === 'PATCH' ? change(0) : undefined);

  it.each(methods)('lets %s what has not changed since', async (method) => {
    const seenBy: ((tag: string) => string)[] = [(tag) => tag, () => '*', (tag) => `"x", W/"y" ,${tag}`];
    for (const header of seenBy) {
      const path = await create();
      const answer = await write(method, path, header(etag(await admin.get(path))));
      expect(answer.status).toBe(200);
      const after = await admin.get(path);
      if (method === 'DELETE') expect(after.status).toBe(404);
      else expect([answer.body, etag(answer)]).toEqual([after.body, etag(after)]);
    }
  });

  it.each(methods)('keeps %s from changing what has changed since', async (method) => {
    const path = await create();
    const stale = etag(await admin.get(path));
    await admin.patch(path, change(1));
    const now = await admin.get(path);
    for (const header of [stale, `W/${etag(now)}`, `W/"x", ${stale}`, '"x"', '""']) {
      const answer = await write(method, path, header);
      expect([answer.status, answer.body.type, etag(answer)]).toEqual([412, '/problems/stale', null]);
      expect(cacheControl(answer)).toBe('no-store');
    }
    const after = await admin.get(path);
    expect([after.body, etag(after)]).toEqual([now.body, etag(now)]);
  });

  it.each(methods)('is refused for %s when it is no list of tags', async (method) => {
    const path = await create();
    const before = await admin.get(path);
    for (const header of ['', etag(before).replaceAll('"', ''), ',', '"a" "b"', `*, ${etag(before)}`])
      expect(refused(await write(method, path, header))).toEqual(['If-Match']);
    expect((await admin.get(path)).body).toEqual(before.body);
  });

  it.each(methods)('comes after whether there is something to %s', async (method) => {
    for (const tag of ['"x"', '*'])
      expect((await write(method, `/${list}/${MISSING}`, tag)).status).toBe(404);
    if (!isDeletable) return;
    const path = await create();
    const tag = etag(await admin.get(path));
    await admin.delete(path);
    expect((await write(method, path, tag)).status).toBe(404);
  });

  it('lets one of twenty who have seen the same change it', async () => {
    const path = await create();
    const tag = etag(await admin.get(path));
    const answers = await times(20, (n) => send('PATCH', path, tag, change(n)));
    expect(statuses(answers)).toEqual([200, ...Array<number>(19).fill(412)]);
    const won = answers.find(({ status }) => status === 200)!;
    const after = await admin.get(path);
    expect([after.body, etag(after)]).toEqual([won.body, etag(won)]);
  });

  it.each(methods)('is asked of what %s finds when its turn comes', async (method) => {
    for (const [end, status] of [
      ['COMMIT', 412],
      ['ROLLBACK', 200],
    ] as const) {
      const path = await create();
      const tag = etag(await admin.get(path));
      const other = await begin(t.database);
      await other.query(`UPDATE ${list} SET updated_at = now() WHERE id = $1`, [path.split('/')[2]]);
      const answer = write(method, path, tag);
      await blocked(t.database);
      await other.end(end);
      expect((await answer).status).toBe(status);
    }
  });

  if (isDeletable) {
    it('lets one of those who change it and those who delete it be first', async () => {
      for (let round = 0; round < 5; round++) {
        const path = await create();
        const tag = etag(await admin.get(path));
        const [patched, deleted] = await Promise.all([
          times(5, (n) => send('PATCH', path, tag, change(n))),
          times(5, () => send('DELETE', path, tag)),
        ]);
        const isDeleted = (await admin.get(path)).status === 404;
        const losers = Array<number>(4).fill(isDeleted ? 404 : 412);
        expect(statuses(isDeleted ? deleted : patched)).toEqual([200, ...losers]);
        expect(statuses(isDeleted ? patched : deleted)).toEqual([...losers, losers[0]]);
      }
    });
  }
});

describe('If-Match', () => {
  it('comes before what the state of a row forbids', async () => {
    const { code, article_id } = await make.purchase();
    const session = await openSession();
    const unscanned = etag(await admin.get(session));
    await admin.post(`${session}/scan`, { code });
    expect((await send('DELETE', session, unscanned)).status).toBe(412);
    const scanned = etag(await admin.get(session));
    expect((await send('DELETE', session, scanned)).body.type).toBe('/problems/session-has-scans');
    await admin.post(`${session}/close`);
    const closed = etag(await admin.get(session));
    for (const [method, problem] of [
      ['PATCH', 'session-closed'],
      ['DELETE', 'session-has-scans'],
    ] as const) {
      const body = method === 'PATCH' ? { label: 'x' } : undefined;
      expect((await send(method, session, scanned, body)).body.type).toBe('/problems/stale');
      expect((await send(method, session, closed, body)).body.type).toBe(`/problems/${problem}`);
    }
    const article = `/articles/${article_id}`;
    expect((await send('DELETE', article, '"x"')).body.type).toBe('/problems/stale');
    expect((await send('DELETE', article, etag(await admin.get(article)))).body.type).toBe(
      '/problems/in-use',
    );
  });

  it('may come in several lines', async () => {
    const path = await created('suppliers', { name: 'S' });
    const tag = etag(await admin.get(path));
    const lines = [`PATCH /api/v1${path} HTTP/1.1`, 'Host: x', 'If-Match: "x"', `If-Match: ${tag}`];
    const answer = await exchange([...lines, `Authorization: Bearer ${admin.token}`, 'Connection: close']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('is looked at by nobody who may not', async () => {
    for (const tag of ['', '"x"']) {
      const headers = { 'if-match': tag };
      expect((await t.as('viewer').send('PATCH', paths.articles!, { name: 'x' }, headers)).status).toBe(403);
      expect((await t.anonymous.send('DELETE', paths.articles!, undefined, headers)).status).toBe(401);
    }
  });
});

/** Sends these lines as they are, and resolves to the answer. */
function exchange(lines: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(new URL(t.url).port), '127.0.0.1', () =>
      socket.write([...lines, '', ''].join('\r\n')),
    );
    socket.on('data', (data: Buffer) => (answer += data.toString()));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

/** By how the path ends: what it is not answered without. */
const NEEDED: Record<string, string> = { progress: '?by=day', labels: '?format=zpl' };

describe('Answers without an entity tag', () => {
  it('are all others, and nobody may keep them', async () => {
    const { code, id } = await make.purchase();
    const tagged = new Set(NAMES.map((name) => paths[name]!.replace(/\d+$/, '{id}')));
    const routes = t.app.get(RouteTable).routes.filter(({ method }) => method === 'GET');
    const untagged = [];
    await make.location({ code: 'L-0001' });
    const file = await admin.send('POST', '/imports/brands', 'name\n', { 'content-type': 'text/csv' });
    const session = await openSession();
    const scanId = String((await admin.post(`${session}/scan`, { code })).body.scan_id);
    const rows: Record<string, string> = {
      inventories: session.split('/')[2]!,
      imports: String(file.body.id),
      articles: paths.articles!.split('/')[2]!,
      equipments: paths.equipments!.split('/')[2]!,
      webhooks: paths.webhooks!.split('/')[2]!,
    };
    for (const { template } of routes) {
      const row = rows[template.split('/')[3]!] ?? id;
      const path = template.replace('/api/v1', '');
      if (tagged.delete(path)) continue;
      untagged.push(path);
      const needed = NEEDED[path.split('/').at(-1)!] ?? '';
      const url = template.replace('{id}', row).replace('{code}', code).replace('{scan_id}', scanId) + needed;
      for (const seen of ['"x"', '*']) {
        const answer = await admin.get(`/${url}`, { 'if-none-match': seen });
        expect([url, answer.status, etag(answer), cacheControl(answer)]).toEqual([
          url,
          200,
          null,
          'no-store',
        ]);
      }
    }
    expect([...tagged]).toEqual([]);
    expect(untagged).toEqual(
      expect.arrayContaining(['/articles', '/scan/{code}', '/health/ready', '/metrics']),
    );
  });

  it('are those to whoever logs in, scans or deletes', async () => {
    const { code, id } = await make.purchase();
    const session = await openSession();
    const answers = [
      await admin.post(`${session}/scan`, { code }),
      await admin.delete(`/purchases/${id}`),
      await (await t.asNewUser('leaves')).post('/logout'),
      await t.anonymous.post('/login', { login: 'x', password: 'x' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 401]);
    for (const answer of answers) expect([etag(answer), cacheControl(answer)]).toEqual([null, 'no-store']);
  });

  it('are all problems', async () => {
    const [article, purchase] = [paths.articles!, paths.purchases!];
    const answers = [
      await admin.send('POST', '/articles', '{'),
      await t.anonymous.get(article),
      await t.as('viewer').patch(article, { name: 'x' }),
      await admin.get('/articles/0', { 'if-none-match': '*' }),
      await admin.get(`/articles/${MISSING}`, { 'if-none-match': '*' }),
      await admin.get('/scan/nothing'),
      await admin.get('//nowhere'),
      await admin.send('PUT', article, {}),
      await admin.delete(`/articles/${(await admin.get(purchase)).body.article_id}`),
      await send('PATCH', article, '"x"', { name: 'x' }),
      await admin.send('POST', '/articles', `{"name":"${'x'.repeat(2 ** 20)}"}`),
      await admin.send('POST', '/articles', 'x', { 'content-type': 'text/plain' }),
      await admin.post('/articles', {}),
      await admin.get(`${article}?x=1`),
    ];
    const expected = [400, 401, 403, 404, 404, 404, 404, 405, 409, 412, 413, 415, 422, 422];
    expect(answers.map(({ status }) => status)).toEqual(expected);
    for (const answer of answers) {
      expect([etag(answer), answer.headers.get('location'), cacheControl(answer)]).toEqual([
        null,
        null,
        'no-store',
      ]);
    }
    expect(await exchange(['what is this'])).toMatch(/^HTTP\/1\.1 400 [^]*\r\nCache-Control: no-store\r\n/);
  });

  it('are those of a read that fails', async () => {
    const other = await begin(t.database);
    await other.query(`LOCK TABLE articles`);
    const unavailable = await another({ DATABASE_TIMEOUT_MS: '200' });
    const answer = await unavailable.as('viewer').get(paths.articles!);
    expect([answer.status, etag(answer), cacheControl(answer)]).toEqual([503, null, 'no-store']);
    await other.end('ROLLBACK');
  });
});
