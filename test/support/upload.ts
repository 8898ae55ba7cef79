import type { Answer, Client } from './client.js';

interface Sent {
  name?: string;
  /** As the sender declares it, which nobody believes. */
  type?: string;
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

/** Sends a file as a phone does: the field `file` of a form. */
export async function upload(client: Client, path: string, file: Buffer, sent: Sent = {}): Promise<Answer> {
  const { name = 'photo.jpg', type = 'application/octet-stream', fields = {}, headers = {} } = sent;
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append('file', new Blob([new Uint8Array(file)], { type }), name);
  const written = new Response(form);
  const body = Buffer.from(await written.arrayBuffer());
  return client.send('POST', path, body, {
    'content-type': written.headers.get('content-type')!,
    ...headers,
  });
}

/** A page of PDF, as short as can be. */
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
