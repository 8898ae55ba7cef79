import { channel } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import type { Client } from 'pg';

/** A statement that was sent. */
export interface Sent {
  /** As pg takes it. */
  statement: string | { text: string; name?: string };
  client: Client;
  /** Resolves, or ends where its rows are a stream. */
  answer: Promise<unknown> | Readable;
}

/** Says of each statement that it is sent, to whoever listens: by the pools, the pipeline and TypeORM alike. */
export const sent = channel('recense:statement');
