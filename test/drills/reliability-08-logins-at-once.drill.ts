import { PASSWORD, PASSWORD_HASH, startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { factories } from '../support/factories.js';
import { latencyDuring } from '../support/latency.js';
import { RunningProcess, stopAll } from '../support/process.js';

const LOGINS = 100;
const PHONES = 10;
const WAVES = 5;

describe('reliability-08-logins-at-once', () => {
  let test: TestApp;
  let url: string;
  let phones: Client[];
  let code: string;

  beforeAll(async () => {
    test = await startApp();
    code = (await factories(test).purchase()).code;
    await test.database.query(
      `INSERT INTO users (name, login, email, password_hash)
       SELECT 'Person ' || n, 'person' || n, 'person' || n || '@test.example', $1 FROM generate_series(0, $2 - 1) n`,
      [PASSWORD_HASH, LOGINS],
    );
    url = await new RunningProcess('main', [], { DATABASE_URL: test.database.url }).url();
    const names = Array.from({ length: PHONES }, (_, n) => `phone${n}`);
    const clients = await Promise.all(names.map((name) => test.asNewUser(name, 'operator')));
    phones = clients.map(({ token }) => new Client(url, token));
  });
  afterAll(async () => {
    await stopAll();
    await test.stop();
  });

  it(`${LOGINS} logins at once leave the p99 of /scan under 500 ms`, async () => {
    const anonymous = new Client(url);
    const outcomes: Record<number, number> = {};
    const login = async (n: number): Promise<void> => {
      const body = { login: `person${n}`, password: n % 2 ? PASSWORD : 'not the password' };
      const { status, headers } = await anonymous.post('/login', body);
      outcomes[status] = (outcomes[status] ?? 0) + 1;
      if (status === 503) expect(headers.get('retry-after')).toBe('1');
    };
    const logins = async () => {
      for (let wave = 0; wave < WAVES; wave++)
        await Promise.all(Array.from({ length: LOGINS }, (_, n) => login(n)));
    };
    const latency = await latencyDuring(logins, PHONES, (n) => phones[n]!.get(`/scan/${code}`));
    process.stdout.write(`Logins: ${JSON.stringify(outcomes)}; /scan: ${JSON.stringify(latency)}\n`);
    expect(Object.keys(outcomes).filter((status) => !['200', '401', '503'].includes(status))).toEqual([]);
    expect(latency.statuses).toEqual([200]);
    expect(latency.p99).toBeLessThan(500);
  }, 120_000);
});
