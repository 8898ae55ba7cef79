import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of package.json, wherever the sources were built to. */
export const projectRoot = findRoot(import.meta.dirname);

export const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  version: string;
};

function findRoot(folder: string): string {
  try {
    readFileSync(join(folder, 'package.json'));
    return folder;
  } catch {
    return findRoot(dirname(folder));
  }
}
