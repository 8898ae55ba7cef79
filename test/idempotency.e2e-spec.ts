import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { EndedKeys } from '../src/contract/creation.js';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import type { Answer, Client } from './support/client.js';
import { factories, refused, unique } from './support/factories.js';
import type { Factories } from './support/factories.js';
import { until } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

let t: TestApp;
let make: Factories;
let admin: Client;

beforeAll(async () => {
  t = await startApp();
  make = factories(t);
  admin = t.as('admin');
});
afterEach(rollbackAll);
afterAll(() => t.stop());

const login = () => unique('login').replace(' ', '-');
const SECRET = 'eleven herons on the roof';

interface Resource {
  path: string;
  body: () => object | Promise<object>;
  /** A field that every value of its kind fits. */
  field: string;
}

const RESOURCES: Resource[] = [
  { path: '/articles', body: () => ({ name: unique('Article'), reference: 'R' }), field: 'reference' },
  { path: '/suppliers', body: () => ({ name: unique('Supplier'), address: 'A' }), field: 'address' },
  { path: '/locations', body: () => ({ name: unique('Place'), code: null }), field: 'name' },
  { path: '/brands', body: () => ({ name: unique('Brand') }), field: 'name' },
  { path: '/categories', body: () => ({ name: unique('Category') }), field: 'name' },
  {
    path: '/purchases',
    body: async () => ({ article_id: (await make.article()).id, purchase_date: '2026-01-15', notes: 'N' }),
    field: 'notes',
  },
  {
    path: '/inventories',
    body: () => ({ year: 2026, inventory_date: '2026-11-16', label: 'L' }),
    field: 'label',
  },
  {
    path: '/users',
    body: () => {
      const name = login();
      return { login: name, name, email: `${name}@test.example`, password: SECRET, roles: ['viewer'] };
    },
    field: 'name',
  },
  {
    path: '/roles',
    body: () => ({ name: login(), permissions: [], description: 'D' }),
    field: 'description',
  },
];

const send = (path: string, body: unknown, key: string, client = admin): Promise<Answer> =>
  client.send('POST', path, body, { 'idempotency-key': key });

/** All of an answer that a client may rely on. */
const seen = ({ status, text, headers }: Answer) => ({
  status,
  text,
  location: headers.get('location'),
  etag: headers.get('etag'),
});

