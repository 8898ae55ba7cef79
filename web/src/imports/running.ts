import { unwrap } from '@recense/client';
import type { ImportDto, ImportProgressDto, paths } from '@recense/client';
import { api, patient } from '../shared/api.js';

type Post = paths['/api/v1/imports/{id}']['post'];
export type Kind = Post['parameters']['path']['id'];
export type Options = NonNullable<Post['parameters']['query']>;
type Upload = NonNullable<Post['requestBody']>['content']['multipart/form-data'];

const LOOK_MS = 400;
const RUNNING = ['checking', 'writing'];

/** Sends a file, and tells how far it is until it has ended. @throws ApiError, AbortError */
export async function runImport(
  kind: Kind,
  file: File,
  query: Options,
  tell: (progress: ImportProgressDto) => void,
  signal: AbortSignal,
): Promise<ImportDto> {
  const form = new FormData();
  form.append('file', file);
  const { id } = await unwrap(
    api.POST('/api/v1/imports/{id}', {
      params: { path: { id: kind }, query },
      body: form as unknown as Upload,
      bodySerializer: (body) => body as unknown as FormData,
      fetch: patient,
      signal,
    }),
  );
  for (;;) {
    const found = await unwrap(api.GET('/api/v1/imports/{id}', { params: { path: { id } }, signal }));
    tell(found);
    if (!RUNNING.includes(found.status)) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
