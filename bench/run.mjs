// npm run bench: brings the build of the service up to date, compiles the bench beside it, and runs it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { prepare, root } from '../deploy/prepare.mjs';

await prepare();
const tsc = join(root, 'node_modules/typescript/bin/tsc');
const { status } = spawnSync(process.execPath, [tsc, '-p', 'bench'], { cwd: root, stdio: 'inherit' });
if (status !== 0) process.exit(1);
process.chdir(root);
await import('../.build/.bench/bench/main.js');
