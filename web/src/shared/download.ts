import { ApiError } from '@recense/client';

/** Gives the user a file, as if he had followed a link to it. */
export function offer(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A file of the service, under the name that it gives it. @throws ApiError */
export async function download(
  call: Promise<{ data?: unknown; error?: unknown; response: Response }>,
  name: string,
): Promise<void> {
  const { data, error, response } = await call;
  if (!response.ok) throw new ApiError(response, error as ApiError['problem']);
  const told = response.headers.get('Content-Disposition') ?? '';
  const [, whole] = /filename\*=UTF-8''([^;]+)/.exec(told) ?? [];
  const [, ascii] = /filename="([^"]+)"/.exec(told) ?? [];
  offer(data as Blob, whole ? decodeURIComponent(whole) : (ascii ?? name));
}
