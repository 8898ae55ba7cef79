import { SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiExtension } from '@nestjs/swagger';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { httpMessages } from './http.messages.js';
import type { AppRequest } from './request.js';

const TAKES_FILE = 'recense:takes-file';
/** Of a form, what holds the file. */
export const FIELD = 'file';
export const MULTIPART = 'multipart/form-data';

interface TakenFile {
  /** Of whole bodies; none where only a form will do. */
  types?: string[];
  /** Of the first of them. */
  example?: string;
  /** What a form holds beside the file, and what of that looks like. */
  fields?: Record<string, object>;
  form?: object;
}

const binary = { type: 'string', format: 'binary' };

/** The route takes a file: as the field `file` of a form, or as the whole body of one of these types. */
export const TakesFile = ({ types = [], example, fields = {}, form }: TakenFile): MethodDecorator =>
  applyDecorators(
    SetMetadata(TAKES_FILE, types),
    ApiExtension('x-file', {
      required: true,
      content: {
        [MULTIPART]: {
          schema: {
            type: 'object',
            required: [FIELD],
            properties: { [FIELD]: binary, ...fields },
            additionalProperties: false,
          },
          ...(form && { example: form }),
        },
        ...Object.fromEntries(types.map((type) => [type, { schema: binary }])),
        ...(types[0] && { [types[0]]: { schema: { type: 'string' }, example } }),
      },
    }),
  );

/** The types of whole bodies that the handler of a request takes; undefined where it takes no file. */
export const typesOfFile = (handler: object): string[] | undefined =>
  Reflect.getMetadata(TAKES_FILE, handler) as string[] | undefined;

export const typeOf = ({ headers }: AppRequest): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();

/** 415 for another type, before anything is read. @throws DomainError */
export function checkType(request: AppRequest, types: string[]): void {
  const isKnown = [MULTIPART, ...types].includes(typeOf(request));
  if (isKnown && request.headers['content-encoding'] === undefined) return;
  const accepted = [MULTIPART, ...types].join(', ');
  throw new DomainError('unsupported-media-type', { detail: say(httpMessages.file_type, accepted) });
}
