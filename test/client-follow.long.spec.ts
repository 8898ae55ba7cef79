import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, follow } from '../clients/typescript/src/index.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('follow', () => {
  it('leaves a stream on which nothing comes any more, however long it was there', async () => {
    let open = 0;
    const server = createServer((_, response) => {
      open++;
      response.on('close', () => open--);
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'x' });
      response.write('event: scan\nid: 1\ndata: {}\n\n');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    // Its time begins anew with each event.
    const events = follow(createClient({ baseUrl }), 1, { timeoutMs: 2000, delayMs: 1 });
    await events.next();
    const next = events.next();
    for (let n = 0; n < 5; n++) {
      collectGarbage();
      await sleep(20);
    }
    expect((await next).value).toMatchObject({ id: '1' });
    await events.return();
    while (open > 0) await sleep(5);
    await new Promise((closed) => server.close(closed));
  });
});
