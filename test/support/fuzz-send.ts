import { request as httpRequest } from 'node:http';
import type { Agent } from 'node:http';
import type { FuzzAnswer } from './fuzz-oracle.js';
import { targetOf } from './fuzz-requests.js';
import type { FuzzRequest } from './fuzz-requests.js';

interface How {
  token: string | undefined;
  agent: Agent;
  /** Whoever sends it goes away. */
  signal?: AbortSignal;
}

/** The answer, of a stream of events its first piece. @throws Error where there is none, or it broke off */
export function sendRequest(
  url: string,
  request: FuzzRequest,
  { token, agent, signal }: How,
): Promise<FuzzAnswer> {
  const { operation, headers, body } = request;
  const path = targetOf(request);
  const lines: Record<string, string[]> = {};
  for (const [name, value] of headers) (lines[name] ??= []).push(value);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      url + path,
      {
        path, // as it is, where an address would be normalized
        method: operation.method,
        agent,
        ...(signal && { signal }),
        headers: {
          ...lines,
          ...(token && { authorization: `Bearer ${token}` }),
          ...(body.text && { 'content-type': body.type, 'content-length': Buffer.byteLength(body.text) }),
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        const finish = () =>
          resolve({ status: incoming.statusCode as number, headers: incoming.headers, text });
        incoming.on('data', (part: string) => {
          text += part;
          if (!incoming.headers['content-type']?.startsWith('text/event-stream')) return;
          finish(); // a stream has no end
          outgoing.destroy();
        });
        incoming.on('end', finish);
        incoming.on('error', reject); // it broke off
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body.text && Buffer.from(body.text)); // before a text, Node would write the headers in UTF-8
  });
}
