import { jest } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './support/client.js';
import { freePort } from '../src/database/embedded/free-port.js';
import { START_LIMIT } from '../src/database/embedded/server.js';
import { createTestDatabase } from './support/database.js';
import { RunningProcess, stopAll, temporaryFolder, until } from './support/process.js';

jest.setTimeout(120_000); // what starts many processes takes long on a busy machine

describe('On an embedded database', () => {
  const folder = temporaryFolder();
  const env = { DATA_DIR: folder.path };

  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it('a request that never ends does not keep PostgreSQL from ending in good order', async () => {
    const service = new RunningProcess('main', [], env);
    const [, credentials] = await service.says(/-d '(\{.*\})'/);
    const { body } = await new Client(await service.url()).post('/login', JSON.parse(credentials!));
    const phone = connect(Number(new URL(await service.url()).port), '127.0.0.1');
    phone.on('error', () => undefined);
    phone.write('POST /api/v1/brands HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    phone.write(`Authorization: Bearer ${body.token}\r\nContent-Length: 100\r\n\r\n{`);
    await sleep(500); // it is being read
    expect(await service.signal('SIGTERM')).toBe(0);
    expect(readFileSync(join(folder.path, 'postgres.log'), 'utf8')).toMatch(
      /checkpoint complete[^\n]*\n[^\n]*database system is shut down\n$/,
    );
  });

  it('two instances on data of their own do not get in each other’s way', async () => {
    const other = temporaryFolder();
    const both = [env, { DATA_DIR: other.path }].map((settings) => new RunningProcess('main', [], settings));
    const urls = await Promise.all(both.map((instance) => instance.url()));
    for (const url of urls) expect((await new Client(url).get('//health/ready')).status).toBe(200);
    for (const instance of both) expect(await instance.signal('SIGTERM')).toBe(0);
    other.remove();
  });
});

it('a request that is broken off at the end of a shutdown has its log line', async () => {
  const database = await createTestDatabase();
  const service = new RunningProcess('main', [], { DATABASE_URL: database.url, LOG_LEVEL: 'info' });
  const phone = connect(Number(new URL(await service.url()).port), '127.0.0.1');
  phone.on('error', () => undefined);
  phone.write('POST /api/v1/login HTTP/1.1\r\nHost: x\r\nX-Request-Id: broken-off\r\n');
  phone.write('Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{');
  await sleep(500); // it is being read
  expect(await service.signal('SIGTERM')).toBe(0);
  const line = service.output.split('\n').find((one) => one.includes('"broken-off"'));
  expect(JSON.parse(line ?? '{}')).toMatchObject({ route: '/api/v1/login', status: 499 });
  await database.drop();
});

it('a log on a disk that is full: the service goes on without', async () => {
  if (!existsSync('/dev/full')) return; // only Linux has one that always is
  const database = await createTestDatabase();
  const port = await freePort();
  const env = { DATABASE_URL: database.url, PORT: String(port), LOG_LEVEL: 'info' };
  const script = `exec "${process.execPath}" dist/main.js > /dev/full 2> /dev/full`;
  const service = new RunningProcess('sh', ['-c', script], env);
  const client = new Client(`http://127.0.0.1:${port}`);
  const isReady = () =>
    client.get('//health/ready').then(
      ({ status }) => status === 200,
      () => false,
    );
  await until(isReady, START_LIMIT);
  for (let n = 0; n < 2000; n++) expect((await client.get('/me')).status).toBe(401);
  expect(await isReady()).toBe(true);
  expect(await service.signal('SIGTERM')).toBe(0);
  await database.drop();
});
