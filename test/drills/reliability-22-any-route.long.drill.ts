import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { hashSecret, makeSecret } from '../../src/auth/token.js';
import { loadEnv } from '../../src/config/env.js';
import { loadDemo } from '../../src/demo/load.js';
import { operationsOf, requests, targetOf } from '../support/fuzz-requests.js';
import type { FuzzRequest } from '../support/fuzz-requests.js';
import { sendRequest } from '../support/fuzz-send.js';
import { stopAll, temporaryFolder } from '../support/process.js';
import { Postgres } from './support/postgres.js';
import { Proxy } from './support/proxy.js';
import { report, tally } from './support/report.js';
import { Service } from './support/service.js';

const DRILL = 'reliability-22-any-route';
const STORM_MS = 60_000;
const SENDERS = 12;
/** Of a hundred requests so many are left by who has sent them, before that time at the latest. */
const LEFT = { percent: 15, ms: 60 };

/** What may take the token or the permissions away from who asks. */
const HARMFUL = /^(logout|revokeMyToken|changeMyPassword|(update|delete)(User|Role))$/;

describe(DRILL, () => {
  const folder = temporaryFolder();
  const agent = new Agent({ keepAlive: true });
  let postgres: Postgres;
  let proxy: Proxy;
  let service: Service;
  let token: string;
  let made: fc.Arbitrary<FuzzRequest>;

  beforeAll(async () => {
    postgres = await Postgres.create();
    proxy = await Proxy.to(postgres.port);
    await loadDemo(postgres.url(), loadEnv({ DATA_DIR: folder.path }));
    const secret = makeSecret();
    const [{ id }] = (await postgres.query<{ id: number }>(
      `INSERT INTO access_tokens (user_id, secret_hash)
       SELECT user_id, $1 FROM user_roles JOIN roles ON roles.id = role_id WHERE roles.name = 'admin' LIMIT 1 RETURNING id`,
      [hashSecret(secret)],
    )) as [{ id: number }];
    token = `${id}|${secret}`;
    const codes = await postgres.query<{ code: string }>(`SELECT code FROM purchases ORDER BY id LIMIT 50`);
    const operations = operationsOf(JSON.parse(readFileSync('openapi.json', 'utf8')));
    made = requests(
      operations.filter(({ id }) => !HARMFUL.test(id)),
      {
        code: codes.map(({ code }) => code),
        year: [2025, 2026],
        format: ['csv', 'xlsx', 'pdf'],
        cursor: [''],
      },
    );
    service = await Service.start(postgres.url(proxy.port), { DATA_DIR: folder.path });
  });
  afterAll(async () => {
    agent.destroy();
    await stopAll();
    await proxy.close();
    await postgres.remove();
    folder.remove();
  });

  const terminate = (many = '') =>
    postgres.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'recense' ORDER BY random() ${many}`,
    );
  const freeze = async () => {
    proxy.hold();
    await sleep(Math.random() * 300);
    proxy.release();
  };
  const faults = [terminate, () => terminate('LIMIT 2'), () => Promise.resolve(proxy.cut()), freeze];

  it('while connections to the database break and phones go away, it lives, and fails with 503 alone', async () => {
    const told: (number | 'left' | 'broke off')[] = [];
    const failed: string[] = [];
    const end = performance.now() + STORM_MS;
    const isOver = () => performance.now() > end || !service.isAlive;

    const send = async (request: FuzzRequest): Promise<void> => {
      const leaves = Math.random() * 100 < LEFT.percent;
      const signal = AbortSignal.timeout(leaves ? Math.ceil(Math.random() * LEFT.ms) : 30_000);
      try {
        const { status, text } = await sendRequest(service.url, request, { token, agent, signal });
        told.push(status);
        if (status >= 500 && status !== 503)
          failed.push(`${request.operation.method} ${targetOf(request)}: ${status} ${text}`);
      } catch {
        told.push(leaves ? 'left' : 'broke off');
      }
    };
    const sender = async (): Promise<void> => {
      while (!isOver()) for (const request of fc.sample(made, 20)) if (!isOver()) await send(request);
    };
    const storm = async (): Promise<void> => {
      while (!isOver()) {
        await sleep(20 + Math.random() * 250);
        await faults[Math.floor(Math.random() * faults.length)]!();
      }
    };
    await Promise.all([...Array.from({ length: SENDERS }, sender), storm()]);

    expect(service.process.errors).toBe(''); // it says here what it dies of
    expect(service.isAlive).toBe(true);
    expect(failed).toEqual([]);
    expect(told).toContain(200);
    expect(told).toContain(503);
    expect(await service.health('ready')).toBe(200);
    report(DRILL, `${told.length} requests of any kind in a minute: ${JSON.stringify(tally(told))}`);
  });
});
