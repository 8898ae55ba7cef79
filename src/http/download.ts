import type { Response } from 'express';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Begun } from '../common/errors.js';
import { packing } from './compression.js';

const HUNG_UP = /^(ERR_STREAM_PREMATURE_CLOSE|ERR_STREAM_DESTROYED|EPIPE|ECONNRESET)$/;
/** Of an answer whose reader has gone: nobody is there to be told. */
export const isHungUp = (error: unknown): boolean => HUNG_UP.test(String((error as { code?: unknown }).code));

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
      try {
        await pipeline([content, ...this.begin(response), response]);
      } catch (error) {
        if (!isHungUp(error)) throw new Begun(error);
      }
    });
  }

  private begin(response: Response) {
    const { name, type, isPacked } = this.file;
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Disposition', `attachment; filename="${name}"`);
    return isPacked ? [] : packing(response);
  }
}
