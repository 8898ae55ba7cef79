import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RunningProcess, stopAll, temporaryFolder } from './support/process.js';

/** In place of the compiler: `main` waits to be told to go on, and loads then what it has not loaded yet. */
const COMPILER = `
  const { mkdirSync, writeFileSync } = require('node:fs');
  const folder = process.argv.at(-1) + '/src';
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/cli.js', '');
  writeFileSync(folder + '/later.js', 'console.log("All is there.")');
  writeFileSync(folder + '/main.js', 'console.log("It runs."); process.stdin.once("data", () => import("./later.js"));');
`;

describe('A build', () => {
  const { path, remove } = temporaryFolder();
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  const run = (entry: string, input: string | null = '') =>
    new RunningProcess('sh', ['-c', `exec "${process.execPath}" deploy/run.mjs ${entry}`], {}, input, path);
  const change = async (source: string) => {
    write('src/x.ts', source);
    expect(await run('cli').ended).toBe(0);
  };
  const builds = () => readdirSync(join(path, '.build')).filter((name) => !name.startsWith('.'));

  beforeAll(() => {
    for (const name of ['prepare', 'run', 'interruption'])
      cpSync(`deploy/${name}.mjs`, join(path, `deploy/${name}.mjs`));
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    write('node_modules/typescript-native/package.json', '{}');
    write('node_modules/typescript-native/bin/tsc', COMPILER);
    write('node_modules/vite/bin/vite.js', '');
    write('node_modules/vite/package.json', '{}');
    write('node_modules/.package-lock.json', '{}');
  });
  afterAll(async () => {
    await stopAll();
    remove();
  });

  it('stays for as long as a process runs it, and else while it is one of the two used last', async () => {
    write('src/x.ts', '1');
    const service = run('main', null);
    await service.says(/It runs/);
    for (const source of ['2', '3', '4']) await change(source);
    expect(builds()).toHaveLength(3);
    service.child.stdin?.end('\n');
    expect(await service.ended).toBe(0);
    expect(service.output).toBe('It runs.\nAll is there.\n');
    await change('5');
    expect(builds()).toHaveLength(2);
  });
});