const rowsOf = async (path: string): Promise<number> => {
  const [row] = await t.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${path.slice(1)}`);
  return row!.n;
};

/** How many rows of a resource something has made. */
async function madeBy(path: string, work: () => Promise<unknown>): Promise<number> {
  const before = await rowsOf(path);
  await work();
  return (await rowsOf(path)) - before;
}

const isInFlight = ({ status, body, headers }: Answer): boolean =>
  status === 409 && body.type === '/problems/request-in-flight' && Number(headers.get('retry-after')) > 0;

/** Makes every COMMIT that creates such a row do this, while `work` runs. */
async function atCommit(path: string, statement: string, work: () => Promise<unknown>): Promise<void> {
  const table = path.slice(1);
  await t.database.query(`
    CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$;
    CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON ${table} DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION at_commit()`);
  try {
    await work();
  } finally {
    await t.database.query(`DROP FUNCTION at_commit CASCADE`);
  }
}

describe.each(RESOURCES)('reliability-18-keys: POST $path with a key', ({ path, body, field }) => {
  const table = path.slice(1);

  it('creates one row, and answers the same each time', async () => {
    const [key, fields] = [randomUUID(), await body()];
    const made = await madeBy(path, async () => {
      const first = await send(path, fields, key);
      expect(first.status).toBe(201);
      expect(first.headers.get('location')).toBe(`/api/v1${path}/${first.body.id}`);
      const read = await admin.get(`${path}/${first.body.id}`);
      expect([read.body, read.headers.get('etag')]).toEqual([first.body, first.headers.get('etag')]);
      for (let again = 0; again < 3; again++)
        expect(seen(await send(path, fields, key))).toEqual(seen(first));
    });
    expect(made).toBe(1);
  });

  it('refuses another payload, but takes the fields in any order', async () => {
    const [key, fields] = [randomUUID(), await body()];
    const made = await madeBy(path, async () => {
      const first = await send(path, fields, key);
      const reversed = Object.fromEntries(Object.entries(fields).reverse());
      expect(seen(await send(path, reversed, key))).toEqual(seen(first));
      const { [field as keyof object]: _, ...less } = fields;
      for (const other of [{ ...fields, [field]: 'other' }, ...(field === 'name' ? [] : [less])])
        expect(refused(await send(path, other, key))).toEqual(['Idempotency-Key']);
      expect(seen(await send(path, fields, key))).toEqual(seen(first));
    });
    expect(made).toBe(1);
  });

  it('answers 409 while the first request runs', async () => {
    const [key, fields] = [randomUUID(), await body()];
    const made = await madeBy(path, async () => {
      const holder = await begin(t.database);
      await holder.query(`LOCK TABLE ${table} IN SHARE MODE`);
      const first = send(path, fields, key);
      await blocked(t.database);
      // A session is opened in several turns, so that the second request may come first.
      const second = send(path, fields, key);
      expect(isInFlight(await Promise.race([first, second]))).toBe(true);
      await holder.end('ROLLBACK');
      const created = (await Promise.all([first, second])).find(({ status }) => status === 201);
      expect(seen(await send(path, fields, key))).toEqual(seen(created!));
    });
    expect(made).toBe(1);
  });

  it('creates one row when fifty come at once', async () => {
    const [key, fields] = [randomUUID(), await body()];
    const made = await madeBy(path, async () => {
      const answers = await Promise.all(Array.from({ length: 50 }, () => send(path, fields, key)));
      const kept = seen(await send(path, fields, key));
      for (const answer of answers) if (!isInFlight(answer)) expect(seen(answer)).toEqual(kept);
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    });
    expect(made).toBe(1);
  });

  it('keeps nothing of a request that was refused', async () => {
    const key = randomUUID();
    const made = await madeBy(path, async () => {
      const wrong = { ...(await body()), [field]: 1 };
      expect(refused(await send(path, wrong, key))).toEqual([field]);
      expect((await send(path, await body(), key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  it('keeps nothing of a request that the database refuses at the very end', async () => {
    const [key, fields] = [randomUUID(), await body()];
    const made = await madeBy(path, async () => {
      await atCommit(path, `RAISE 'no'`, async () => {
        const { status, headers } = await send(path, fields, key);
        expect([status, headers.get('location'), headers.get('etag')]).toEqual([500, null, null]);
        expect(headers.get('cache-control')).toBe('no-store');
      });
      expect((await send(path, await body(), key)).status).toBe(201);
    });
    expect(made).toBe(1);
  });

  it('looks at the permission before the key', async () => {
    const fields = await body();
    for (const key of [randomUUID(), '']) {
      expect((await send(path, fields, key, t.as('viewer'))).status).toBe(403);
      expect((await send(path, fields, key, t.anonymous)).status).toBe(401);
    }
  });
});

describe('reliability-18-keys: a key', () => {
  const article = () => ({ name: unique('Article') });
  const post = (key: string, body: object = article()) => send('/articles', body, key);
  /** As if the request that created this article had come so many hours ago. */
  const age = ({ body }: Answer, hours: number) =>
    t.database.query(
      `UPDATE idempotency_keys SET created_at = now() - $1 * interval '1 hour'
       WHERE answer->>'location' = '/api/v1/articles/' || $2::int`,
      [hours, body.id],
    );

  it('is not needed: without one, every request creates', async () => {
    const body = article();
    const ids = [await admin.post('/articles', body), await admin.post('/articles', body)];
    expect(new Set(ids.map((answer) => answer.body.id)).size).toBe(2);
  });

  it('takes the fields of fields in any order, too', async () => {
    const manager = t.as('manager');
    const names = [unique('Field'), unique('Field')];
    const keys: string[] = [];
    for (const name of names)
      keys.push((await manager.post('/fields', { name, applies_to: 'purchase', type: 'text' })).body.key);
    const { id: article_id } = await make.article();
    const [key, fields] = [randomUUID(), Object.fromEntries(keys.map((one) => [one, 'x']))];
    const body = { article_id, purchase_date: '2026-01-15', fields };
    const first = await send('/purchases', body, key);
    expect(first.status).toBe(201);
    const reversed = Object.fromEntries(Object.entries(fields).reverse());
    expect(seen(await send('/purchases', { ...body, fields: reversed }, key))).toEqual(seen(first));
    const other = { ...body, fields: { ...fields, [keys[0]!]: 'y' } };
    expect(refused(await send('/purchases', other, key))).toEqual(['Idempotency-Key']);
  });

  it('is kept for 24 hours, and then creates anew, with any payload', async () => {
    const [key, body] = [randomUUID(), article()];
    const first = await post(key, body);
    await age(first, 23.99);
    expect(seen(await post(key, body))).toEqual(seen(first));
    await age(first, 24.01);
    const other = article();
    const anew = await post(key, other);
    expect([anew.status, anew.body.name]).toEqual([201, other.name]);
    expect(anew.body.id).not.toBe(first.body.id);
    expect(seen(await post(key, other))).toEqual(seen(anew));
    expect(refused(await post(key, body))).toEqual(['Idempotency-Key']);
  });

  it('is cleared away when it has ended, not sooner', async () => {
    const [body, ended, kept] = [article(), randomUUID(), randomUUID()];
    const [one, other] = [await post(ended, body), await post(kept, body)];
    await age(one, 24.01);
    await age(other, 23.99);
    const locations = async () =>
      (await t.database.query(`SELECT answer->>'location' AS path FROM idempotency_keys`)).map(
        ({ path }) => path,
      );
    const before = await locations();
    await t.app.get(EndedKeys).clear();
    expect(await locations()).toEqual(before.filter((path) => path !== one.headers.get('location')));
    expect(seen(await post(kept, body))).toEqual(seen(other));
  });

  it('is one of its user', async () => {
    const [key, body] = [randomUUID(), article()];
    const [one, other] = [
      await send('/articles', body, key),
      await send('/articles', body, key, t.as('manager')),
    ];
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body.id).not.toBe(other.body.id);
  });

  it('is the same on every device of its user', async () => {
    const [key, body] = [randomUUID(), article()];
    const phone = await t.asNewUser('two-phones', 'manager');
    const first = await send('/articles', body, key, phone);
    const other = await t.asNewUser('two-phones', 'manager');
    expect(other.token).not.toBe(phone.token);
    expect(seen(await send('/articles', body, key, other))).toEqual(seen(first));
  });

  it('is one of its route', async () => {
    const [key, body] = [randomUUID(), article()];
    const [one, other] = [await send('/articles', body, key), await send('/suppliers', body, key)];
    expect([one.headers.get('location'), other.headers.get('location')]).toEqual([
      `/api/v1/articles/${one.body.id}`,
      `/api/v1/suppliers/${other.body.id}`,
    ]);
  });

  it.each([
    ['abc', '"abc"'],
    ['a\\b', '"a\\\\b"'],
  ])('is the same with and without quotes: %s', async (bare, quoted) => {
    const body = article();
    const first = await post(bare, body);
    expect(first.status).toBe(201);
    expect(seen(await post(quoted, body))).toEqual(seen(first));
    expect(seen(await post(`\t ${bare} `, body))).toEqual(seen(first));
  });

  it('may be any string of RFC 8941, white space and escapes included', async () => {
    const ids = [];
    for (const key of ['" "', '"  "', '"\\""', '"\\\\"', '"a b"', `"${'\\"'.repeat(255)}"`]) {
      const body = article();
      const first = await post(key, body);
      expect(first.status).toBe(201);
      expect(seen(await post(key, body))).toEqual(seen(first));
      ids.push(first.body.id);
    }
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ['empty', ''],
    ['an empty string', '""'],
    ['too long', 'k'.repeat(256)],
    ['a string that is too long', `"${'k'.repeat(256)}"`],
    ['not ASCII', 'é'],
    ['a string that is not ASCII', '"é"'],
    ['after a no-break space', '\xa0k'],
    ['two words', 'a b'],
    ['an open string', '"a'],
    ['a list', 'a, b'],
    ['a string with parameters', '"a"; q=1'],
  ])('is refused when it is %s, and nothing is created', async (_, key) => {
    const made = await madeBy('/articles', async () =>
      expect(refused(await post(key))).toEqual(['Idempotency-Key']),
    );
    expect(made).toBe(0);
  });

  it('is refused when it is given twice, even if it is the same', async () => {
    const status = await new Promise((resolve, reject) => {
      const options = {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          'idempotency-key': ['k', 'k'],
        },
      };
      request(`${t.url}/api/v1/articles`, options, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end(JSON.stringify(article()));
    });
    expect(status).toBe(422);
  });

  it('goes on answering what it answered, whatever became of the row', async () => {
    const [key, body] = [randomUUID(), article()];
    const first = await post(key, body);
    const path = `/articles/${first.body.id}`;
    await admin.patch(path, { name: 'Renamed since' });
    expect(seen(await post(key, body))).toEqual(seen(first));
    await admin.delete(path);
    expect(seen(await post(key, body))).toEqual(seen(first));
    expect((await admin.get(path)).status).toBe(404);
  });

  it('repeats every kind of value as it was', async () => {
    const key = randomUUID();
    const [article, supplier] = [
      await make.article({ brand_id: (await make.brand()).id }),
      await make.supplier(),
    ];
    const body = {
      article_id: article.id,
      supplier_id: supplier.id,
      purchase_date: '2026-01-15',
      purchase_price: 9999999999.99,
      notes: '"quoted" \\ \n\t é \u{1F9D1}\u200D\u{1F52C} {"a":1}',
      serial_number: '0012',
    };
    const first = await send('/purchases', body, key);
    expect(first.body).toMatchObject(body);
    expect(seen(await send('/purchases', body, key))).toEqual(seen(first));
  });

  it('and a password are nowhere to be read in the database', async () => {
    const [key, name] = [`key-${randomUUID()}`, login()];
    const body = { login: name, name, email: `${name}@test.example`, password: SECRET, roles: [] };
    expect((await send('/users', body, key)).status).toBe(201);
    const rows = await t.database.query<{ row: string }>(`SELECT k::text AS row FROM idempotency_keys k`);
    const dump = rows.map(({ row }) => row).join('\n');
    expect(dump).toContain(name);
    for (const secret of [key, SECRET]) {
      for (const encoding of ['utf8', 'hex', 'base64'] as const)
        expect(dump).not.toContain(Buffer.from(secret).toString(encoding));
    }
  });

  it('is taken for what it is on routes that create nothing: not at all', async () => {
    const { code } = await make.purchase();
    const { id } = (await admin.post('/inventories', { year: 2026, inventory_date: '2026-11-16' })).body;
    const before = await rowsOf('/idempotency_keys');
    for (const key of ['one', '']) {
      const scan = await send(`/inventories/${id}/scan`, { code }, key);
      expect(scan.body.status).toBe(key ? 'success' : 'warning');
    }
    expect((await send(`/inventories/${id}/close`, undefined, 'one')).status).toBe(200);
    expect((await send(`/inventories/${id}/close`, undefined, 'one')).status).toBe(409);
    const credentials = { login: 'admin', password: PASSWORD };
    const logins = [await send('/login', credentials, 'one'), await send('/login', credentials, 'one')];
    expect(logins[0]!.body.token).not.toBe(logins[1]!.body.token);
    expect(await rowsOf('/idempotency_keys')).toBe(before);
  });

  it('answers nobody who has lost the right since', async () => {
    const [key, body] = [randomUUID(), article()];
    const user = await t.asNewUser('demoted', 'manager');
    expect((await send('/articles', body, key, user)).status).toBe(201);
    await admin.patch(`/users/${user.userId}`, { roles: ['viewer'] });
    expect((await send('/articles', body, key, user)).status).toBe(403);
  });
});

