import { PASSWORD, PASSWORD_HASH, startApp } from '../support/app.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { stopAll } from '../support/process.js';
import { Bystanders } from './support/bystanders.js';
import { report } from './support/report.js';

const DRILL = 'reliability-08-logins-at-once';
const LOGINS = 100;
const WAVES = 5;

describe(DRILL, () => {
  let test: TestApp;
  let bystanders: Bystanders;

  beforeAll(async () => {
    test = await startApp();
    bystanders = await Bystanders.start(test);
    await test.database.query(
      `INSERT INTO users (name, login, email, password_hash)
       SELECT 'Person ' || n, 'person' || n, 'person' || n || '@test.example', $1 FROM generate_series(0, $2 - 1) n`,
      [PASSWORD_HASH, LOGINS],
    );
  });
  afterAll(async () => {
    await stopAll();
    await test.stop();
  });

  it(`${LOGINS} logins at once do not hold up those who scan`, async () => {
    const anonymous = new Client(bystanders.url);
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
    const looks = await bystanders.during(logins);
    expect(Object.keys(outcomes).filter((status) => !['200', '401', '503'].includes(status))).toEqual([]);
    expect(looks.statuses).toEqual([200]);
    expect(looks.count).toBeGreaterThan(WAVES * LOGINS); // else they were served behind the logins
    report(
      DRILL,
      `${WAVES} times ${LOGINS} logins at once: ${JSON.stringify(outcomes)}; ${looks.count} look-ups, p99 ${looks.p99} ms`,
    );
  }, 120_000);
});
