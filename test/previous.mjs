// npm run test:previous [-- REF [JEST ARGUMENTS]]: the tests of another release, by default the last that has a tag,
// on that release's code and the schema of this one. While a deployment is under way, the two meet.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare, root } from '../deploy/prepare.mjs';

/** What says nothing about it. */
const LEFT_OUT = [
  '/test/(online-)?migration', // compare its own migrations with its own entities
  '/test/(start|backup)\\.', // make databases of their own, with its own schema
  '/test/docker\\.',
];

process.on('SIGINT', () => {}); // whatever runs below is told as well; then the worktree goes
const [ref = lastTag() ?? 'HEAD~1', ...args] = process.argv.slice(2);
await prepare(); // global-setup.js takes the migrations from our build
const tree = mkdtempSync(join(tmpdir(), 'recense-previous-'));
chmodSync(tree, 0o755);
try {
  run(root, 'git', ['worktree', 'add', '--detach', '--force', tree, ref]);
  run(tree, process.execPath, ['deploy/build.mjs']);
  const options = [
    ...['--globalSetup', join(root, 'test/support/global-setup.js')],
    ...['--globalTeardown', join(root, 'test/support/global-teardown.js')],
    ...LEFT_OUT.flatMap((pattern) => ['--testPathIgnorePatterns', pattern]),
  ];
  run(tree, process.execPath, [
    ...[
      '--experimental-vm-modules',
      '--disable-warning=ExperimentalWarning',
      'node_modules/jest/bin/jest.js',
    ],
    ...options,
    ...args,
  ]);
  console.log(`The tests of ${ref} pass on this schema.`);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  spawnSync('git', ['worktree', 'remove', '--force', tree], { cwd: root });
  rmSync(tree, { recursive: true, force: true });
}

function lastTag() {
  const { status, stdout } = spawnSync('git', ['describe', '--tags', '--abbrev=0'], { cwd: root });
  return status === 0 ? stdout.toString().trim() : undefined;
}

function run(cwd, program, args) {
  const { status, signal, error } = spawnSync(program, args, { cwd, stdio: 'inherit' });
  if (status !== 0)
    throw new Error(
      `${program} ${args.slice(0, 3).join(' ')} … ${error?.message ?? signal ?? `ended with ${status}`}`,
    );
}
