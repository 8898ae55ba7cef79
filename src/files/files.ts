import type { Readable } from 'node:stream';
import type { Range } from '../http/stored-file.js';

/** What a file is called: the SHA-256 of its bytes, and what was made of it by what that is. */
export const FILE_NAME = /^([0-9a-f]{64})(-\d+)?$/;

/** Until a file is taken or removed, or has begun to be given. */
export const PATIENCE_MS = 30_000;

export interface KeptName {
  name: string;
  /** When it was written. */
  at: Date;
}

/** Where bytes lie. Every file is there as a whole or not at all, and never another one under the same name. */
export abstract class Files {
  /** @param content read once, unless the file is there already */
  abstract put(name: string, content: AsyncIterable<Buffer>, size: number): Promise<void>;

  /** In bytes; null where there is no such file. */
  abstract size(name: string): Promise<number | null>;

  /** Null where there is no such file. */
  abstract read(name: string, range?: Range): Promise<Readable | null>;

  /** Every file, some at a time. */
  abstract list(): AsyncGenerator<KeptName[]>;

  abstract remove(name: string): Promise<void>;

  /** What was begun before this instant and never ended. */
  abstract removeUnfinished(before: Date): Promise<void>;
}