describe('a request that never ends', () => {
  const kill = (pids: number[]) =>
    t.database.query(`SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) pid`, [pids]);

  it.each([
    ['writes', `LOCK TABLE articles IN SHARE MODE`],
    ['commits', `SELECT pg_advisory_xact_lock(1)`],
  ])('has no effect and no key when its connection ends while it %s', async (_, lock) => {
    const [key, body] = [randomUUID(), { name: unique('Article') }];
    const before = await rowsOf('/articles');
    await atCommit('/articles', `PERFORM pg_advisory_xact_lock(1)`, async () => {
      const holder = await begin(t.database);
      await holder.query(lock);
      const first = send('/articles', body, key);
      await kill(await blocked(t.database));
      expect((await first).status).toBe(503);
      await holder.end('ROLLBACK');
    });
    expect(await rowsOf('/articles')).toBe(before);
    const second = await send('/articles', body, key);
    expect(second.status).toBe(201);
    expect(seen(await send('/articles', body, key))).toEqual(seen(second));
  });

  it('has its effect and its key when only the client has gone', async () => {
    const [key, body] = [randomUUID(), { name: unique('Article') }];
    const made = await madeBy('/articles', async () => {
      const before = await rowsOf('/articles');
      const holder = await begin(t.database);
      await holder.query(`LOCK TABLE articles IN SHARE MODE`);
      const phone = new AbortController();
      const gone = fetch(`${t.url}/api/v1/articles`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${admin.token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify(body),
        signal: phone.signal,
      });
      await blocked(t.database);
      phone.abort();
      await expect(gone).rejects.toThrow();
      await holder.end('ROLLBACK');
      await until(async () => (await rowsOf('/articles')) > before);
      const again = await send('/articles', body, key);
      expect([again.status, again.body.name]).toEqual([201, body.name]);
    });
    expect(made).toBe(1);
  });
});
