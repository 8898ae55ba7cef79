import { AwsV4Signer } from 'aws4fetch';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Range } from '../http/stored-file.js';
import { FILE_NAME, Files, PATIENCE_MS } from './files.js';
import type { KeptName } from './files.js';

const UNSIGNED = 'UNSIGNED-PAYLOAD';
/** Of what a bucket lists. */
const CONTENTS = /<Contents>[^]*?<\/Contents>/g;
const textOf = (xml: string, element: string): string | undefined =>
  new RegExp(`<${element}>([^<]*)</${element}>`).exec(xml)?.[1];

/** Of those who have it in their names. Others begin with `s3.` too: what follows may be anything. */
const IN_ITS_NAME =
  /^s3[.-](?:(?:fips|dualstack)\.)*([a-z0-9-]+)\.(?:amazonaws\.com(?:\.cn)?|scw\.cloud|wasabisys\.com|backblazeb2\.com|(?:io|perf)\.cloud\.ovh\.net)$/;

export const regionOf = (host: string): string => IN_ITS_NAME.exec(host)?.[1] ?? 'us-east-1';

interface Asked {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  content?: AsyncIterable<Buffer>;
}

/** Files in a bucket that is spoken to as Amazon's S3 is, below a prefix. Each is put by one request: whole, or not at all. */
export class BucketFiles extends Files {
  private readonly base: string;
  private readonly region: string;

  /** @param url as FILES_URL has it: `s3+https://host/bucket/prefix`, with `?region=` where the host does not tell it */
  constructor(
    url: string,
    private readonly keys: { accessKeyId: string; secretAccessKey: string },
    private readonly page = 1000,
  ) {
    super();
    const { origin, hostname, pathname, searchParams } = new URL(url.replace(/^s3\+/, ''));
    this.base = origin + pathname.replace(/\/+$/, '');
    this.region = searchParams.get('region') ?? regionOf(hostname);
  }

  async put(name: string, content: AsyncIterable<Buffer>, size: number): Promise<void> {
    if ((await this.size(name)) === size) return;
    const sha256 = name.length === 64 ? name : UNSIGNED;
    const headers = { 'content-length': String(size), 'x-amz-content-sha256': sha256 };
    const answer = await this.ask('PUT', name, { headers, content });
    await answer.arrayBuffer();
  }

  async size(name: string): Promise<number | null> {
    const { status, headers } = await this.ask('HEAD', name);
    return status === 404 ? null : Number(headers.get('content-length'));
  }

  async read(name: string, range?: Range): Promise<Readable | null> {
    const headers = range ? { range: `bytes=${range.from}-${range.to}` } : undefined;
    const answer = await this.ask('GET', name, { headers });
    if (answer.status !== 404) return Readable.fromWeb(answer.body as ReadableStream);
    if (textOf(await answer.text(), 'Code') === 'NoSuchBucket')
      throw new Error(`There is no bucket ${this.base}`);
    return null;
  }

  async *list(): AsyncGenerator<KeptName[]> {
    const [, bucket, ...folders] = new URL(this.base).pathname.split('/');
    const prefix = folders.map((folder) => `${decodeURIComponent(folder)}/`).join('');
    // By the older of the two ways to list, which every server has: from the last name of the page before.
    for (let marker: string | undefined = ''; marker !== undefined;) {
      const query: Record<string, string> = { 'max-keys': String(this.page), marker, prefix };
      const xml: string = await (await this.ask('GET', `/${bucket}`, { query })).text();
      const entries = xml.match(CONTENTS) ?? [];
      yield entries.flatMap((entry) => {
        const name = textOf(entry, 'Key')?.slice(prefix.length) ?? '';
        return FILE_NAME.test(name) ? [{ name, at: new Date(textOf(entry, 'LastModified') ?? '') }] : [];
      });
      marker = textOf(xml, 'IsTruncated') === 'true' ? textOf(entries.at(-1) ?? '', 'Key') : undefined;
    }
  }

  async remove(name: string): Promise<void> {
    await (await this.ask('DELETE', name)).arrayBuffer();
  }

  /** The bucket itself takes care of it. */
  async removeUnfinished(): Promise<void> {
    // There is none: a file comes by one request.
  }

  /**
   * A name that begins with a slash is a path of the host.
   * @throws Error unless the answer is one, or says that a file that is asked for is not there
   */
  private async ask(method: string, name: string, asked: Asked = {}): Promise<Response> {
    const url = new URL(name.startsWith('/') ? name : `${this.base}/${name}`, this.base);
    for (const [field, value] of Object.entries(asked.query ?? {})) url.searchParams.set(field, value);
    const headers = { 'x-amz-content-sha256': UNSIGNED, ...asked.headers };
    const { region, keys } = this;
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers,
      service: 's3',
      region,
      ...keys,
    }).sign();
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new Error('The bucket does not answer')), PATIENCE_MS);
    try {
      const answer = await fetch(signed.url, {
        method,
        headers: signed.headers,
        signal: patience.signal,
        redirect: 'error',
        ...(asked.content && {
          body: Readable.toWeb(Readable.from(asked.content)) as RequestInit['body'],
          duplex: 'half',
        }),
      });
      // Of a file that is put, or of a list, 404 says that there is no bucket.
      const mayBeMissing = method !== 'PUT' && !name.startsWith('/');
      if (answer.ok || (answer.status === 404 && mayBeMissing)) return answer;
      throw new Error(`${method} ${url.pathname}: ${answer.status} ${(await answer.text()).slice(0, 500)}`);
    } finally {
      clearTimeout(timer);
    }
  }
}
