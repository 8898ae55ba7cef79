/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** What every list of words that may grow brings one day. */
export const WORD = 'of-tomorrow';

/** Of the bytes that came, which are not those that go. */
const OF_THE_BODY = ['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive'];

interface Tomorrow {
  url: string;
  stop: () => Promise<void>;
}

/**
 * A service of tomorrow: hands requests on, and answers with an unknown word wherever the document says that there will
 * be others, and with an unknown field in every object.
 */
export async function startTomorrow(today: string): Promise<Tomorrow> {
  const document = JSON.parse(readFileSync('openapi.json', 'utf8'));
  const server = createServer((request, response) => {
    void (async () => {
      const { method = 'GET', url = '/' } = request;
      const { connection: _, host: __, ...headers } = request.headers as Record<string, string>;
      const body = method === 'GET' ? undefined : await buffer(request);
      const answer = await fetch(today + url, { method, headers, ...(body?.length && { body }) });
      const text = await answer.text();
      const schema = schemaOf(document, method, url, answer.status);
      const kept = [...answer.headers].filter(([name]) => !OF_THE_BODY.includes(name));
      response.writeHead(answer.status, Object.fromEntries(kept));
      response.end(schema ? JSON.stringify(renewed(document, schema, JSON.parse(text))) : text);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

const resolved = (document: any, part: any): any =>
  part?.$ref
    ? part.$ref
        .split('/')
        .slice(1)
        .reduce((at: any, name: string) => at[name], document)
    : part;

function schemaOf(document: any, method: string, url: string, status: number): any {
  const path = url.split('?')[0]!;
  const template = Object.keys(document.paths).find((one) =>
    new RegExp(`^${one.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const answer = document.paths[template ?? '']?.[method.toLowerCase()]?.responses[status];
  const [content] = Object.values<any>(resolved(document, answer)?.content ?? {});
  return content?.schema;
}

function renewed(document: any, schema: any, value: any): any {
  if (value === null || value === undefined) return value;
  const { properties, items, anyOf, allOf, ...own } = resolved(document, schema);
  if ('x-extensible-enum' in own) return Array.isArray(value) ? [...value, WORD] : WORD;
  const [alternative] = anyOf ?? allOf ?? [];
  if (alternative) return renewed(document, alternative, value);
  if (items) return value.map((item: any) => renewed(document, items, item));
  if (!properties) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    properties[name] ? renewed(document, properties[name], field) : field,
  ]);
  return { ...Object.fromEntries(fields), [`field-${WORD}`]: WORD };
}
