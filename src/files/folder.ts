import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Range } from '../http/stored-file.js';
import { FILE_NAME, Files } from './files.js';
import type { KeptName } from './files.js';

/** Of DATA_DIR. */
export const FOLDER = 'files';
/** Of that folder: what is not whole yet. */
export const UNFINISHED = 'unfinished';

const FOLDER_NAME = /^[0-9a-f]{2}$/;

/** Files in folders by the first two digits of their names. */
export class FolderFiles extends Files {
  constructor(private readonly root: string) {
    super();
  }

  async put(name: string, content: AsyncIterable<Buffer>, size: number): Promise<void> {
    if ((await this.size(name)) === size) return;
    const unfinished = join(this.root, UNFINISHED);
    await mkdir(unfinished, { recursive: true, mode: 0o700 });
    const path = join(unfinished, randomUUID());
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        for await (const chunk of content) await handle.writeFile(chunk);
        await handle.sync();
      } finally {
        await handle.close();
      }
      const folder = this.folderOf(name);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await rename(path, join(folder, name));
      for (const changed of [folder, this.root]) await syncFolder(changed);
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    }
  }

  async size(name: string): Promise<number | null> {
    return (await unlessMissing(stat(this.pathOf(name))))?.size ?? null;
  }

  async read(name: string, range?: Range): Promise<Readable | null> {
    const handle = await unlessMissing(open(this.pathOf(name)));
    if (!handle) return null;
    return handle.createReadStream(range && { start: range.from, end: range.to });
  }

  async *list(): AsyncGenerator<KeptName[]> {
    for (const folder of (await unlessMissing(readdir(this.root))) ?? []) {
      if (!FOLDER_NAME.test(folder)) continue; // what is unfinished, or no doing of ours
      const names = (await readdir(join(this.root, folder))).filter((name) => FILE_NAME.test(name));
      const found = await Promise.all(
        names.map(async (name) => ({ name, at: (await unlessMissing(stat(this.pathOf(name))))?.mtime })),
      );
      yield found.flatMap(({ name, at }) => (at ? [{ name, at }] : []));
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
  }

  async removeUnfinished(before: Date): Promise<void> {
    const folder = join(this.root, UNFINISHED);
    for (const name of (await unlessMissing(readdir(folder))) ?? []) {
      const found = await unlessMissing(stat(join(folder, name)));
      if (found && found.mtime < before) await rm(join(folder, name), { force: true });
    }
  }

  private folderOf(name: string): string {
    return join(this.root, name.slice(0, 2));
  }

  private pathOf(name: string): string {
    return join(this.folderOf(name), name);
  }
}

async function unlessMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Makes names as durable as what they name. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return; // cannot open one
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
