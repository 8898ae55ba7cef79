import { Get, Post, applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { Access, SignedIn } from '../auth/access.js';
import type { Permission } from '../auth/access.js';
import { Operation, PageOperation, headers } from '../contract/openapi.js';
import { TakesFile } from '../http/takes-file.js';
import { AttachmentDto } from './attachments.dto.js';
import { ATTACHMENT_KINDS } from './attachment.entity.js';
import { TYPES } from './content-type.js';

interface OfOwner {
  path: string;
  /** As the identifiers of the operations name it, and as people do. */
  name: string;
  what: string;
}

/** A route that lists the attachments of something. */
export const ListOf = (permission: Permission, { path, name, what }: OfOwner): MethodDecorator =>
  applyDecorators(
    Access(permission),
    Get(path),
    PageOperation({
      id: `list${name}Attachments`,
      summary: `List the photos and papers of ${what}`,
      description: 'With what is told of each; the file itself is at its `url`.',
      answer: AttachmentDto,
      errors: ['not-found'],
    }),
  );

/** A route that takes an attachment of something. */
export const AttachTo = (permission: Permission, { path, name, what }: OfOwner): MethodDecorator =>
  applyDecorators(
    Access(permission),
    Post(path),
    TakesFile({
      form: { kind: 'manual', file: '%PDF-1.4' },
      fields: {
        kind: {
          type: 'string',
          enum: ATTACHMENT_KINDS,
          description: '`photo` of an image and `other` of a PDF unless told otherwise; a PDF is no `photo`.',
        },
      },
    }),
    Operation({
      id: `attachTo${name}`,
      summary: `Add a photo or a paper to ${what}`,
      description:
        'JPEG, PNG, WebP or PDF, by its content, up to 15 MB, as the field `file` of a form. An image is turned upright, and what the camera noted beside it, such as where it was taken, is left out. Refused (415) for any other content, (422) for an image that is damaged, has a side of more than 20 000 pixels, or more than 65 million in all: 20 in WebP, 7 there with transparency, and fewer also of what comes in several passes.',
      answer: AttachmentDto,
      status: 201,
      errors: ['not-found'],
    }),
  );

const files = Object.keys(TYPES);
const binary = { schema: { type: 'string', format: 'binary' } } as const;
const header = (description: string) => ({ description, schema: { type: 'string' } }) as const;

/** The route of the file itself. */
export const FileOperation = (): MethodDecorator =>
  applyDecorators(
    SignedIn(),
    Get(':id'),
    Operation({
      id: 'getAttachment',
      summary: 'The file of a photo or a paper',
      description:
        'For who may see what it is of. Of several ranges of bytes the whole file. With `size` a thumbnail of an image.',
      files,
      tagged: true,
      errors: ['not-found', 'forbidden', 'range-not-satisfiable'],
    }),
    ApiHeader({
      name: 'Range',
      required: false,
      description: 'One range of bytes, such as `bytes=0-99` or `bytes=100-`: 206 with these alone.',
      schema: { type: 'string' },
    }),
    ApiHeader({
      name: 'If-Range',
      required: false,
      description:
        'The `ETag` of the part that you have: where it is another one by now, `Range` says nothing.',
      schema: { type: 'string' },
    }),
    ApiResponse({
      status: 206,
      description: 'Partial Content',
      headers: { ...headers, 'Content-Range': header('Which bytes of how many, such as `bytes 0-99/1234`.') },
      content: Object.fromEntries(files.map((type) => [type, binary])),
    }),
  );
