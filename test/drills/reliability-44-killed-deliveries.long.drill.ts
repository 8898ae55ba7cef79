import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopAll, until } from '../support/process.js';
import { Phone } from './support/phones.js';
import { Postgres } from './support/postgres.js';
import { report } from './support/report.js';
import { Service } from './support/service.js';
import { makeWorld } from './support/world.js';

const DRILL = 'reliability-44-killed-deliveries';
const PURCHASES = 20;
const KILLS = 10;
/** Of what a killed process was sending, before another sends it. */
const LEASE_MS = 120_000;

describe(DRILL, () => {
  let postgres: Postgres;
  let service: Service;
  let receiver: Server;
  /** The notes of each purchase, in the order in which they were told. */
  const told = new Map<number, string[]>();

  const startService = async () => {
    service = await Service.start(postgres.url(), { WEBHOOK_ALLOW: '127.0.0.0/8' });
  };

  beforeAll(async () => {
    postgres = await Postgres.create();
    receiver = createServer((request, response) => {
      let text = '';
      request.on('data', (data: Buffer) => (text += data.toString()));
      request.on('end', () => {
        const { data } = JSON.parse(text) as { data: { id: number; notes: string } };
        told.set(data.id, [...(told.get(data.id) ?? []), data.notes]);
        setTimeout(() => response.end(), 20);
      });
    }).listen(0, '127.0.0.1');
    await startService();
  });
  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await stopAll();
    await postgres.remove();
  });

  it('killed between outbox and receiver: each change is told, those of a purchase in their order', async () => {
    const admin = new Phone((await makeWorld(postgres, PURCHASES)).admin, () => service.url);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    const made = await admin.send('POST', '/webhooks', { url, events: ['purchase.updated'] });
    expect(made.status).toBe(201);

    const written = new Map<number, string[]>();
    for (let kill = 0, n = 0; kill < KILLS; kill++) {
      const end = performance.now() + 200 + Math.random() * 800;
      while (performance.now() < end) {
        const id = (n % PURCHASES) + 1;
        const notes = String(n++);
        const { status } = await admin.send('PATCH', `/purchases/${id}`, { notes });
        expect(status).toBe(200);
        written.set(id, [...(written.get(id) ?? []), notes]);
      }
      await service.stop('SIGKILL');
      await startService();
    }
    const last = (list: string[] | undefined) => list?.at(-1);
    await until(() => [...written].every(([id, notes]) => last(told.get(id)) === last(notes)), LEASE_MS);
    await sleep(1000);

    for (const [id, notes] of written) expect([...new Set(told.get(id))]).toEqual(notes);
    const count = (lists: Map<number, string[]>) => [...lists.values()].flat().length;
    const twice = count(told) - count(written);
    report(DRILL, `${KILLS} kills in ${count(written)} changes: all told, in order; ${twice} of them twice`);
    admin.hangUp();
  }, 300_000);
});
