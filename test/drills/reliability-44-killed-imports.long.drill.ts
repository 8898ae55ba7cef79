import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../src/database/embedded/free-port.js';
import { stopAll, until } from '../support/process.js';
import { Phone } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld } from './support/world.js';

const DRILL = 'reliability-44-killed-imports';
const ROWS = 40_000;
/** After so many rows were checked, or written. */
const KILLS = [
  ['checked', 0],
  ['checked', 5000],
  ['checked', 30_000],
  ['inserted', 1],
  ['inserted', 20_000],
] as const;

interface Progress {
  status: string;
  rows: Record<'checked' | 'inserted', number>;
}

describe(DRILL, () => {
  let postgres: Postgres;
  let service: Service;
  let admin: Phone;
  let token: string;
  let port: number;

  const startService = async () => {
    service = await Service.start(postgres.url(), { PORT: String(port) });
  };

  beforeAll(async () => {
    postgres = await Postgres.create();
    ({ admin: token } = await makeWorld(postgres, 10));
    await postgres.query(`UPDATE articles SET reference = 'VP-1'`);
    port = await freePort();
    await startService();
    admin = new Phone(token, () => service.url);
  });
  afterAll(async () => {
    admin.hangUp();
    await stopAll();
    await postgres.remove();
  });

  const fileOf = (name: string) =>
    ['code,article,purchase_date']
      .concat(Array.from({ length: ROWS }, (_, n) => `${name}-${n},VP-1,2026-02-01`))
      .join('\n');
  const send = async (name: string): Promise<number> => {
    const answer = await fetch(`${service.url}/api/v1/imports/purchases`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'text/csv' },
      body: fileOf(name),
    });
    expect(answer.status).toBe(202);
    return ((await answer.json()) as { id: number }).id;
  };
  const progress = async (id: number) =>
    (await admin.send('GET', `/imports/${id}`)).body as unknown as Progress;
  /** How many purchases there are of a file, and codes of them. */
  const written = async (name: string) =>
    Object.values(
      (
        await postgres.query<{ purchases: number; codes: number }>(
          `SELECT count(DISTINCT p.id)::int AS purchases, count(c.code_key)::int AS codes
           FROM purchases p LEFT JOIN purchase_codes c ON c.purchase_id = p.id WHERE p.code LIKE $1 || '-%'`,
          [name],
        )
      )[0]!,
    );

  it.each(KILLS)(
    '%s of %i rows: nothing is written and the import failed, or all of it is done',
    async (what, count) => {
      const name = `${what}${count}`;
      const id = await send(name);
      await until(async () => (await progress(id)).rows[what] >= count, 60_000);
      const { status } = await progress(id);
      await service.stop('SIGKILL');
      await startService();
      // The last moment may have been after the commit.
      const isDone = (await progress(id)).status === 'done';
      if (!isDone) expect((await progress(id)).status).toBe('failed');
      expect(await written(name)).toEqual(isDone ? [ROWS, ROWS] : [0, 0]);
      report(DRILL, `killed after ${count} were ${what} (${status}): ${isDone ? 'all' : 'nothing'} written`);
    },
  );

  it('in the middle of the upload: there is no import', async () => {
    const imports = async () => (await admin.send('GET', '/imports')).body.total;
    const before = await imports();
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined); // the service is killed
    await once(socket, 'connect');
    const body = fileOf('half');
    socket.write(
      `POST /api/v1/imports/purchases HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n` +
        `Content-Type: text/csv\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, body.length / 2)}`,
    );
    await sleep(500);
    await service.stop('SIGKILL');
    await startService();
    expect([await imports(), await written('half')]).toEqual([before, [0, 0]]);
  });

  it('sent again, it goes in as a whole', async () => {
    const id = await send('checked0');
    await until(async () => (await progress(id)).status === 'done', 60_000);
    expect(await written('checked0')).toEqual([ROWS, ROWS]);
  });
});
