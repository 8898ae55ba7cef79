import { once } from 'node:events';
import { request } from 'node:http';
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

/** Begins to send a file, as soon as it is asked for, and hangs up: as a phone does that leaves its network. */
export async function cutOff({ url, token }: { url: string; token: string | undefined }): Promise<void> {
  const phone = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      expect: '100-continue',
      'content-type': 'multipart/form-data; boundary=x',
    },
  });
  phone.on('error', () => undefined);
  phone.flushHeaders();
  await once(phone, 'continue'); // it is received from now on
  phone.write('--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n%PDF');
  phone.destroy();
}

/** A page of PDF, as short as can be. */
export const PDF = Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n');
