import { Busboy } from '@fastify/busboy';
import { SetMetadata, applyDecorators, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { open, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Response } from 'express';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { httpMessages } from './http.messages.js';
import type { AppRequest } from './request.js';

const TAKES_FILE = 'recense:takes-file';
const FIELD = 'file';
const MULTIPART = 'multipart/form-data';
const MIB = 1_048_576;
/** Of a body in parts, beside the file. */
const ENVELOPE = 65_536;
/** Of a file, at a time. */
const PIECE = 65_536;
/** Of a request whose sender has gone. */
const GONE = /^(ERR_STREAM_PREMATURE_CLOSE|ECONNRESET)$/;

type Form = InstanceType<typeof Busboy>;

interface TakenFile {
  /** Of whole bodies. */
  types: string[];
  /** Of the first of them. */
  example: string;
}

const binary = { type: 'string', format: 'binary' };

/** The route takes a file: as the field `file` of a form, or as the whole body of one of these types. */
export const TakesFile = ({ types, example }: TakenFile): MethodDecorator =>
  applyDecorators(
    SetMetadata(TAKES_FILE, types),
    ApiExtension('x-file', {
      required: true,
      content: {
        [MULTIPART]: {
          schema: {
            type: 'object',
            required: [FIELD],
            properties: { [FIELD]: binary },
            additionalProperties: false,
          },
        },
        ...Object.fromEntries(types.map((type) => [type, { schema: binary }])),
        [types[0]!]: { schema: { type: 'string' }, example },
      },
    }),
  );

/** The types of whole bodies that the handler of a request takes; undefined where it takes no file. */
export const typesOfFile = (handler: object): string[] | undefined =>
  Reflect.getMetadata(TAKES_FILE, handler) as string[] | undefined;

const typeOf = ({ headers }: AppRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

/** 415 for another type, before anything is read. @throws DomainError */
export function checkType(request: AppRequest, types: string[]): void {
  const isKnown = [MULTIPART, ...types].includes(typeOf(request));
  if (isKnown && request.headers['content-encoding'] === undefined) return;
  const accepted = [MULTIPART, ...types].join(', ');
  throw new DomainError('unsupported-media-type', { detail: say(httpMessages.file_type, accepted) });
}

/** What was sent: on disk, under no name, so that nothing is left of it however the process ends. */
export class Upload {
  constructor(
    /** As the sender calls it, without folders. */
    readonly name: string,
    private readonly handle: FileHandle,
  ) {}

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

/** Reads the file of a request, as it comes. @throws DomainError body-too-large, malformed-body, validation-failed */
export async function receive(request: AppRequest, response: Response, maxMb: number): Promise<Upload> {
  const maxBytes = maxMb * MIB;
  const tooLarge = () => new DomainError('body-too-large', { detail: say(httpMessages.file_size, maxMb) });
  if (Number(request.headers['content-length']) > maxBytes + ENVELOPE) throw tooLarge();
  if (/100-continue/i.test(request.headers.expect ?? '')) response.writeContinue();
  const path = join(tmpdir(), `recense-${randomUUID()}`);
  const handle = await open(path, 'wx+', 0o600);
  await unlink(path);
  try {
    const isForm = typeOf(request) === MULTIPART;
    const write = (bytes: AsyncIterable<Buffer>) => writeTo(handle, bytes, maxBytes, tooLarge);
    const name = isForm ? await readForm(request, maxBytes, write) : (await write(bytesOf(request)), FIELD);
    return new Upload(name, handle);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function writeTo(
  handle: FileHandle,
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
  tooLarge: () => DomainError,
): Promise<void> {
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > maxBytes) throw tooLarge();
    await handle.writeFile(chunk);
  }
}

/** Resolves to the name of the file. */
async function readForm(
  request: AppRequest,
  maxBytes: number,
  write: (bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<string> {
  const errors = new Map<string, string>();
  let name: string | undefined;
  let written: Promise<void> | undefined;
  const form = formOf(request, maxBytes);
  form.on('file', (field, stream, fileName) => {
    if (field !== FIELD || written) {
      errors.set(field, say(written ? httpMessages.given_twice : httpMessages.unknown_field));
      stream.resume();
      return;
    }
    name = basename((fileName || FIELD).replaceAll('\\', '/'));
    written = write(stream);
    written.catch((error: unknown) => form.destroy(error as Error));
  });
  form.on('field', (field) => errors.set(field, say(httpMessages.unknown_field)));
  try {
    await feed(form, request);
  } catch (error) {
    await written?.catch(() => undefined);
    if (error instanceof DomainError || GONE.test(String((error as { code?: unknown }).code))) throw error;
    throw new DomainError('malformed-body', { detail: say(httpMessages.form) });
  }
  await written;
  if (!written) errors.set(FIELD, say(httpMessages.file_missing));
  if (errors.size > 0)
    throw invalid(Object.fromEntries([...errors].map(([field, message]) => [field, [message]])));
  return name!;
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

  receive(maxMb: number): Promise<Upload> {
    return receive(this.request, this.response, maxMb);
  }

  /** Answers what was made of it, and where that is. */
  async accepted<Row extends { id: number }, Answer>(
    row: Promise<Row>,
    answer: (row: Row) => Answer,
  ): Promise<Answer> {
    const made = await row;
    this.response.location(`${this.request.entry?.template.replace(/\/\{\w+\}$/, '')}/${made.id}`);
    return answer(made);
  }
}

export const IncomingFile = createParamDecorator((_: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new Incoming(http.getRequest<AppRequest>(), http.getResponse<Response>());
});
