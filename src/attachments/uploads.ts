import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { Counter, Registry } from 'prom-client';
import { invalid, unavailable } from '../common/errors.js';
import { say } from '../common/messages.js';
import { validated } from '../contract/validation.pipe.js';
import type { Incoming, Upload } from '../http/upload.js';
import { AttachmentFormDto } from './attachments.dto.js';
import { attachmentMessages } from './attachments.messages.js';
import type { Attachment } from './attachment.entity.js';
import { TYPES, typeOf } from './content-type.js';
import type { ContentType } from './content-type.js';
import { KeptFiles } from './kept-files.js';
import type { NewFile } from './kept-files.js';
import { upright } from './pictures.js';

const MAX_MB = 15;
/** Of one instance: each has a file on disk, and no more of it in memory than a piece. */
const MAX_AT_ONCE = 64;
const FIELDS = ['kind'];

/** What is known of a file that was sent. */
type Taken = Pick<Attachment, 'kind' | 'name' | 'type' | 'width' | 'height'>;

/** Takes the files that are sent. */
@Injectable()
export class Uploads {
  private receiving = 0;
  private readonly taken: Counter;

  constructor(
    private readonly files: KeptFiles,
    registry: Registry,
  ) {
    this.taken = new Counter({
      name: 'attachments_taken_total',
      help: 'Photos and papers that were sent and kept, by their media type.',
      labelNames: ['type'],
      registers: [registry],
    });
  }

  /**
   * Receives a file, sees what it is, and keeps it: an image as it is seen, a paper as it is.
   * @param name writes the row that names it, in a transaction that the file is held in
   * @throws DomainError body-too-large, malformed-body, validation-failed, unsupported-media-type, unavailable
   */
  async take<Answer>(
    incoming: Incoming,
    userId: number,
    name: (file: NewFile, taken: Taken) => Promise<Answer>,
  ): Promise<Answer> {
    if (this.receiving >= MAX_AT_ONCE) throw unavailable();
    this.receiving++;
    let upload: Upload | undefined;
    try {
      upload = await incoming.receive(MAX_MB, FIELDS);
      const form = validated(AttachmentFormDto, upload.fields);
      const type = await typeOf(upload.read());
      const kind = form.kind ?? (type === 'application/pdf' ? 'other' : 'photo');
      if (kind === 'photo' && type === 'application/pdf')
        throw invalid({ kind: [say(attachmentMessages.no_photo)] });
      const { file, ...shape } = await this.content(upload, type, userId);
      await this.files.put(file);
      const answer = await name(file, { kind, type, name: upload.name, ...shape });
      this.taken.inc({ type });
      return answer;
    } finally {
      this.receiving--;
      await upload?.close();
    }
  }

  private async content(
    upload: Upload,
    type: ContentType,
    userId: number,
  ): Promise<{ file: NewFile; width: number | null; height: number | null }> {
    const format = TYPES[type];
    if (format === null) {
      const { sha256, size } = upload;
      return { file: { sha256, size, read: () => upload.read() }, width: null, height: null };
    }
    return this.files.painters.run(async () => {
      const { content, ...shape } = await upright(await buffer(upload.read()), format);
      const sha256 = createHash('sha256').update(content).digest('hex');
      return { file: { sha256, size: content.length, read: () => pieces(content) }, ...shape };
    }, String(userId));
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- it is read like any other
async function* pieces(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}
