import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient, follow } from '../clients/typescript/src/index.js';
import type { LiveEvent } from '../clients/typescript/src/index.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: '1|secret' });

/** What is seen of a stream that comes in these pieces, one list of them for each connection, and from where each began. */
async function seenOf(...connections: string[][]): Promise<{ events: LiveEvent[]; from: (string | null)[] }> {
  const from: (string | null)[] = [];
  const signal = new AbortController();
  const fetch = (request: Request): Promise<Response> => {
    from.push(request.headers.get('Last-Event-ID'));
    const pieces = connections.shift();
    if (!pieces) signal.abort();
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        for (const piece of pieces ?? []) stream.enqueue(new TextEncoder().encode(piece));
        stream.close();
      },
    });
    return Promise.resolve(new Response(body, { headers: { 'X-Request-Id': 'x' } }));
  };
  const events: LiveEvent[] = [];
  for await (const event of follow(client, 1, { fetch, delayMs: 1, signal: signal.signal }))
    events.push(event);
  return { events, from };
}

const text = (id: string, note: string, end = '\n'): string =>
  [`event: scan`, `id: ${id}`, `data: ${JSON.stringify({ note })}`, '', ''].join(end);

describe('follow', () => {
  it.each(['\u2028', '\u2029', '\u0085', '\v', '\f', 'é 👍'])(
    'tells an event whose data holds %j, which ends no line',
    async (character) => {
      const { events } = await seenOf([text('1', `a${character}b`), text('2', 'after')]);
      expect(events).toEqual([
        { event: 'scan', id: '1', data: { note: `a${character}b` } },
        { event: 'scan', id: '2', data: { note: 'after' } },
      ]);
    },
  );

  it.each(['\n', '\r\n', '\r'])('takes lines that end with %j, cut anywhere', async (end) => {
    const all = text('1', 'first', end) + `: nothing${end}${end}` + text('2', 'second', end) + `: end${end}`;
    const pieces = [[...all], [all]];
    for (const given of pieces) {
      const { events } = await seenOf(given);
      expect(events.map(({ id, data }) => [id, data])).toEqual([
        ['1', { note: 'first' }],
        ['2', { note: 'second' }],
      ]);
    }
  });

  it('asks again for an event that it could not read', async () => {
    const broken = 'event: scan\nid: 2\ndata: {"note":\n\n';
    const { events, from } = await seenOf([text('1', 'first'), broken], [text('2', 'second')]);
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    expect(from).toEqual([null, '1', '2']);
  });

  it('leaves a stream on which nothing comes any more, however long it was there', async () => {
    let open = 0;
    const server = createServer((_, response) => {
      open++;
      response.on('close', () => open--);
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'X-Request-Id': 'x' });
      response.write(text('1', 'first'));
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
