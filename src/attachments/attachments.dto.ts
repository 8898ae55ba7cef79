import { ApiProperty } from '@nestjs/swagger';
import { InstantAnswer, WordAnswer } from '../contract/answers.js';
import { PatchOf } from '../contract/field.js';
import { BooleanField, ChoiceField, FileNameField } from '../contract/fields.js';
import { NamedAnswer, NamedDto, named } from '../contract/openapi.js';
import { ListQuery, SortParam } from '../contract/list-query.js';
import type { Resource } from '../contract/resource.js';
import { photoUrl } from '../contract/photo.js';
import { ATTACHMENT_KINDS } from './attachment.entity.js';
import type { Attachment, AttachmentKind } from './attachment.entity.js';
import { TYPES } from './content-type.js';

export const THUMBNAIL_SIZES = ['320', '1280'] as const;

export class AttachmentsQuery extends ListQuery {
  @ChoiceField({ optional: true, of: ATTACHMENT_KINDS, description: 'Attachments of this kind.' })
  kind?: AttachmentKind;

  @SortParam('id', 'name', 'created_at')
  declare sort?: string;
}

export class AttachmentFileQuery {
  @ChoiceField({
    optional: true,
    of: THUMBNAIL_SIZES,
    names: ['SMALL', 'LARGE'],
    description: 'Of an image: within a square of so many pixels, as WebP. The image as it is kept without.',
  })
  size?: (typeof THUMBNAIL_SIZES)[number];
}

/** What a form holds beside the file. */
export class AttachmentFormDto {
  @ChoiceField({ optional: true, of: ATTACHMENT_KINDS })
  kind?: AttachmentKind;
}

class AttachmentFields {
  @ChoiceField({ of: ATTACHMENT_KINDS, example: 'photo', description: 'A PDF is no `photo`.' })
  kind: AttachmentKind;

  @FileNameField({ max: 255, example: 'portable.png', description: 'Of the file, when it is saved.' })
  name: string;

  @BooleanField({
    example: true,
    description: '`true` makes a photo the cover; `false` leaves that to the first photo again.',
  })
  is_cover: boolean;
}

export class UpdateAttachmentDto extends PatchOf(AttachmentFields) {}

export class AttachmentDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @WordAnswer(ATTACHMENT_KINDS, { example: 'photo' })
  kind: AttachmentKind;

  @ApiProperty({ example: 'portable.png', description: 'Of the file.' })
  name: string;

  @WordAnswer(Object.keys(TYPES), { example: 'image/png', description: 'Media type, by the content.' })
  type: string;

  @ApiProperty({ type: 'integer', example: 1312, description: 'In bytes.' })
  size: number;

  @ApiProperty({ type: 'integer', nullable: true, example: 640, description: 'In pixels; null for a PDF.' })
  width: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: 480, description: 'In pixels; null for a PDF.' })
  height: number | null;

  @ApiProperty({ example: true, description: 'Whether it is the `photo_url` of what it is of.' })
  is_cover: boolean;

  @ApiProperty({ example: '/api/v1/attachments/1', description: 'Where the file is.' })
  url: string;

  @ApiProperty({ type: 'integer', nullable: true, example: 1 })
  purchase_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  article_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  equipment_id: number | null;

  @ApiProperty({ type: 'integer', nullable: true, example: null, description: 'The session of the scan.' })
  inventory_id: number | null;

  @ApiProperty({ type: 'integer', format: 'int64', nullable: true, example: null })
  scan_id: number | null;

  @NamedAnswer({ id: 7, name: 'Compte de démonstration' })
  created_by: NamedDto | null;

  @InstantAnswer()
  created_at: Date;

  @InstantAnswer()
  updated_at: Date;
}

const isCover = ({ id, purchase, article, equipment }: Attachment): boolean =>
  (purchase ?? article ?? equipment)?.photo_id === id;

const toAttachmentDto = (row: Attachment): AttachmentDto => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  type: row.type,
  size: row.size,
  width: row.width,
  height: row.height,
  is_cover: isCover(row),
  url: photoUrl(row.id),
  purchase_id: row.purchase_id,
  article_id: row.article_id,
  equipment_id: row.equipment_id,
  inventory_id: row.inventory_id,
  scan_id: row.scan_id,
  created_by: named(row.creator),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export const attachment: Resource<Attachment, AttachmentDto> = {
  // Also of the file itself, which another release does not answer otherwise.
  tag: (row) => `"${row.sha256.slice(0, 16)}-${row.version}${isCover(row) ? '-cover' : ''}"`,
  answer: toAttachmentDto,
};
