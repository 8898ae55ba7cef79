// node deploy/run.mjs <entry> [arguments]: runs dist/<entry>.js in this process, built from the current sources.
import fs from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { endInterrupted, interruption } from './interruption.mjs';
import { prepare, root } from './prepare.mjs';

await prepare();
interruption.addEventListener('abort', endInterrupted);
const [node, , entry, ...args] = process.argv;
// The real path: dist may soon point to a newer build.
const file = fs.realpathSync(join(root, 'dist', `${entry}.js`));
process.argv = [node, file, ...args];
await import(pathToFileURL(file).href);
