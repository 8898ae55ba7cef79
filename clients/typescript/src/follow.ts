import { ApiError, unwrap } from './answers.js';
import type { RecenseClient } from './index.js';
import { TimeoutError, mayPass, pause, retryAfterMs } from './retry.js';
import type { LiveEventsDto } from './schema.js';

/** What happened in a session; `data` goes by the name of the event, of which there will be others. */
export type LiveEvent = {
  [Name in keyof LiveEventsDto]: { event: Name; id: string; data: LiveEventsDto[Name] };
}[keyof LiveEventsDto];

export interface FollowOptions {
  /** Ends it all. */
  signal?: AbortSignal;
  /** The `id` of the last event that was seen: what was missed since comes first. */
  lastEventId?: string;
  /** The longest first pause before coming back, in milliseconds: 1 000 unless told otherwise. It doubles up to 30 s. */
  delayMs?: number;
  /** A stream on which nothing comes for as long, in milliseconds, is dead: 40 000 unless told otherwise. */
  timeoutMs?: number;
  /** Told when the stream is there, and when it has broken off. */
  onConnection?: (isThere: boolean) => unknown;
  /** What opens the stream: the global fetch unless told otherwise. Its bodies must be streams. */
  fetch?: (request: Request) => Promise<Response>;
}

const MAX_DELAY_MS = 30_000;
/** Nothing else ends a line, U+2028 in a note neither. A CR that came last may be half of one. */
const LINE_END = /\r\n|\n|\r(?!$)/;

/**
 * What happens in a session, until it is aborted or left. Where the stream breaks off, it comes back and goes on after
 * the last event.
 * @throws ApiError where that cannot help: the token has ended, the session is gone
 */
export async function* follow(
  client: RecenseClient,
  session: number,
  options: FollowOptions = {},
): AsyncGenerator<LiveEvent, void, void> {
  const { delayMs = 1000, signal = new AbortController().signal, onConnection } = options;
  let { lastEventId } = options;
  for (let failures = 0; !signal.aborted; failures++) {
    let waitMs = 0;
    let isThere = false;
    try {
      for await (const fields of opened(client, session, { ...options, lastEventId })) {
        if (!isThere) onConnection?.((isThere = true));
        waitMs = Number(fields.get('retry') ?? waitMs);
        if (!fields.has('event')) continue;
        const id = fields.get('id');
        const data = JSON.parse(fields.get('data') ?? '') as unknown;
        yield { event: fields.get('event'), id, data } as LiveEvent;
        // Only now: an event that could not be read is asked for again.
        lastEventId = id;
        failures = 0;
      }
    } catch (error) {
      // What is no answer of the service, such as the page of a Wi-Fi that wants a login first, passes too.
      if (error instanceof ApiError && isFinal(error)) throw error;
      if (error instanceof ApiError) waitMs = retryAfterMs(error.response);
    } finally {
      if (isThere) onConnection?.(false);
    }
    await pause(waitMs + Math.random() * Math.min(MAX_DELAY_MS, delayMs * 2 ** failures), signal);
  }
}

/** An error of the service itself (500) passes as well: a wall would be dark until somebody comes by. */
const isFinal = ({ problem, response }: ApiError): boolean =>
  problem !== undefined && response.status < 500 && !mayPass(response);

/** The fields of what comes on one connection, block by block, until it ends. */
async function* opened(
  client: RecenseClient,
  session: number,
  { signal, lastEventId, timeoutMs = 40_000, fetch = (request) => globalThis.fetch(request) }: FollowOptions,
): AsyncGenerator<Map<string, string>, void, void> {
  const ending = new AbortController();
  const abort = () => ending.abort(signal?.reason);
  const within = async <T>(what: Promise<T>): Promise<T> => {
    const timer = setTimeout(() => ending.abort(new TimeoutError(`Nothing for ${timeoutMs} ms`)), timeoutMs);
    return what.finally(() => clearTimeout(timer));
  };
  signal?.addEventListener('abort', abort);
  try {
    const call = client.GET('/api/v1/inventories/{id}/events', {
      params: { path: { id: session }, header: { 'Last-Event-ID': lastEventId } },
      parseAs: 'stream',
      signal: ending.signal,
      fetch,
    });
    const reader = ((await within(unwrap(call))) as ReadableStream<Uint8Array>).getReader();
    // Once the request has been collected as garbage, its signal does not end the stream any more.
    ending.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
    const decoder = new TextDecoder();
    let text = '';
    const block: string[] = [];
    for (;;) {
      const { done, value } = await within(reader.read());
      if (done) return;
      const lines = (text + decoder.decode(value, { stream: true })).split(LINE_END);
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line !== '') block.push(line);
        else yield fieldsOf(block.splice(0));
      }
    }
  } finally {
    signal?.removeEventListener('abort', abort);
    ending.abort();
  }
}

/** Each line is a name, a colon and a value; without a name it is a comment. */
const fieldsOf = (block: string[]): Map<string, string> =>
  new Map(
    block.map((line) => {
      const [, name = '', value = ''] = /^(\w*):? ?(.*)$/s.exec(line) ?? [];
      return [name, value];
    }),
  );
