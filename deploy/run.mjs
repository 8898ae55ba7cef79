// node deploy/run.mjs <entry> [arguments]: runs dist/<entry>.js in this process, built from the current sources.
import { pathToFileURL } from 'node:url';
import { endInterrupted, interruption } from './interruption.mjs';
import { entryFile, prepare } from './prepare.mjs';

await prepare();
interruption.addEventListener('abort', endInterrupted);
const [node, , entry, ...args] = process.argv;
const file = entryFile(entry);
process.argv = [node, file, ...args];
await import(pathToFileURL(file).href);
