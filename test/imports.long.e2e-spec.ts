import { setTimeout as sleep } from 'node:timers/promises';
import { startApp } from './support/app.js';
import type { TestApp } from './support/app.js';
import { begin } from './support/transactions.js';

let app: TestApp;
beforeAll(async () => (app = await startApp()));
afterAll(() => app.stop());

describe('An import', () => {
  it('waits for one that takes longer than a minute', async () => {
    const other = await begin(app.database);
    await other.query(`SELECT pg_advisory_xact_lock(hashtext('imports'))`);
    const sent = { 'content-type': 'text/csv' };
    const { body } = await app.as('manager').send('POST', '/imports/brands', 'name\nPatient\n', sent);
    await sleep(65_000);
    await other.end('ROLLBACK');
    const brand = () => app.database.query(`SELECT FROM brands WHERE name = 'Patient'`);
    for (let left = 100; left > 0 && (await brand()).length === 0; left--) await sleep(50);
    expect((await app.as('manager').get(`/imports/${body.id}`)).body).toMatchObject({ status: 'done' });
  }, 90_000);
});
