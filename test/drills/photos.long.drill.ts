import { createHash, randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { freePort } from '../../src/database/embedded/free-port.js';
import { Client } from '../support/client.js';
import { stopAll, temporaryFolder, until } from '../support/process.js';
import { upload } from '../support/upload.js';
import { Postgres } from './support/postgres.js';
import { report, tally } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld } from './support/world.js';
import type { World } from './support/world.js';

const PHONES = 6;
const PHOTOS = 240;
const KILLS = [40, 100, 160];

describe('photos', () => {
  const data = temporaryFolder();
  let postgres: Postgres;
  let world: World;
  let service: Service;
  let port: string;

  const start = async () => {
    service = await Service.start(postgres.url(), { PORT: port, DATA_DIR: data.path });
  };
  beforeAll(async () => {
    postgres = await Postgres.create();
    world = await makeWorld(postgres, 10);
    port = String(await freePort());
    await start();
  });
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
    data.remove();
  });

  const photo = (width: number, height: number, sigma = 30) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: 'gray',
        noise: { type: 'gaussian', mean: 128, sigma },
      },
    })
      .jpeg({ quality: 85 })
      .toBuffer();
  const send = (file: Buffer, key: string) =>
    upload(new Client(`http://127.0.0.1:${port}`, world.admin), '/purchases/1/attachments', file, {
      headers: { 'idempotency-key': key },
    });
  const filesOf = () =>
    readdirSync(join(data.path, 'files'), { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );

  it('the service killed amid uploads: every answered one is there, once and whole, and nothing is half written', async () => {
    const answered: number[] = [];
    const failures: string[] = [];
    let next = 0;
    const phone = async () => {
      while (next++ < PHOTOS) {
        const [file, key] = [await photo(600, 400), randomUUID()];
        for (let isThere = false; !isThere;) {
          const answer = await send(file, key).catch(() => null);
          isThere = answer?.status === 201;
          if (isThere) answered.push(answer!.body.id as number);
          else failures.push(String(answer?.status ?? 'no answer'));
          if (!isThere) await new Promise((resolve) => setTimeout(resolve, 100));
        }
      }
    };
    const phones = Array.from({ length: PHONES }, phone);
    for (const count of KILLS) {
      await until(() => answered.length >= count, 60_000);
      await service.stop('SIGKILL');
      await start();
    }
    await Promise.all(phones);

    expect(new Set(answered).size).toBe(PHOTOS);
    const rows = await postgres.query<{ id: number; sha256: string; size: number }>(
      `SELECT id, sha256, size FROM attachments ORDER BY id`,
    );
    expect(rows.map(({ id }) => id)).toEqual(answered.toSorted((a, b) => a - b));
    const whole = new Map<string, number>();
    for (const { parentPath, name } of filesOf()) {
      if (parentPath.endsWith('/unfinished')) continue;
      const content = readFileSync(join(parentPath, name));
      expect(createHash('sha256').update(content).digest('hex')).toBe(name);
      whole.set(name, content.length);
    }
    for (const { sha256, size } of rows) expect([sha256, whole.get(sha256)]).toEqual([sha256, size]);
    report(
      'photos',
      `killed ${KILLS.length} times in ${PHOTOS} uploads: none lost, none twice, none half written; ` +
        `${whole.size - rows.length} files without a row, ${JSON.stringify(tally(failures))} sent again`,
    );
  });

  it('fifty photos of 12 million pixels at once: memory stays, and who has to wait too long is told', async () => {
    const rss = () =>
      Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${service.process.child.pid}/status`, 'utf8'))![1]);
    const file = await photo(4000, 3000, 8);
    await send(file, randomUUID());
    const before = rss();
    const since = performance.now();
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(file, randomUUID())));
    const statuses = tally(answers.map(({ status }) => String(status)));
    const seconds = (performance.now() - since) / 1000;
    const grown = Math.round((rss() - before) / 1024);
    report('photos', `50 of ${(file.length / 1e6).toFixed(1)} MB at once, in ${seconds.toFixed(1)} s: ${JSON.stringify(statuses)}, at most ${grown} MB more than with one`); // prettier-ignore
    expect(Object.keys(statuses).filter((status) => !['201', '503'].includes(status))).toEqual([]);
    expect(statuses['201']).toBeGreaterThan(10);
    expect(grown).toBeLessThan(500);
  });
});
