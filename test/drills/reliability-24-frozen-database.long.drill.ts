import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll, until } from '../support/process.js';
import { begin, rollbackAll } from '../support/transactions.js';
import { compare } from './support/compare.js';
import { Campaign, Phone, stopCampaigns } from './support/phones.js';
import type { Told } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { Proxy } from './support/proxy.js';
import { report, seconds, tally } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld, openSession } from './support/world.js';
import type { World } from './support/world.js';

const DRILL = 'reliability-24-frozen-database';
const LIMIT_MS = 5000;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const slowest = (answers: Told[]) => Math.max(...answers.map(({ ms }) => ms));

describe(DRILL, () => {
  let postgres: Postgres;
  let proxy: Proxy;
  let world: World;
  let service: Service;
  let clients: Phone[];

  beforeAll(async () => {
    postgres = await Postgres.create();
    proxy = await Proxy.to(postgres.port);
    world = await makeWorld(postgres, 20_000);
    service = await Service.start(postgres.url(proxy.port));
    clients = numbers(30).map(() => new Phone(world.admin, () => service.url));
  });
  afterEach(async () => {
    stopCampaigns();
    proxy.release();
    await rollbackAll();
  });
  afterAll(async () => {
    clients.forEach((client) => client.hangUp());
    await stopAll();
    await proxy.close();
    await postgres.remove();
  });

  /** Opens all connections that there may be, so that whatever happens to them happens to all. */
  const warmUp = async () => {
    await Promise.all(clients.map((client, n) => client.send('GET', `/articles?search=${n}`)));
    await Promise.all(clients.map((client, n) => client.send('GET', `/scan/${world.codes[n]}`)));
  };

  let made = 0;
  /** Requests of all kinds at once: statements of their own, and transactions of TypeORM and by hand. */
  const askAll = (): Promise<Told>[] =>
    clients.map((client, n) => {
      const code = world.codes[n]!;
      switch (n % 6) {
        case 0:
          return client.send('GET', `/scan/${code}`);
        case 1:
          return client.send('POST', '/articles', { name: `article ${++made}` });
        case 2:
          return client.send('POST', '/purchases', { article_id: 1, purchase_date: '2026-02-01' });
        case 3:
          return client.send('PATCH', `/inventories/${world.session}`, { label: `label ${n}` });
        case 4:
          return client.send('GET', '/purchases?per_page=5');
        default:
          return client.scan(world.session, world.codes[n + 100]!);
      }
    });

  /** Everything works, each answer is that of its own request, and no transaction is left open. */
  async function expectRecovered(): Promise<void> {
    const answers = await Promise.all(askAll());
    expect(answers.filter(({ status }) => status > 201)).toEqual([]);
    const looked = await Promise.all(
      numbers(200).map((n) => clients[n % 30]!.send('GET', `/scan/${world.codes[n]}`)),
    );
    expect(looked.map(({ body }) => body.code)).toEqual(world.codes.slice(0, 200));
    await until(async () => (await postgres.openTransactions()).length === 0);
    expect(await service.health('ready')).toBe(200);
    await compare(postgres, world.session, []);
  }

  it('all backends frozen: 503 within 5 s, the pool recovers before they thaw, and nothing is open after', async () => {
    await warmUp();
    const frozen = await postgres.backends();
    expect(frozen.length).toBeGreaterThanOrEqual(14);
    frozen.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    try {
      const answers = await Promise.all(askAll());
      expect(tally(answers.map(({ status }) => status))).toEqual({ 503: answers.length });
      expect(slowest(answers)).toBeLessThan(LIMIT_MS);
      expect(await service.health('live')).toBe(200);
      // The frozen ones are given up: the pool has others, though none of the old ones has ended.
      const others = await Promise.all(clients.map((client) => client.send('GET', '/articles?per_page=1')));
      expect(tally(others.map(({ status }) => status))).toEqual({ 200: others.length });
      report(
        DRILL,
        `all backends frozen: 503 after ${seconds(slowest(answers))} at most, then others at once`,
      );
    } finally {
      frozen.forEach((pid) => process.kill(pid, 'SIGCONT'));
    }
    await until(async () => (await postgres.backends()).every((pid) => !frozen.includes(pid)));
    await expectRecovered();
  });

  it('frozen in the middle of traffic, locks in hand: 503 within 5 s, and what was answered is there', async () => {
    const session = await openSession(postgres);
    const campaign = new Campaign({ ...world, session }, world.codes, () => service.url);
    const running = campaign.run();
    await until(() => campaign.acknowledged.length > 500);
    const frozen = await postgres.backends();
    frozen.forEach((pid) => process.kill(pid, 'SIGSTOP'));
    await sleep(6000);
    frozen.forEach((pid) => process.kill(pid, 'SIGCONT'));
    const thawed = performance.now();
    const before = campaign.acknowledged.length;
    await until(() => campaign.acknowledged.length > before + 200);
    const back = performance.now() - thawed;
    expect(back).toBeLessThan(LIMIT_MS);
    campaign.stop();
    await running;
    expect(campaign.failures.filter(({ status }) => status !== 503)).toEqual([]);
    expect(slowest(campaign.failures)).toBeLessThan(LIMIT_MS);
    await compare(postgres, session, campaign.acknowledged);
    await expectRecovered();
    report(
      DRILL,
      `all backends frozen in the middle of scans: 503 after ${seconds(slowest(campaign.failures))} at most, ` +
        `200 scans more ${seconds(back)} after the thaw`,
    );
  });

  it('a network that swallows everything: 503 within 5 s, and well when it is back', async () => {
    await warmUp();
    const flying = askAll();
    proxy.hold();
    const first = await Promise.all(flying);
    const second = await Promise.all(askAll());
    expect(second.map(({ status }) => status)).toEqual(second.map(() => 503));
    const answers = [...first, ...second];
    expect(answers.filter(({ status }) => ![200, 201, 503].includes(status))).toEqual([]);
    expect(slowest(answers)).toBeLessThan(LIMIT_MS);
    expect(await service.health('ready')).toBe(503);
    const created = answers.filter(({ status, body }) => status === 201 && 'brand' in body);
    proxy.release();
    const back = performance.now();
    await until(async () => (await service.health('ready')) === 200);
    const ready = performance.now() - back;
    await expectRecovered();
    const names = (await postgres.query<{ name: string }>(`SELECT name FROM articles`)).map(
      ({ name }) => name,
    );
    expect(created.filter(({ body }) => !names.includes(body.name as string))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    report(
      DRILL,
      `a network that swallows all: 503 after ${seconds(slowest(answers))} at most, ` +
        `ready ${seconds(ready)} after its return`,
    );
  });

  it('a slow network: slower, and right', async () => {
    proxy.slow(50);
    const answers = await Promise.all(askAll());
    expect(answers.filter(({ status }) => status > 201)).toEqual([]);
    proxy.slow(0);
    proxy.cut(); // so that nothing overtakes what is under way
    await until(async () => (await service.health('ready')) === 200);
    await expectRecovered();
  });

  it('a lock held too long, by which the pool is full: 503 within 5 s for all, and well again', async () => {
    const holder = await begin({ url: postgres.url() });
    await holder.query(`SELECT FROM articles WHERE id = 1 FOR UPDATE`);
    const patches = clients.map((client) => client.send('PATCH', '/articles/1', { name: 'held' }));
    await until(
      async () =>
        (await postgres.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length >= 10,
    );
    const phones = world.phones.map((token) => new Phone(token, () => service.url));
    const scans = await Promise.all(phones.map((phone, n) => phone.scan(world.session, world.codes[n]!)));
    expect(await service.health('ready')).toBe(200); // a full pool is no lost database
    const answers = [...(await Promise.all(patches)), ...scans];
    phones.forEach((phone) => phone.hangUp());
    expect(tally((await Promise.all(patches)).map(({ status }) => status))).toEqual({ 503: patches.length });
    expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
    expect(slowest(answers)).toBeLessThan(LIMIT_MS);
    report(DRILL, `a lock held too long and a full pool: 503 after ${seconds(slowest(answers))} at most`);
    await holder.end('ROLLBACK');
    expect(await postgres.query(`SELECT FROM articles WHERE name = 'held'`)).toEqual([]);
    await expectRecovered();
  });

  it('a locked table, with a hundred and more behind it: 503 within 5 s for all, and well again', async () => {
    const phones = numbers(120).map(() => new Phone(world.admin, () => service.url));
    const look = () => Promise.all(phones.map((phone) => phone.send('GET', `/scan/${world.codes[0]}`)));
    await look(); // prepares it, or only the first of each connection would wait
    const holder = await begin({ url: postgres.url() });
    await holder.query(`LOCK TABLE purchases`);
    const answers = await look();
    expect(tally(answers.map(({ status }) => status))).toEqual({ 503: phones.length });
    expect(slowest(answers)).toBeLessThan(LIMIT_MS);
    report(
      DRILL,
      `a locked table, ${phones.length} behind it: 503 after ${seconds(slowest(answers))} at most`,
    );
    phones.forEach((phone) => phone.hangUp());
    await holder.end('ROLLBACK');
    await expectRecovered();
  });
});
