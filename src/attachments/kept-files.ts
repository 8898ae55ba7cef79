import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import type { EntityManager } from 'typeorm';
import { Readable, addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { notFound, unavailable } from '../common/errors.js';
import { Limit, Turns } from '../common/limit.js';
import { Files, PATIENCE_MS as FILES_PATIENCE_MS } from '../files/files.js';
import { StoredFile } from '../http/stored-file.js';
import type { Attachment } from './attachment.entity.js';
import { attachmentMessages } from './attachments.messages.js';
import { thumbnail } from './pictures.js';

/** Of pg_advisory_xact_lock: held by whoever decides whether there are rows of a file. */
const FILE = 0xa77;
/** Pictures that are unpacked at a time, each on a thread of its own: others need the rest of Node's four. */
const PAINTERS = 2;
const PATIENCE_MS = 20_000;
const LINE = 64;
const REMOVING_MS = FILES_PATIENCE_MS + 10_000;

/** A file to be kept, by its SHA-256. */
export interface NewFile {
  sha256: string;
  size: number;
  read: () => AsyncIterable<Buffer>;
}

/** The bytes of attachments. */
@Injectable()
export class KeptFiles {
  readonly painters = new Limit(PAINTERS, PATIENCE_MS, LINE);
  private readonly turns = new Turns(PATIENCE_MS, LINE);
  private readonly logger = new Logger('Files');

  constructor(
    @InjectDataSource() private readonly database: DataSource,
    private readonly files: Files,
  ) {}

  /** @throws DomainError unavailable where nothing can be written */
  put({ sha256, size, read }: NewFile): Promise<void> {
    return this.reach(this.files.put(sha256, read(), size));
  }

  /** A disk that is full and a bucket that is away may be better in a moment. @throws DomainError unavailable */
  private async reach<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      this.logger.error({ err: error }, 'Files cannot be read or written');
      throw unavailable();
    }
  }

  /** Until the transaction ends the file is there: nobody takes it for one that no row names. */
  async hold(manager: EntityManager, file: NewFile): Promise<void> {
    await manager.query(`SELECT pg_advisory_xact_lock_shared(${FILE}, hashtext($1))`, [file.sha256]);
    await this.put(file);
  }

  /** @throws DomainError not-found where the file is lost */
  async open({ name, type, sha256, size, id }: Attachment, side?: string): Promise<StoredFile> {
    const file = side === undefined ? sha256 : `${sha256}-${side}`;
    const made = side === undefined ? size : await this.thumbnail(sha256, Number(side), file);
    const shown = side === undefined ? { name, type } : { name: `${name}.webp`, type: 'image/webp' };
    return new StoredFile({ ...shown, size: made, isShown: type !== 'application/pdf' }, async (range) => {
      const content = await this.reach(this.files.read(file, range));
      if (content) return content;
      this.logger.error({ attachment: id, file }, 'A file is missing');
      throw notFound(attachmentMessages.lost);
    });
  }

  /** Made when it is asked for the first time. Its size in bytes. */
  private async thumbnail(sha256: string, side: number, file: string): Promise<number> {
    const kept = await this.reach(this.files.size(file));
    if (kept !== null) return kept;
    return this.turns.run(file, async () => {
      const meanwhile = await this.reach(this.files.size(file));
      if (meanwhile !== null) return meanwhile;
      return this.painters.run(async () => {
        const picture = await this.reach(this.files.read(sha256));
        if (!picture) throw notFound(attachmentMessages.lost);
        const whole = await this.reach(buffer(addAbortSignal(AbortSignal.timeout(PATIENCE_MS), picture)));
        const made = await thumbnail(whole, side);
        await this.reach(this.files.put(file, Readable.from([made]), made.length));
        return made.length;
      });
    });
  }

  /** Whether it is gone: it stays where a row names it, or did a day ago. */
  async removeUnlessNamed(name: string): Promise<boolean> {
    const sha256 = sha256Of(name);
    return this.database.transaction(async (manager) => {
      // It idles while the file is removed. Were its lock gone by then, so would be what others name meanwhile.
      await manager.query(`SET LOCAL idle_in_transaction_session_timeout = ${REMOVING_MS}`);
      await manager.query(`SELECT pg_advisory_xact_lock(${FILE}, hashtext($1))`, [sha256]);
      if ((await namedOf(manager, [sha256])).size > 0) return false;
      await this.files.remove(name);
      return true;
    });
  }
}

/** Of a file, or of what it was made of. */
export const sha256Of = (name: string): string => name.slice(0, 64);

/** Which of these files rows name, or did a day ago. */
export async function namedOf(manager: EntityManager, sha256s: string[]): Promise<Set<string>> {
  const rows = await manager.query<{ sha256: string }[]>(
    `SELECT DISTINCT sha256 FROM attachments
     WHERE sha256 = ANY ($1) AND (deleted_at IS NULL OR deleted_at > now() - interval '1 day')`,
    [sha256s],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}
