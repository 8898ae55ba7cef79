import { createClient, unwrap } from '../clients/typescript/src/index.js';
import type { RecenseClient } from '../clients/typescript/src/index.js';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { factories } from './support/factories.js';
import { WORD, startTomorrow } from './support/tomorrow.js';

/** What the clients of other languages do with them: test/clients. */
describe('The TypeScript client of today, with words of tomorrow,', () => {
  let app: TestApp;
  let tomorrow: Awaited<ReturnType<typeof startTomorrow>>;
  let client: RecenseClient;

  beforeAll(async () => {
    app = await startApp();
    tomorrow = await startTomorrow(app.url);
    client = createClient({ baseUrl: tomorrow.url, token: app.as('manager').token! });
  });
  afterAll(async () => {
    await tomorrow.stop();
    await app.stop();
  });

  it('takes an unknown reason, and goes by the status', async () => {
    const { code } = await factories(app).purchase();
    const body = { year: 2026, inventory_date: '2026-11-16' };
    const { id } = await unwrap(client.POST('/api/v1/inventories', { body }));
    const scan = () =>
      unwrap(client.POST('/api/v1/inventories/{id}/scan', { params: { path: { id } }, body: { code } }));
    expect(await scan()).toMatchObject({ status: 'success', reason: WORD, message: WORD, code });
    expect(await scan()).toMatchObject({ status: 'warning', reason: WORD, message: WORD, code });
  });

  it('takes an unknown permission beside those that it knows', async () => {
    const { permissions } = await unwrap(client.GET('/api/v1/me'));
    expect(permissions).toEqual(expect.arrayContaining(['inventories.scan', WORD]));
  });

  it('takes an unknown type of problem, and goes by the HTTP status', async () => {
    const params = { path: { id: 2147483647 } };
    const { data, error, response } = await client.GET('/api/v1/purchases/{id}', { params });
    expect([data, response.status, error?.status, error?.type]).toEqual([undefined, 404, 404, WORD]);
  });

  it('takes an unknown type of third party, and an unknown state of equipment', async () => {
    await factories(app).tier({ name: 'Cozic' });
    await factories(app).equipment({ name: 'Groupe' });
    expect((await unwrap(client.GET('/api/v1/tiers'))).data[0]).toMatchObject({ type: WORD, name: 'Cozic' });
    const [equipment] = (await unwrap(client.GET('/api/v1/equipments'))).data;
    expect(equipment).toMatchObject({ status: WORD, name: 'Groupe' });
  });
});
