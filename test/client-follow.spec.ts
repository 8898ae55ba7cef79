import { ApiError, createClient, follow } from '../clients/typescript/src/index.js';
import type { LiveEvent } from '../clients/typescript/src/index.js';

const client = createClient({ baseUrl: 'http://127.0.0.1:1', token: '1|secret' });

/**
 * What is seen of a stream that comes in these pieces, one list of them for each connection, and from where each began.
 * A number stands for a refusal with that status.
 */
async function seenOf(
  ...connections: (string[] | number)[]
): Promise<{ events: LiveEvent[]; from: (string | null)[] }> {
  const from: (string | null)[] = [];
  const signal = new AbortController();
  const fetch = (request: Request): Promise<Response> => {
    from.push(request.headers.get('Last-Event-ID'));
    const pieces = connections.shift();
    if (!pieces) signal.abort();
    if (typeof pieces === 'number') {
      const headers = { 'Content-Type': 'application/problem+json', 'X-Request-Id': 'x' };
      return Promise.resolve(new Response(JSON.stringify({ status: pieces }), { status: pieces, headers }));
    }
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

  it.each([429, 500, 502, 503, 504])('comes back after %d', async (status) => {
    const { events, from } = await seenOf([text('1', 'first')], status, [text('2', 'second')]);
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    expect(from).toEqual([null, '1', '1', '2']);
  });

  it.each([401, 403, 404])('throws what no other try can change: %d', async (status) => {
    await expect(seenOf([text('1', 'first')], status)).rejects.toThrow(ApiError);
  });

  it('asks again for an event that it could not read', async () => {
    const broken = 'event: scan\nid: 2\ndata: {"note":\n\n';
    const { events, from } = await seenOf([text('1', 'first'), broken], [text('2', 'second')]);
    expect(events.map(({ id }) => id)).toEqual(['1', '2']);
    expect(from).toEqual([null, '1', '2']);
  });
});
