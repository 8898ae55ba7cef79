import { Controller, Delete, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Access, CurrentUser } from '../auth/access.js';
import type { Principal } from '../auth/access.js';
import { IdInPath } from '../contract/id.pipe.js';
import { DeletedDto, Operation } from '../contract/openapi.js';
import { Change, Changing, Reply, Replying } from '../contract/resource.js';
import { CheckedBody, CheckedQuery } from '../contract/validation.pipe.js';
import type { StoredFile } from '../http/stored-file.js';
import { AttachmentDto, AttachmentFileQuery, UpdateAttachmentDto, attachment } from './attachments.dto.js';
import { FileOperation } from './attachments.openapi.js';
import { AttachmentsService } from './attachments.service.js';

@ApiTags('Photos and papers')
@Controller('attachments')
export class AttachmentsController {
  constructor(private readonly attachments: AttachmentsService) {}

  @FileOperation()
  get(
    @IdInPath() id: number,
    @CheckedQuery() { size }: AttachmentFileQuery,
    @CurrentUser() user: Principal,
    @Replying() reply: Reply,
  ): Promise<StoredFile> {
    return reply.of(
      { tag: ({ row }) => attachment.tag(row), answer: ({ file }) => file },
      this.attachments.file(id, size, user),
    );
  }

  @Access('attachments.manage')
  @Patch(':id')
  @Operation({
    id: 'updateAttachment',
    summary: 'Change what is told of a photo or a paper',
    description: 'Fields that are left out stay as they are. The file itself never changes: add another one.',
    answer: AttachmentDto,
    tagged: true,
    errors: ['not-found'],
  })
  update(
    @IdInPath() id: number,
    @CheckedBody() body: UpdateAttachmentDto,
    @CurrentUser() user: Principal,
    @Changing() change: Change,
  ): Promise<AttachmentDto> {
    return change.update(attachment, (by) => this.attachments.update(id, body, by, user));
  }

  @Access('attachments.manage', { own: 'inventories.scan' })
  @Delete(':id')
  @Operation({
    id: 'deleteAttachment',
    summary: 'Delete a photo or a paper',
    description:
      'The first of the photos that are left becomes the cover. The file is gone a day later. With `inventories.scan` alone: what one attached oneself to a scan, while its session is open.',
    answer: DeletedDto,
    errors: ['not-found', 'session-closed'],
  })
  delete(
    @IdInPath() id: number,
    @CurrentUser() user: Principal,
    @Changing() change: Change,
  ): Promise<DeletedDto> {
    return change.delete(attachment, id, (by) => this.attachments.delete(id, by, user));
  }
}
