import { retryingFetch, unwrap } from '@recense/client';
import type { ImportDto, paths } from '@recense/client';
import { api, isProblem, patient, unsent } from '../shared/api.js';
import { t } from '../shared/texts.js';

type Post = paths['/api/v1/imports/{id}']['post'];
export type Kind = Post['parameters']['path']['id'];
export type Options = NonNullable<Post['parameters']['query']>;
type Upload = NonNullable<Post['requestBody']>['content']['multipart/form-data'];

const LOOK_MS = 400;
/** The longest pause after the service could not be reached. */
const LONGEST_MS = 10_000;
/** It is asked again anyway. */
const once = retryingFetch({ tries: 1 });

export const isRunning = ({ status }: { status: string }): boolean =>
  status === 'checking' || status === 'writing';

/** What is told while an import is followed. */
export interface Follower {
  seen: (found: ImportDto) => void;
  /** The service could not be reached: it is asked again. */
  lost: () => void;
}

/** Sends a file, and follows what becomes of it. @throws ApiError, AbortError */
export async function runImport(
  kind: Kind,
  file: File,
  query: Options,
  follower: Follower,
  signal: AbortSignal,
): Promise<void> {
  // A browser reads a file no more that was saved anew, and fails as if there were no answer.
  await file
    .slice(0, 1)
    .arrayBuffer()
    .catch(() => {
      throw unsent(t('imports.file.changed'));
    });
  const form = new FormData();
  form.append('file', file);
  const begun = await unwrap(
    api.POST('/api/v1/imports/{id}', {
      params: { path: { id: kind }, query },
      body: form as unknown as Upload,
      bodySerializer: (body) => body as unknown as FormData,
      fetch: patient,
      signal,
    }),
  );
  follower.seen(begun);
  await followImport(begun.id, follower, signal);
}

/**
 * Tells how far an import is until it has ended. It goes on in the service whether or not that can be reached, so it is
 * asked until the page is left. @throws ApiError, AbortError
 */
export async function followImport(id: number, { seen, lost }: Follower, signal: AbortSignal): Promise<void> {
  for (let pauseMs = LOOK_MS; ;) {
    try {
      const params = { path: { id } };
      const found = await unwrap(api.GET('/api/v1/imports/{id}', { params, signal, fetch: once }));
      seen(found);
      if (!isRunning(found)) return;
      pauseMs = LOOK_MS;
    } catch (error) {
      if (signal.aborted || isRefused(error)) throw error;
      lost();
      pauseMs = Math.min(2 * pauseMs, LONGEST_MS);
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** That it may not be seen, or is there no more, is the same when it is asked again. */
const isRefused = (error: unknown): boolean =>
  isProblem(error) && error.problem.status < 500 && error.problem.status !== 429;
