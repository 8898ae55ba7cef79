import { unwrap } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import { AS_FILE, api } from '../shared/api.js';

interface PictureProps {
  /** An attachment, as in `/api/v1/attachments/3`. */
  url: string;
  alt: string;
  size: '320' | '1280';
}

/** A photo of the service, which is read with the token; nothing where it cannot be read. */
export function Picture({ url, alt, size }: PictureProps) {
  const [source, setSource] = useState<string>();
  const id = Number(url.split('/').at(-1));
  useEffect(() => {
    const ending = new AbortController();
    let made: string | undefined;
    readAttachment(id, size, ending.signal).then(
      (file) => {
        if (!ending.signal.aborted) setSource((made = URL.createObjectURL(file)));
      },
      () => undefined,
    );
    return () => {
      ending.abort();
      if (made) URL.revokeObjectURL(made);
    };
  }, [id, size]);
  return source ? <img class="picture" src={source} alt={alt} /> : null;
}

async function readAttachment(id: number, size: '320' | '1280', signal: AbortSignal): Promise<Blob> {
  const params = { path: { id }, query: { size } };
  const file: unknown = await unwrap(api.GET('/api/v1/attachments/{id}', { params, ...AS_FILE, signal }));
  return file as Blob;
}
