import { join } from 'node:path';
import type { Env } from '../config/env.js';
import { BucketFiles } from './bucket.js';
import type { Files } from './files.js';
import { FOLDER, FolderFiles } from './folder.js';

/** Where the settings say. */
export function filesOf({ FILES_URL, FILES_ACCESS_KEY, FILES_SECRET_KEY, DATA_DIR }: Env): Files {
  if (FILES_URL === undefined) return new FolderFiles(join(DATA_DIR, FOLDER));
  return new BucketFiles(FILES_URL, {
    accessKeyId: FILES_ACCESS_KEY!,
    secretAccessKey: FILES_SECRET_KEY!,
  });
}
