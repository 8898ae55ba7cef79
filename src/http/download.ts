import type { Response } from 'express';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Begun } from '../common/errors.js';
import { packing } from './compression.js';

const HUNG_UP =
  /^(ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|ERR_STREAM_UNABLE_TO_PIPE|EPIPE|ECONNRESET)$/;
/** Of an answer whose reader has gone: nobody is there to be told. */
export const isHungUp = (error: unknown): boolean => HUNG_UP.test(String((error as { code?: unknown }).code));

/**
 * Sends all of it, or to a reader who goes away no more than he took.
 * @throws Begun where it breaks off
 */
export async function sendAll(content: Readable, ...to: Writable[]): Promise<void> {
  // For a reader who has gone before, pipeline() of Node.js 24 neither ends it nor listens to what it breaks with later.
  content.on('error', () => undefined);
  try {
    await pipeline([content, ...to]);
  } catch (error) {
    content.destroy();
    if (!isHungUp(error)) throw new Begun(error);
  }
}

interface File {
  name: string;
  type: string;
  /** Whether gzip would find nothing in it. */
  isPacked?: boolean;
}

/** An answer that is a file, made while it is sent: no more of it than the reader takes. */
export class Download {
  /**
   * @param make calls `send` once, with everything; what it throws before is a problem like any other, and afterwards
   * the answer breaks off
   */
  constructor(
    private readonly file: File,
    private readonly make: (send: (content: Readable) => Promise<void>) => Promise<void>,
  ) {}

  async send(response: Response): Promise<void> {
    if (response.req.method === 'HEAD') {
      this.begin(response);
      response.end();
      return;
    }
    await this.make(async (content) => {
      if (response.headersSent)
        content.destroy(); // the request broke off meanwhile, and was told so
      else await sendAll(content, ...this.begin(response), response);
    });
  }

  private begin(response: Response) {
    const { name, type, isPacked } = this.file;
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    return isPacked ? [] : packing(response);
  }
}
