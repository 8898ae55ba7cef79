type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is sent at most: 6 times unless told otherwise. */
  tries?: number;
  /** The longest first pause, in milliseconds: 500 unless told otherwise. It doubles with every try. */
  delayMs?: number;
  /**
   * How long one try may take, its answer included, or of one that comes line by line the head, in milliseconds: 15 000
   * unless told otherwise.
   */
  timeoutMs?: number;
  /** An answer that asks to wait for longer is handed to the caller at once: 30 000 unless told otherwise. */
  patienceMs?: number;
  /** What sends the requests: the global fetch unless told otherwise. */
  fetch?: Fetch;
}

/** A try that took too long. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/**
 * A fetch for a phone in a cellar. It repeats a request whose answer did not come, was cut off, took too long, or was
 * 429, 502, 503, 504, or 409 because the first try is still running, when that is safe: when it reads, scans, or has an
 * Idempotency-Key. Answers are read to their end first, but for those that come line by line. The last answer or error is
 * the caller's; aborting the request ends it all.
 */
export function retryingFetch(options: RetryOptions = {}): Fetch {
  const {
    tries = 6,
    delayMs = 500,
    timeoutMs = 15_000,
    patienceMs = 30_000,
    fetch = globalThis.fetch,
  } = options;
  return async (request) => {
    const lastTry = isRepeatable(request) ? tries : 1;
    for (let nth = 1; ; nth++) {
      let waitMs = 0;
      try {
        const { response, isCut } = await tryOnce(fetch, request, timeoutMs);
        waitMs = retryAfterMs(response);
        if (nth >= lastTry || waitMs > patienceMs || !(isCut || mayPass(response))) return response;
      } catch (error) {
        if (nth >= lastTry || request.signal.aborted) throw error;
      }
      // At random, so that phones which lost the service together do not come back together.
      await pause(waitMs + Math.random() * delayMs * 2 ** (nth - 1), request.signal);
    }
  };
}

/** Those that are aborted with what is still to come of an answer: kept for as long, since nothing else holds them. */
const senders = new WeakMap<ReadableStream, Request[]>();

/** Sends a copy of the request and reads the answer to its end, all within the time. */
async function tryOnce(fetch: Fetch, request: Request, timeoutMs: number) {
  // By hand, since AbortSignal.timeout() and .any() are missing on phones.
  const ending = new AbortController();
  const abort = () => ending.abort(request.signal.reason);
  const late = new TimeoutError(`No answer within ${timeoutMs} ms`);
  const timer = setTimeout(() => ending.abort(late), timeoutMs);
  request.signal.addEventListener('abort', abort);
  if (request.signal.aborted) abort();
  let goesOn = false;
  try {
    const sent = new Request(request.clone(), { signal: ending.signal });
    const response = await fetch(sent);
    goesOn = comesByLine(response);
    if (goesOn && response.body) senders.set(response.body, [request, sent]);
    if (goesOn) return { response, isCut: false };
    const text = await response.clone().text();
    return { response, isCut: isJson(response) && !parses(text) };
  } catch (error) {
    // Not every fetch throws what the signal was ended with.
    throw ending.signal.aborted && !request.signal.aborted ? late : error;
  } finally {
    clearTimeout(timer);
    if (!goesOn) request.signal.removeEventListener('abort', abort);
  }
}

/** Made to be read while it comes, however long that takes: a pack, the events of a session. */
const comesByLine = ({ headers }: Response): boolean =>
  /^(application\/x-ndjson|text\/event-stream)\b/.test(headers.get('Content-Type') ?? '');

const isRepeatable = ({ method, url, headers }: Request): boolean =>
  method === 'GET' || (method === 'POST' && url.endsWith('/scan')) || headers.has('Idempotency-Key');

/** Of the conflicts only that with a request that is still running says when to come again. */
export const mayPass = ({ status, headers }: Response): boolean =>
  [429, 502, 503, 504].includes(status) || (status === 409 && headers.has('Retry-After'));

/** The service says it in seconds. */
export const retryAfterMs = ({ headers }: Response): number => Number(headers.get('Retry-After')) * 1000 || 0;

/** A proxy may end an answer that was cut off as if it were whole; half of a JSON text is none. */
export const isJson = ({ status, headers }: Response): boolean =>
  status !== 304 && /^application\/(.+\+)?json\b/.test(headers.get('Content-Type') ?? '');

export function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Ends early when the request is aborted: sending it again then fails as it should. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    if (signal.aborted) end(); // which is told to nobody who comes later
  });
