import { stopAll, until } from '../support/process.js';
import { compare } from './support/compare.js';
import { smallDisk } from './support/disk.js';
import type { Disk } from './support/disk.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import type { Told } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report, seconds, tally } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-26-full-disk';

describe(DRILL, () => {
  let postgres: Postgres;
  let disk: Disk;
  let world: World;
  let service: Service;
  let admin: Phone;

  beforeAll(async () => {
    postgres = await Postgres.create({ autovacuum: 'off' }); // which gives back pages that the drill has filled
    world = await makeWorld(postgres, 3000);
    disk = await smallDisk(postgres);
    postgres.database = disk.name;
    service = await Service.start(postgres.url());
    admin = new Phone(world.admin, () => service.url);
  });
  afterEach(stopCampaigns);
  afterAll(async () => {
    admin.hangUp();
    await stopAll();
    await disk.remove();
    await postgres.remove();
  });

  const expectReady = async (status: 200 | 503) => {
    await until(async () => (await service.health('ready')) === status);
    expect(await service.health('live')).toBe(200);
  };

  let made = 0;
  const create = async (): Promise<Told & { name: string }> => {
    const name = `${++made} `.padEnd(250, 'x');
    const key = { 'Idempotency-Key': `key-${made}` };
    return { ...(await admin.send('POST', '/articles', { name }, key)), name };
  };

  /** Of those that were answered 201, all; of the others nothing: neither row nor key. */
  async function expectWhole(answers: (Told & { name: string })[]): Promise<void> {
    const names = (await postgres.query<{ name: string }>(`SELECT name FROM articles`)).map(
      ({ name }) => name,
    );
    for (const { status, name } of answers)
      expect([name, names.includes(name)]).toEqual([name, status === 201]);
    const [{ keys }] = (await postgres.query<{ keys: number }>(
      `SELECT count(*)::int AS keys FROM idempotency_keys`,
    )) as [{ keys: number }];
    expect(keys).toBe(names.length - 1); // that of the world was made without a key
  }

  it('the disk is full: 503, not ready, nothing half-written; and all is well once there is room', async () => {
    const answers = [await create()];
    expect(answers[0]!.status).toBe(201);
    await disk.fill();
    await expectReady(503);
    const isRefused = ({ status }: Told) => status === 503;
    // The pages that are there may have room for a few.
    for (let tries = 0; answers.filter(isRefused).length < 20 && tries < 3000; tries++)
      answers.push(await create());
    expect(answers.filter(isRefused)).toHaveLength(20);
    expect(answers.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    const bought: Told[] = [];
    for (let n = 0; n < 100; n++)
      bought.push(
        await admin.send('POST', '/purchases', {
          article_id: 1,
          purchase_date: '2026-02-01',
          notes: 'x'.repeat(2000),
        }),
      );
    expect(bought.filter(({ status }) => status !== 201 && status !== 503)).toEqual([]);
    const opened = await admin.send(
      'POST',
      '/inventories',
      { year: 2026, inventory_date: '2026-11-16' },
      {
        'Idempotency-Key': 'open',
      },
    );
    expect(opened.status).toBe(503);
    expect((await admin.send('GET', '/articles')).status).toBe(200);

    const campaign = new Campaign(world, world.codes.slice(0, 1500), () => service.url);
    const running = campaign.run();
    await until(() => campaign.acknowledged.length + campaign.failures.length > 400);
    expect(await service.health('ready')).toBe(503);
    expect(service.isAlive).toBe(true);

    await disk.free();
    const freed = performance.now();
    await expectReady(200);
    const ready = performance.now() - freed;
    await running;
    expect(campaign.acknowledged).toHaveLength(1500);
    expect(campaign.failures.filter((told) => !isRefused(told))).toEqual([]);
    await compare(postgres, world.session, campaign.acknowledged);
    // With the same keys: now they are created, and once.
    const again = [];
    for (const { name } of answers.filter(isRefused)) {
      const key = { 'Idempotency-Key': `key-${Number.parseInt(name)}` };
      again.push({ ...(await admin.send('POST', '/articles', { name }, key)), name });
    }
    expect(tally(again.map(({ status }) => status))).toEqual({ 201: again.length });
    await expectWhole([...answers.filter((told) => !isRefused(told)), ...again, await create()]);
    report(
      DRILL,
      `by ${disk.kind}: ${answers.filter(isRefused).length} creations, ` +
        `${bought.filter(isRefused).length} purchases and ${campaign.failures.length} scans 503, ` +
        `nothing half-written, ready ${seconds(ready)} after there is room`,
    );
  });

  it('read-only: what writes is 503, what reads goes on, not ready; and well once it writes again', async () => {
    const session = await openSession(postgres);
    const campaign = new Campaign({ ...world, session }, world.codes, () => service.url);
    const running = campaign.run();
    await until(() => campaign.acknowledged.length > 200);
    const set = async (value: 'on' | 'off') => {
      await postgres.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
      await postgres.query('SELECT pg_reload_conf()');
    };
    await set('on');
    await expectReady(503);
    await until(() => campaign.failures.length > 100);
    expect((await create()).status).toBe(503);
    expect((await admin.send('GET', '/articles')).status).toBe(200);
    expect((await admin.send('GET', `/inventories/${session}`)).status).toBe(200);
    await set('off');
    await expectReady(200);
    await running;
    expect(campaign.acknowledged).toHaveLength(world.codes.length);
    expect(campaign.failures.filter(({ status }) => status !== 503)).toEqual([]);
    await compare(postgres, session, campaign.acknowledged);
    report(DRILL, `read-only: ${campaign.failures.length} scans 503, none lost, then all recorded`);
  });
});
