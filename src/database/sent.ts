import { channel } from 'node:diagnostics_channel';
import type { Readable } from 'node:stream';
import type { Client } from 'pg';

/** Runs what it is given in the context of a request. */
export type InContext = (work: () => void) => void;

/** A statement that was sent. */
export interface Sent {
  /** As pg takes it. */
  statement: string | { text: string; name?: string };
  client: Client;
  /** Resolves, or ends where its rows are a stream. */
  answer: Promise<unknown> | Readable;
  /** Of the requests for which it is sent, where these are several. */
  contexts?: InContext[] | undefined;
}

/** Says of each statement that it is sent, to whoever listens: by the pools, the pipeline and TypeORM alike. */
export const sent = channel('recense:statement');
