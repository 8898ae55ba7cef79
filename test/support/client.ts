/* eslint-disable @typescript-eslint/no-explicit-any -- answers are asserted, not typed */
export interface Answer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

/** Speaks HTTP to the service as a phone would. Paths are relative to /api/v1 unless they begin with `//`. */
export class Client {
  constructor(
    readonly url: string,
    readonly token?: string,
  ) {}

  get = (path: string, headers?: Record<string, string>): Promise<Answer> =>
    this.send('GET', path, undefined, headers);
  post = (path: string, body?: unknown): Promise<Answer> => this.send('POST', path, body);
  patch = (path: string, body?: unknown): Promise<Answer> => this.send('PATCH', path, body);
  delete = (path: string): Promise<Answer> => this.send('DELETE', path);

  /** A string and bytes are sent as they are, anything else as JSON. */
  async send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(this.url + (path.startsWith('//') ? path.slice(1) : `/api/v1${path}`), {
      method,
      headers: {
        ...(this.token && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body:
        body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    const text = await (isStream(response) ? beginOf(response) : response.text());
    const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : text,
    };
  }
}

const isStream = ({ headers }: Response): boolean =>
  (headers.get('content-type') ?? '').startsWith('text/event-stream');

/** What comes first of an answer without end. */
async function beginOf({ body }: Response): Promise<string> {
  const reader = body?.getReader();
  const first = await reader?.read();
  await reader?.cancel();
  return new TextDecoder().decode(first?.value as Uint8Array | undefined);
}
