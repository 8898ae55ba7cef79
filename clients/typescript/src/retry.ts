type Fetch = (request: Request) => Promise<Response>;

export interface RetryOptions {
  /** How often a request is sent at most: 4 times unless told otherwise. */
  tries?: number;
  /** The longest first pause, in milliseconds: 500 unless told otherwise. It doubles with every try. */
  delayMs?: number;
  /** An answer that asks to wait for longer is handed to the caller at once: 30 000 unless told otherwise. */
  patienceMs?: number;
  /** What sends the requests: the global fetch unless told otherwise. */
  fetch?: Fetch;
}

/**
 * A fetch for a phone in a cellar. It repeats a request that got no answer, 429 or 503, or 409 because the first try is
 * still running, when that is safe: when it reads, scans, or has an Idempotency-Key. The last answer or error is the caller's; aborting the request ends it all.
 */
export function retryingFetch(options: RetryOptions = {}): Fetch {
  const { tries = 4, delayMs = 500, patienceMs = 30_000, fetch = globalThis.fetch } = options;
  return async (request) => {
    const repeats = isRepeatable(request) ? tries - 1 : 0;
    for (let repeat = 0; repeat < repeats; repeat++) {
      let waitMs = 0;
      try {
        const response = await fetch(request.clone());
        waitMs = retryAfterMs(response);
        if (!mayPass(response) || waitMs > patienceMs) return response;
        await response.body?.cancel(); // frees the connection
      } catch (error) {
        if (request.signal.aborted) throw error;
      }
      // At random, so that phones which lost the service together do not come back together.
      await pause(waitMs + Math.random() * delayMs * 2 ** repeat, request.signal);
    }
    return fetch(request);
  };
}

const isRepeatable = ({ method, url, headers }: Request): boolean =>
  method === 'GET' || (method === 'POST' && url.endsWith('/scan')) || headers.has('Idempotency-Key');

/** Of the conflicts only that with a request that is still running says when to come again. */
const mayPass = ({ status, headers }: Response): boolean =>
  [429, 503].includes(status) || (status === 409 && headers.has('Retry-After'));

/** The service says it in seconds. */
const retryAfterMs = ({ headers }: Response): number => Number(headers.get('Retry-After')) * 1000 || 0;

/** Ends early when the request is aborted: sending it again then fails as it should. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
