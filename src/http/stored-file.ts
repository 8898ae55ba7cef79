import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { DomainError } from '../common/errors.js';
import { sendAll } from './download.js';

/** The first and the last byte. */
export interface Range {
  from: number;
  to: number;
}

interface File {
  name: string;
  type: string;
  /** In bytes. */
  size: number;
  /** Whether a browser may show it rather than save it. */
  isShown: boolean;
}

/** An answer that is a file which is kept: all of it, or the range that is asked for (RFC 9110, 14). */
export class StoredFile {
  constructor(
    private readonly file: File,
    private readonly read: (range?: Range) => Promise<Readable>,
  ) {}

  /** Its entity tag is set already, and that it is not modified. */
  async send(response: Response): Promise<void> {
    const { size } = this.file;
    const isKept = response.statusCode === 304;
    const range = isKept ? undefined : rangeOf(response, size);
    const content = isKept || response.req.method === 'HEAD' ? null : await this.read(range);
    if (response.headersSent) {
      content?.destroy(); // the request broke off meanwhile, and was told so
      return;
    }
    this.describe(response);
    if (!isKept) response.setHeader('Content-Length', range ? range.to - range.from + 1 : size);
    if (range) response.status(206).setHeader('Content-Range', `bytes ${range.from}-${range.to}/${size}`);
    if (!content) {
      response.end();
      return;
    }
    await sendAll(content, response);
  }

  private describe(response: Response): void {
    const { name, type, isShown } = this.file;
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Disposition', disposition(isShown ? 'inline' : 'attachment', name));
    response.setHeader('Accept-Ranges', 'bytes');
    // Whatever somebody has sent us: it is no page, and nothing in it runs.
    response.setHeader('Content-Security-Policy', `default-src 'none'; frame-ancestors 'none'; sandbox`);
  }
}

/** Several ranges, and what is no range, are answered by all of it; so is one of a file that is another by now. */
function rangeOf(response: Response, size: number): Range | undefined {
  const { method, headers } = response.req;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? [];
  const isOfThis = headers['if-range'] === undefined || headers['if-range'] === response.getHeader('etag');
  if (method !== 'GET' || (first === '' && last === '') || !isOfThis) return undefined;
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== '' && last !== '' && Number(last) < from) return undefined;
  if (from <= to) return { from, to };
  throw new DomainError('range-not-satisfiable', { headers: { 'Content-Range': `bytes */${size}` } });
}

/** The name in ASCII for those who know no other, and as it is (RFC 6266, RFC 8187). */
function disposition(how: string, name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^ -~]|["\\%]/gu, '_');
  const whole = encodeURIComponent(name).replace(
    /['()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${how}; filename="${plain}"${plain === name ? '' : `; filename*=UTF-8''${whole}`}`;
}
