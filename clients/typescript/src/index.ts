import createFetchClient from 'openapi-fetch';
import type { Client, ClientOptions as FetchClientOptions } from 'openapi-fetch';
import { refuseStrangers } from './answers.js';
import { retryingFetch } from './retry.js';
import type { paths } from './schema.js';

export { ApiError, pages, unwrap } from './answers.js';
export { follow } from './follow.js';
export type { FollowOptions, LiveEvent } from './follow.js';
export { idempotencyKey } from './key.js';
export { ScanQueue, isFinal } from './queue.js';
export type { QueueState, ScanFields, ScanQueueOptions } from './queue-options.js';
export { TimeoutError, retryingFetch } from './retry.js';
export type { RetryOptions } from './retry.js';
export type * from './schema.js';
export { MemoryStorage } from './storage.js';
export type { QueuedScan, ScanStorage } from './storage.js';

export interface ClientOptions extends FetchClientOptions {
  /** Where the service is, such as `https://recense.example.org`. The routes begin with `/api/v1`. */
  baseUrl: string;
  /** From a login before. */
  token?: string;
}

/** What calls answer; of a list, not what `format` makes of it. */
type Json = 'application/json' | 'application/problem+json';

export interface RecenseClient extends Client<paths, Json> {
  /** Sent with every request. Set it after the login, and to undefined after the logout. */
  token: string | undefined;
}

/** A client whose calls, parameters and answers are typed. It repeats what is safe to repeat: see retryingFetch(). */
export function createClient({ token, ...options }: ClientOptions): RecenseClient {
  const client = Object.assign(createFetchClient<paths, Json>({ fetch: retryingFetch(), ...options }), {
    token,
  });
  client.use({
    onRequest({ request }) {
      if (client.token !== undefined) request.headers.set('Authorization', `Bearer ${client.token}`);
    },
    async onResponse({ response }) {
      await refuseStrangers(response);
    },
  });
  return client;
}
