import { ApiError, createClient, retryingFetch } from '@recense/client';
import type { ProblemDto } from '@recense/client';
import { signal } from '@preact/signals';
import { language } from './texts.js';

/** The service that has served this page. */
export const api = createClient({ baseUrl: location.origin, fetch: retryingFetch({ tries: 3 }) });

/** A file takes its time where the network is slow: 60 MB do at 3 Mbit/s. */
const FILE_MS = 180_000;
/** Of a request that brings a file. */
export const patient = retryingFetch({ tries: 1, timeoutMs: FILE_MS });
/** Of one whose answer is a file. */
export const AS_FILE = { parseAs: 'blob', fetch: retryingFetch({ tries: 3, timeoutMs: FILE_MS }) } as const;

/** Whether the browser has a network, and the service answered the last request that was sent. */
export const isOnline = signal(navigator.onLine);

/** Called with the token that the service does not know any more. */
let ended = (_token: string): void => undefined;
export const onTokenEnded = (call: (token: string) => void): void => {
  ended = call;
};

api.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', language.value);
  },
  onResponse({ response, request }) {
    isOnline.value = true;
    const token = request.headers.get('Authorization')?.replace(/^Bearer /, '');
    if (response.status === 401 && token !== undefined) ended(token);
  },
  onError({ request }) {
    // A page that is left ends what it has asked for.
    if (!request.signal.aborted) isOnline.value = false;
  },
});

/** How often the service is asked whether it is back, which no event tells, in milliseconds. */
const AGAIN_MS = 10_000;
setInterval(() => {
  if (isOnline.value || !navigator.onLine || document.visibilityState !== 'visible') return;
  fetch('/health/live', { signal: AbortSignal.timeout(AGAIN_MS) }).then(
    () => (isOnline.value = true),
    () => undefined,
  );
}, AGAIN_MS);
addEventListener('online', () => (isOnline.value = true));
addEventListener('offline', () => (isOnline.value = false));

/** Whether the service has said what is wrong. */
export const isProblem = (
  error: unknown,
): error is ApiError & { problem: NonNullable<ApiError['problem']> } =>
  error instanceof ApiError && error.problem !== undefined;

/** What is wrong with a field of a form, by the name it has in the API. */
export const errorsOf = (error: unknown): Record<string, string[]> =>
  isProblem(error) ? ((error.problem as { errors?: Record<string, string[]> }).errors ?? {}) : {};

/** What is wrong with what was to be sent, as the service would say it: nothing is sent. */
export const unsent = (detail: string, errors: Record<string, string[]> = {}): ApiError =>
  new ApiError(new Response(null, { status: 422 }), { status: 422, detail, errors } as unknown as ProblemDto);
