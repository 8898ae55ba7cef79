import { randomUUID } from 'node:crypto';
import { ApiError, createClient, pages, unwrap } from '../clients/typescript/src/index.js';
import type {
  ArticleDto,
  CreatePurchaseDto,
  InventoryDto,
  PurchaseDto,
  RecenseClient,
  ScanResultDto,
} from '../clients/typescript/src/index.js';
import { PASSWORD, startApp } from './support/app.js';
import type { TestApp } from './support/app.js';

/** The inventory of 2026, from the first login to the last logout. Each step goes on from the one before. */
describe('A campaign through the TypeScript client', () => {
  let app: TestApp;
  let office: RecenseClient;
  let phone: RecenseClient;
  let otherPhone: RecenseClient;
  let article: ArticleDto;
  let purchases: PurchaseDto[];
  let session: InventoryDto;

  beforeAll(async () => {
    app = await startApp();
    await app.asNewUser('maelle', 'manager');
    await app.asNewUser('erwan', 'operator');
    await app.asNewUser('nolwenn', 'operator');
    [office, phone, otherPhone] = [connect(), connect(), connect()];
  });
  afterAll(() => app.stop());

  const connect = () => createClient({ baseUrl: app.url });

  async function logIn(client: RecenseClient, login: string, device_name: string): Promise<void> {
    const body = { login, password: PASSWORD, device_name };
    client.token = (await unwrap(client.POST('/api/v1/login', { body }))).token;
  }

  const scan = (client: RecenseClient, code: string): Promise<ScanResultDto> =>
    unwrap(
      client.POST('/api/v1/inventories/{id}/scan', { params: { path: { id: session.id } }, body: { code } }),
    );

  const read = (): Promise<InventoryDto> =>
    unwrap(office.GET('/api/v1/inventories/{id}', { params: { path: { id: session.id } } }));

  it('logs everyone in', async () => {
    const { error, response } = await office.GET('/api/v1/me');
    expect([response.status, error?.type]).toEqual([401, '/problems/unauthenticated']);
    await logIn(office, 'maelle', 'Office');
    await logIn(phone, 'erwan', 'Pixel 9');
    await logIn(otherPhone, 'nolwenn@test.example', 'iPhone 17');
    expect(await unwrap(phone.GET('/api/v1/me'))).toMatchObject({ name: 'User erwan', roles: ['operator'] });
  });

  it('goes on with a token from before', async () => {
    const again = createClient({ baseUrl: `${app.url}/`, token: phone.token });
    const devices = await unwrap(again.GET('/api/v1/me/tokens'));
    expect(devices.data.find((device) => device.is_current)?.device_name).toBe('Pixel 9');
  });

  it('buys what is to be counted', async () => {
    const supplier = await unwrap(office.POST('/api/v1/suppliers', { body: { name: 'Ty Réseau' } }));
    article = await unwrap(office.POST('/api/v1/articles', { body: { name: 'Portable 14"' } }));
    const buy = (fields: Partial<CreatePurchaseDto>): Promise<PurchaseDto> => {
      const body = {
        article_id: article.id,
        purchase_date: '2026-01-15',
        supplier_id: supplier.id,
        ...fields,
      };
      return unwrap(office.POST('/api/v1/purchases', { body }));
    };
    purchases = [await buy({ code: 'LAPTOP-1', purchase_price: 1161.71 })];
    for (let count = 1; count < 7; count++) purchases.push(await buy({}));
    expect(purchases[0]).toMatchObject({
      code: 'LAPTOP-1',
      supplier: { id: supplier.id, name: 'Ty Réseau' },
    });
  });

  it('hears what is wrong with a purchase, field by field', async () => {
    const body: CreatePurchaseDto = { article_id: article.id, purchase_date: '2026-02-30', code: 'laptop-1' };
    const { data, error, response } = await office.POST('/api/v1/purchases', { body });
    expect([data, response.status, error?.type]).toEqual([undefined, 422, '/problems/validation-failed']);
    expect(error?.errors).toEqual({ purchase_date: [expect.any(String)] });
    expect(error?.request_id).toBe(response.headers.get('X-Request-Id'));
  });

  it('throws the problem where only the data is asked for', async () => {
    const nothing = unwrap(phone.GET('/api/v1/scan/{code}', { params: { path: { code: 'A/B C?' } } }));
    await expect(nothing).rejects.toThrow(ApiError);
    const error: unknown = await nothing.catch((thrown: unknown) => thrown);
    if (!(error instanceof ApiError)) throw error;
    expect(error.response.status).toBe(404);
    expect(error.problem?.type).toBe('/problems/not-found');
    expect(error.message).toBe(error.problem?.detail);
  });

  it('opens a session, which a phone may not', async () => {
    const body = { year: 2026, inventory_date: '2026-11-16' };
    const { error } = await phone.POST('/api/v1/inventories', { body });
    expect(error?.type).toBe('/problems/forbidden');
    session = await unwrap(office.POST('/api/v1/inventories', { body }));
    expect(session).toMatchObject({ status: 'open', progress: { scanned: 0, total: 7, percentage: 0 } });
  });

  it('scans with two phones', async () => {
    const first = await scan(phone, ']C1LAPTOP-1\r\n');
    expect([first.status, first.message]).toEqual(['success', 'Article ajouté']);
    expect(first.purchase?.article).toEqual({ id: article.id, name: 'Portable 14"' });

    const second = await scan(otherPhone, 'laptop-1');
    expect([second.status, second.message]).toEqual(['warning', 'Déjà scanné']);
    expect(second.first_scan).toMatchObject({ at: first.scanned_at, by: { name: 'User erwan' } });

    const third = await scan(otherPhone, 'nonsense');
    expect([third.status, third.message, third.purchase]).toEqual(['error', 'Code inconnu', null]);

    expect((await scan(otherPhone, purchases[1]!.code)).status).toBe('success');
  });

  it('knows how far it is', async () => {
    expect((await read()).progress).toEqual({ scanned: 2, total: 7, percentage: 28.57 });
    const scans = await unwrap(
      office.GET('/api/v1/inventories/{id}/scans', { params: { path: { id: session.id } } }),
    );
    expect(scans.data.map((row) => [row.scanned_by.name, row.purchase.code])).toEqual([
      ['User erwan', 'LAPTOP-1'],
      ['User nolwenn', purchases[1]!.code],
    ]);
  });

  it('reads what is missing, page by page to the end', async () => {
    const sizes: number[] = [];
    const missing: number[] = [];
    const unscanned = pages((cursor) =>
      office.GET('/api/v1/inventories/{id}/unscanned', {
        params: { path: { id: session.id }, query: { cursor, per_page: 2 } },
      }),
    );
    for await (const page of unscanned) {
      sizes.push(page.data.length);
      missing.push(...page.data.map((purchase) => purchase.id));
    }
    expect(sizes).toEqual([2, 2, 1]);
    expect(missing).toEqual(purchases.slice(2).map((purchase) => purchase.id));
  });

  it('throws where a page is refused', async () => {
    const refused = pages((cursor) =>
      office.GET('/api/v1/purchases', { params: { query: { cursor, per_page: 1000 } } }),
    );
    const first = refused.next();
    await expect(first).rejects.toThrow(ApiError);
    await expect(first).rejects.toMatchObject({ problem: { errors: { per_page: [expect.any(String)] } } });
  });

  it('tells an answer of the service from one of a proxy in front of it', async () => {
    const badGateway = () => Promise.resolve(new Response('<h1>Bad gateway</h1>', { status: 502 }));
    const behindProxy = createClient({ baseUrl: app.url, fetch: badGateway });
    const me = unwrap(behindProxy.GET('/api/v1/me'));
    await expect(me).rejects.toMatchObject({ name: 'ApiError', problem: undefined, message: 'HTTP 502' });
  });

  it('creates once, however often the phone has to send it', async () => {
    const body: CreatePurchaseDto = { article_id: article.id, purchase_date: '2026-10-15', code: 'ONCE' };
    const params = { header: { 'Idempotency-Key': randomUUID() } };
    const first = await unwrap(office.POST('/api/v1/purchases', { params, body }));
    expect(await unwrap(office.POST('/api/v1/purchases', { params, body }))).toEqual(first);
    const other = await office.POST('/api/v1/purchases', { params, body: { ...body, code: 'TWICE' } });
    expect(other.error?.errors).toEqual({ 'Idempotency-Key': [expect.any(String)] });
  });

  it('does not overwrite what somebody else has changed meanwhile', async () => {
    const path = { id: article.id };
    const get = (headers: Record<string, string> = {}) =>
      office.GET('/api/v1/articles/{id}', { params: { path }, headers });
    const rename = (name: string, tag: string) =>
      office.PATCH('/api/v1/articles/{id}', {
        params: { path, header: { 'If-Match': tag } },
        body: { name },
      });
    const tag = (await get()).response.headers.get('ETag')!;
    expect((await get({ 'If-None-Match': tag })).response.status).toBe(304);
    expect((await rename('Portable 15"', tag)).data?.name).toBe('Portable 15"');
    expect((await rename('Portable 16"', tag)).error?.type).toBe('/problems/stale');
    expect((await get({ 'If-None-Match': tag })).data?.name).toBe('Portable 15"');
  });

  it('holds what is missing offline, and catches up in one short request', async () => {
    const held = new Map<number, PurchaseDto>();
    let synced_until = '2000-01-01T00:00:00Z';
    const catchUp = async (): Promise<number> => {
      let received = 0;
      const changes = pages((cursor) =>
        phone.GET('/api/v1/inventories/{id}/unscanned', {
          params: {
            path: { id: session.id },
            query: { cursor, updated_since: synced_until, include_deleted: true },
          },
        }),
      );
      for await (const { data, deleted, meta } of changes) {
        for (const purchase of data) held.set(purchase.id, purchase);
        for (const gone of deleted ?? []) held.delete(gone.id);
        synced_until = meta.synced_until!;
        received += data.length + (deleted?.length ?? 0);
      }
      return received;
    };
    await catchUp();
    const codes = () => [...held.values()].map((purchase) => purchase.code).sort();
    expect(codes()).toEqual([...purchases.slice(2).map((purchase) => purchase.code), 'ONCE'].sort());
    await scan(otherPhone, 'ONCE');
    expect(await catchUp()).toBe(1);
    expect(codes()).toEqual(
      purchases
        .slice(2)
        .map((purchase) => purchase.code)
        .sort(),
    );
  });

  it('closes the session; a scan comes too late then', async () => {
    const path = { id: session.id };
    const closed = await unwrap(office.POST('/api/v1/inventories/{id}/close', { params: { path } }));
    expect(closed).toMatchObject({ status: 'closed', closed_by: { name: 'User maelle' } });

    const late = await scan(phone, purchases[2]!.code);
    expect([late.status, late.message]).toEqual(['error', 'Inventaire clôturé']);
    expect((await read()).progress).toEqual(closed.progress);

    const { error } = await office.POST('/api/v1/inventories/{id}/close', { params: { path } });
    expect([error?.status, error?.type]).toEqual([409, '/problems/session-closed']);
  });

  it('logs out', async () => {
    expect(await unwrap(phone.POST('/api/v1/logout'))).toEqual({ revoked: true });
    expect((await phone.GET('/api/v1/me')).response.status).toBe(401);
    phone.token = undefined;
    await logIn(phone, 'erwan', 'Pixel 9');
    expect((await phone.GET('/api/v1/me')).response.status).toBe(200);
  });
});
