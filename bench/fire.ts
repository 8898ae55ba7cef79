import autocannon from 'autocannon';

/** A request, and whether an answer with status 200 or 201 is the one expected. */
export interface Ask {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
  accepts: (answer: string) => boolean;
}

/** What is asked, request by request. */
export interface Asks {
  next: () => Ask;
  /** How many there are left, where they come to an end. */
  left?: () => number;
  /** What others ask at the same time. */
  beside?: Asks & { connections: number };
  /** Ends what goes on beside it. */
  end?: () => void;
}

export interface Fired {
  requests: number;
  seconds: number;
  /** Milliseconds that so many of a hundred requests took at most. */
  percentile: (share: number) => number;
  /** Answers in each second since the first request. */
  each: number[];
}

export interface Firing {
  connections: number;
  /** Seconds. */
  duration: number;
  /** How many requests. */
  atMost?: number;
  /** Ends it before. */
  signal?: AbortSignal;
}

export const WARM_UP_S = 2;
const TICK_MS = 20;

/** Asks for a short while, so that what comes next finds everything warm; a fifth of the questions at most. */
export async function warmUp(url: string, asks: Asks, connections: number): Promise<void> {
  const atMost = asks.left && Math.floor(asks.left() / 5);
  await fire(url, asks, { connections, duration: WARM_UP_S, atMost });
}

/** Asks over so many connections, till the time is over, the questions run out or the signal comes. */
export async function fire(
  url: string,
  asks: Asks,
  { connections, duration, atMost = Infinity, signal }: Firing,
): Promise<Fired> {
  const left = Math.min(asks.left?.() ?? Infinity, atMost);
  if (left < connections)
    throw new Error('All codes are scanned: take more --purchases or a shorter --duration.');
  const times: number[] = [];
  const each = Array.from({ length: duration }, () => 0);
  let began = performance.now();
  let ended = began;
  let failure: string | undefined;
  await new Promise<void>((resolve, reject) => {
    const run = autocannon(
      {
        url,
        connections,
        duration,
        sampleInt: TICK_MS, // how soon it notices its end
        ...(left < Infinity && { maxOverallRequests: left }),
        requests: [
          {
            setupRequest: (request, context) => {
              const ask = asks.next();
              (context as { ask: Ask }).ask = ask;
              return Object.assign(request, ask);
            },
            onResponse: (status, body, context) => {
              const { ask } = context as { ask: Ask };
              if ((status === 200 || status === 201) && ask.accepts(body)) return;
              failure ??= `${ask.method} ${ask.path} ${ask.body?.slice(0, 500) ?? ''} answered ${status}: ${body.slice(0, 500)}`;
              run.stop();
            },
          },
        ],
      },
      (error: Error | null, result?: autocannon.Result) => {
        if (result?.errors) failure ??= `${result.errors} requests were left without an answer.`;
        if (error ?? failure) reject(error ?? new Error(failure));
        else resolve();
      },
    );
    run.on('start', () => (began = performance.now()));
    run.on('response', (_client, _status, _bytes, milliseconds) => {
      ended = performance.now();
      const second = Math.floor((ended - began) / 1000);
      if (second < duration) each[second]! += 1;
      times.push(milliseconds);
    });
    signal?.addEventListener('abort', () => run.stop());
  });
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.ceil((times.length * share) / 100) - 1] ?? NaN;
  return { requests: times.length, seconds: (ended - began) / 1000, percentile, each };
}
