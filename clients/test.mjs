// npm run test:clients [-- kotlin | python]: makes the clients of other languages with their generators, checks them,
// and lets each speak with a service. Code 75 where a generator or a compiler could not be had, else that of the tests.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import process from 'node:process';

/** EX_TEMPFAIL of sysexits.h: nothing is known, try again later. */
const UNKNOWN = 75;
const root = join(import.meta.dirname, '..');

function run(folder, command, ...args) {
  return (
    spawnSync(command, args, { cwd: join(root, folder), stdio: ['ignore', 'inherit', 'inherit'] }).status ===
    0
  );
}

/** What each language needs, from the package managers: Java, Maven and Python are the machine's. */
const FETCH = {
  // The last goal finds nothing to compile, yet fetches the compiler. The generator leaves what it no longer makes.
  kotlin: () =>
    run(
      'clients/kotlin',
      'mvn',
      '-B',
      '-q',
      'dependency:copy',
      'dependency:copy-dependencies',
      'kotlin:test-compile',
    ) && run('clients/kotlin', 'rm', '-rf', 'target/client'),
  python: () =>
    run('clients/python', 'python3', '-m', 'venv', '.venv') &&
    run('clients/python', '.venv/bin/pip', 'install', '-q', '-r', 'requirements.txt'),
};

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(FETCH);
const there = names.filter((name) => FETCH[name]());
const missing = names.filter((name) => !there.includes(name));
process.exitCode = missing.length > 0 ? UNKNOWN : 0;
for (const name of missing) console.error(`What the client in ${name} needs could not be had.`);
if (there.length > 0) {
  process.env.RECENSE_CLIENT = there.join(',');
  const jest = [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
  ];
  const args = ['-w', '1', '--testMatch', '**/*.client-spec.ts'];
  if (!run('.', process.execPath, 'deploy/build.mjs') || !run('.', process.execPath, ...jest, ...args))
    process.exitCode = 1;
}
