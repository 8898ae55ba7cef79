import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import { performance } from 'node:perf_hooks';
import { version } from '../config/version.js';
import type { Reach } from './reach.js';

const TIMEOUT_MS = 15_000;
/** Of an answer that much is kept, and no more than that read. */
const KEPT_BYTES = 1024;
const READ_BYTES = 65_536;
const DAY_S = 86_400;

/** What came of sending a message. */
export interface Outcome {
  /** Null where no answer came, for the reason in `error`. */
  status: number | null;
  ms: number;
  error: string | null;
  answer: string | null;
  /** Seconds, a day at most. */
  retryAfter: number;
}

/** Sends messages, over connections that are kept for the next ones, and follows nobody elsewhere. */
export class Post {
  private readonly agents = {
    'http:': new http.Agent({ keepAlive: true }),
    'https:': new https.Agent({ keepAlive: true }),
  };

  constructor(private readonly reach: Reach) {}

  async send(url: URL, headers: Record<string, string>, body: string, ending: AbortSignal): Promise<Outcome> {
    const start = performance.now();
    const deadline = AbortSignal.timeout(TIMEOUT_MS);
    const outcome = (told: Partial<Outcome>): Outcome => ({
      status: null,
      error: null,
      answer: null,
      retryAfter: 0,
      ...told,
      ms: Math.round(performance.now() - start),
    });
    try {
      this.reach.checkLiteral(url.hostname);
      const response = await this.request(url, headers, body, AbortSignal.any([deadline, ending]));
      const answer = await beginOf(response);
      return outcome({
        status: response.statusCode!,
        answer,
        retryAfter: secondsOf(response.headers['retry-after']),
      });
    } catch (error) {
      const { message, code } = error as NodeJS.ErrnoException;
      return outcome({
        error: deadline.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : message || code!,
      });
    }
  }

  close(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  private request(
    url: URL,
    headers: Record<string, string>,
    body: string,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const protocol = url.protocol as 'http:' | 'https:';
    return new Promise((resolve, reject) => {
      const request = (protocol === 'https:' ? https : http).request(url, {
        method: 'POST',
        agent: this.agents[protocol],
        lookup: this.reach.lookup,
        headers: { 'content-type': 'application/json', 'user-agent': `Recense/${version}`, ...headers },
        signal,
      });
      // Of a 101 Node.js tells nothing else, neither an answer nor an error.
      request.on('upgrade', (response, socket) => {
        socket.destroy();
        reject(new Error(`answered ${response.statusCode}, which was not asked for`));
      });
      request.on('response', resolve).on('error', (error: NodeJS.ErrnoException) => {
        // Of a connection that the receiver had closed meanwhile: on to a new one.
        if (request.reusedSocket && error.code === 'ECONNRESET' && !signal.aborted)
          this.request(url, headers, body, signal).then(resolve, reject);
        else reject(error);
      });
      request.end(body);
    });
  }
}

/** An answer counts once it has begun: however it ends, it was given. */
async function beginOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      if (size < KEPT_BYTES) chunks.push(chunk.subarray(0, KEPT_BYTES - size));
      size += chunk.length;
      if (size > READ_BYTES) break;
    }
  } catch {
    // what came is kept
  }
  return Buffer.concat(chunks).toString('utf8').replaceAll('\0', '\ufffd');
}

/** In seconds, or as a date (RFC 9110, 10.2.3). */
function secondsOf(header: string | undefined): number {
  if (!header) return 0;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return seconds > 0 ? Math.min(seconds, DAY_S) : 0;
}
