import { Busboy } from '@fastify/busboy';
import { Logger, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Response } from 'express';
import { DomainError, invalid, unavailable } from '../common/errors.js';
import { say } from '../common/messages.js';
import { isHungUp } from './download.js';
import { httpMessages } from './http.messages.js';
import type { AppRequest } from './request.js';
import { FIELD, MULTIPART, typeOf } from './takes-file.js';

const MIB = 1_048_576;
/** Of a body in parts, beside the file. */
const ENVELOPE = 65_536;
/** Of a file, at a time. */
const PIECE = 65_536;
/** In characters. */
const MAX_NAME = 255;

const logger = new Logger('Uploads');

type Form = InstanceType<typeof Busboy>;

interface Written {
  size: number;
  /** In hexadecimal digits. */
  sha256: string;
}

interface Sent {
  /** Of the file, as the sender calls it and as rows hold it, without folders. */
  name: string;
  fields: Record<string, string>;
  written: Written;
}

/** What was sent: on disk, under no name, so that nothing is left of it however the process ends. */
export class Upload {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  /** What a form holds beside the file. */
  readonly fields: Record<string, string>;

  constructor(
    { name, fields, written }: Sent,
    private readonly handle: FileHandle,
  ) {
    Object.assign(this, { name, fields, ...written });
  }

  /** The bytes, from the first one. Streams of a handle close it. */
  async *read(): AsyncGenerator<Buffer> {
    for (let at = 0; ;) {
      const { bytesRead, buffer } = await this.handle.read(Buffer.allocUnsafe(PIECE), 0, PIECE, at);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      at += bytesRead;
    }
  }

  close(): Promise<void> {
    return this.handle.close();
  }
}

/**
 * Reads the file of a request, as it comes.
 * @throws DomainError body-too-large, malformed-body, validation-failed, unavailable
 */
async function receive(
  request: AppRequest,
  response: Response,
  maxMb: number,
  fields: string[],
): Promise<Upload> {
  const maxBytes = maxMb * MIB;
  const tooLarge = () => new DomainError('body-too-large', { detail: say(httpMessages.file_size, maxMb) });
  if (Number(request.headers['content-length']) > maxBytes + ENVELOPE) throw tooLarge();
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
  const path = join(tmpdir(), `recense-${randomUUID()}`);
  const handle = await onDisk(open(path, 'wx+', 0o600));
  await onDisk(unlink(path));
  try {
    const isForm = typeOf(request) === MULTIPART;
    const write = (bytes: AsyncIterable<Buffer>) => writeTo(handle, bytes, maxBytes, tooLarge);
    const sent = isForm
      ? await readForm(request, maxBytes, fields, write)
      : { name: FIELD, fields: {}, written: await write(bytesOf(request)) };
    return new Upload(sent, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** A disk that is full may be better in a moment. @throws DomainError unavailable */
async function onDisk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    logger.error({ err: error }, 'What is sent cannot be written');
    throw unavailable();
  }
}

async function writeTo(
  handle: FileHandle,
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => DomainError,
): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    hash.update(chunk);
    await onDisk(handle.writeFile(chunk));
  }
  return { size, sha256: hash.digest('hex') };
}

async function readForm(
  request: AppRequest,
  maxBytes: number,
  known: string[],
  write: (bytes: AsyncIterable<Buffer>) => Promise<Written>,
): Promise<Sent> {
  const errors = new Map<string, string>();
  const fields: Record<string, string> = {};
  let name = FIELD;
  let stream: Readable | undefined;
  let written: Promise<Written> | undefined;
  const form = formOf(request, maxBytes);
  form.on('error', () => undefined); // of several, `feed` tells the first
  const malformed = () => new DomainError('malformed-body', { detail: say(httpMessages.form) });
  form.on('file', (field: string | undefined, part, fileName) => {
    if (field === undefined) return void form.destroy(malformed());
    if (field !== FIELD || written) {
      errors.set(field, say(written ? httpMessages.given_twice : httpMessages.unknown_field));
      part.on('error', () => undefined).resume();
      return;
    }
    name = nameOf(fileName || ''); // some forms send none
    stream = part;
    written = write(part);
    written.catch((error: unknown) => form.destroy(error as Error));
  });
  form.on('field', (field: string | undefined, value) => {
    if (field === undefined) form.destroy(malformed());
    else if (!known.includes(field)) errors.set(field, say(httpMessages.unknown_field));
    else if (Object.hasOwn(fields, field)) errors.set(field, say(httpMessages.given_twice));
    else fields[field] = value;
  });
  try {
    await feed(form, request);
  } catch (error) {
    stream?.destroy(error as Error); // whose end never comes
    await written?.catch(() => undefined);
    if (error instanceof DomainError || isHungUp(error)) throw error;
    throw malformed();
  }
  if (!written) errors.set(FIELD, say(httpMessages.file_missing));
  const file = await written;
  if (!file || errors.size > 0)
    throw invalid(Object.fromEntries([...errors].map(([field, message]) => [field, [message]])));
  return { name, fields, written: file };
}

/** @throws what the form is destroyed with, or what it finds wrong in what it reads */
async function feed(form: Form, request: AppRequest): Promise<void> {
  const ended = once(form, 'finish');
  ended.catch(() => undefined); // whoever writes is told
  for await (const chunk of bytesOf(request))
    if (!form.write(chunk)) await Promise.race([once(form, 'drain'), ended]);
  form.end();
  await ended;
}

/** Of a request that is not read to its end, the answer still goes out. */
const bytesOf = (request: AppRequest): AsyncIterable<Buffer> =>
  request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;

function formOf({ headers }: AppRequest, maxBytes: number): Form {
  try {
    const limits = { fieldSize: 1024, fields: 20, files: 2, parts: 22, fileSize: maxBytes + 1 };
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type']! }, limits });
  } catch {
    throw new DomainError('malformed-body', { detail: say(httpMessages.form) });
  }
}

/** A request that brings a file, which is read once everything else is known to be right. */
export class Incoming {
  constructor(
    private readonly request: AppRequest,
    private readonly response: Response,
  ) {}

  /** @param fields what a form may hold beside the file. Counts as the body by which repeated requests are known */
  async receive(maxMb: number, fields: string[] = []): Promise<Upload> {
    const upload = await receive(this.request, this.response, maxMb, fields);
    this.request.body = { ...upload.fields, [FIELD]: upload.sha256 };
    return upload;
  }
}

export const IncomingFile = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new Incoming(http.getRequest<AppRequest>(), http.getResponse<Response>());
});

/** Of a path the last name, without what no name of a row holds; a long one keeps its ending. */
function nameOf(path: string): string {
  const plain =
    basename(path.replaceAll('\\', '/'))
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]/gu, '')
      .trim() || FIELD;
  const letters = [...plain];
  if (letters.length <= MAX_NAME) return plain;
  const ending = [...extname(plain)].slice(0, 20);
  return [...letters.slice(0, MAX_NAME - ending.length), ...ending].join('');
}
