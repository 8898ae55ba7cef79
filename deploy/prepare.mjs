// Brings node_modules and dist up to date with the sources; takes some milliseconds if they are.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endInterrupted, interruption } from './interruption.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const builds = join(root, '.build');
const dist = join(root, 'dist');
const lock = join(builds, '.lock');
const LOCK_LIMIT = 15 * 60_000;

/** Installs the dependencies and builds, where needed. Ends the process with a plain message on failure. */
export async function prepare() {
  try {
    checkNode();
    if (!isInstalled() || !isCurrent(sourceHash())) await withLock(bringUpToDate);
  } catch (error) {
    if (!interruption.aborted) {
      console.error(error.message);
      process.exit(1);
    }
  }
  if (interruption.aborted) endInterrupted();
}

async function bringUpToDate() {
  if (!isInstalled()) await install();
  const hash = sourceHash();
  if (!isBuilt(hash)) await build(hash);
  if (!isCurrent(hash)) publish(hash);
  removeOldBuilds();
}

function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Error(`Recense needs Node.js 20.19 or newer; this is ${process.versions.node}.`);
  }
}

const modified = (path) => fs.statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const isInstalled = () => modified('node_modules/.package-lock.json') >= modified('package-lock.json');

async function install() {
  // The build needs the development dependencies, whatever NODE_ENV says, and nothing needs an install script.
  const args = 'ci --include=dev --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error';
  await run('Installing dependencies…', 'npm', args.split(' '), { shell: process.platform === 'win32' });
  fs.utimesSync(join(root, 'node_modules/.package-lock.json'), new Date(), new Date());
}

function sourceHash() {
  const hash = createHash('sha256');
  const add = (path) => {
    if (!fs.statSync(path).isDirectory()) {
      hash
        .update(`${relative(root, path)}\0`)
        .update(fs.readFileSync(path))
        .update('\0');
      return;
    }
    for (const name of fs.readdirSync(path).sort()) if (!name.endsWith('.spec.ts')) add(join(path, name));
  };
  const isSource = (name) =>
    /^(src|web|clients|migrations|ormconfig\.ts|package-lock\.json|tsconfig.*\.json)$/.test(name);
  for (const name of fs.readdirSync(root).filter(isSource).sort())
    add(join(root, name, name === 'clients' ? 'typescript/src' : ''));
  return hash.digest('hex').slice(0, 12);
}

const target = (hash) => join('.build', hash, 'src');
const isBuilt = (hash) => fs.existsSync(join(builds, hash, '.complete'));
const isCurrent = (hash) =>
  isBuilt(hash) &&
  fs.lstatSync(dist, { throwIfNoEntry: false })?.isSymbolicLink() &&
  fs.readlinkSync(dist) === target(hash);

async function build(hash) {
  const work = join(builds, `${hash}.${process.pid}`);
  const tsc = join(root, 'node_modules/typescript-native/bin/tsc'); // in a fifth of the time
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const node = (title, args) => run(title, process.execPath, args);
  try {
    await node('Building…', [tsc, '-p', 'tsconfig.build.json', '--outDir', work]);
    await node('Building the pages…', [
      vite,
      'build',
      'web',
      '--outDir',
      join(work, 'app'),
      '--logLevel',
      'warn',
    ]);
  } catch (error) {
    fs.rmSync(work, { recursive: true, force: true });
    throw error;
  }
  fs.writeFileSync(join(work, '.complete'), '');
  fs.rmSync(join(builds, hash), { recursive: true, force: true });
  fs.renameSync(work, join(builds, hash));
}

/** Points dist to the build. A running instance has resolved the link, and goes on with the files of its own build. */
function publish(hash) {
  const link = join(builds, `dist.${process.pid}`);
  fs.rmSync(link, { force: true });
  fs.symlinkSync(target(hash), link);
  if (fs.lstatSync(dist, { throwIfNoEntry: false })?.isDirectory()) fs.rmSync(dist, { recursive: true });
  fs.renameSync(link, dist);
  fs.utimesSync(join(builds, hash, '.complete'), new Date(), new Date());
}

const RUNS = '.runs-';

/** The file of an entry. Its build stays for as long as this process lives, which may load more of it at any time. */
export function entryFile(entry) {
  const file = fs.realpathSync(join(dist, `${entry}.js`)); // dist may soon point to a newer build
  const mark = join(dirname(dirname(file)), RUNS + process.pid);
  try {
    fs.writeFileSync(mark, '');
    process.on('exit', () => fs.rmSync(mark, { force: true }));
  } catch {
    // Who may not write there builds nothing either.
  }
  return file;
}

const isRunning = (name) =>
  fs
    .readdirSync(join(builds, name))
    .some((mark) => mark.startsWith(RUNS) && isThere(mark.slice(RUNS.length)));

/** Keeps the two used last, and those that run; interrupted builds go too. */
function removeOldBuilds() {
  const used = (name) => modified(join('.build', name, '.complete'));
  const names = fs.readdirSync(builds).filter((name) => !name.startsWith('.'));
  const kept = names
    .filter(isBuilt)
    .sort((a, b) => used(b) - used(a))
    .filter((name, at) => at < 2 || isRunning(name));
  for (const name of names.filter((name) => !kept.includes(name))) {
    fs.rmSync(join(builds, name), { recursive: true, force: true });
  }
}

/**
 * The output goes to stderr, as a command's own may be read by a program. What runs has its pid in the lock too: if this
 * process is killed, its successor waits until that has ended, rather than write to the same files.
 */
async function run(title, program, args, options) {
  interruption.throwIfAborted();
  console.error(title);
  const isGroup = process.platform !== 'win32';
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 2, 2], detached: isGroup, ...options });
  const mark = join(lock, String(child.pid));
  if (child.pid) fs.writeFileSync(mark, '');
  // With all that it has started: before Node.js 22.15 the compiler is a process of its own, which would go on writing.
  const kill = (signal) => {
    try {
      process.kill(isGroup ? -child.pid : child.pid, signal);
    } catch {
      // It has ended.
    }
  };
  const stop = () => {
    kill('SIGTERM');
    setTimeout(() => kill('SIGKILL'), 2000); // npm wants to put back what it had first, and waits for the network
  };
  interruption.addEventListener('abort', stop);
  const [status, reason = '.'] = await once(child, 'exit').then(
    ([code]) => [code],
    (error) => [null, `: ${error.message}`],
  );
  interruption.removeEventListener('abort', stop);
  if (interruption.aborted) kill('SIGKILL'); // what has not ended with it: the compiler heeds no other signal
  fs.rmSync(mark, { force: true });
  interruption.throwIfAborted();
  if (status !== 0) throw new Error(`${title.replace('…', '')} failed${reason}`);
}

/**
 * The lock is a folder that holds a file named after its owner. A folder can be renamed to it only while it is
 * missing or empty, so that of several contenders one wins, and removing a dead owner's file frees it safely.
 */
async function withLock(work) {
  const mine = join(builds, `.lock.${process.pid}`);
  fs.mkdirSync(mine, { recursive: true });
  fs.writeFileSync(join(mine, String(process.pid)), '');
  try {
    while (!take(mine)) {
      for (const pid of fs.existsSync(lock) ? fs.readdirSync(lock) : []) {
        if (!isAlive(pid)) fs.rmSync(join(lock, pid), { force: true });
      }
      await sleep(50);
      interruption.throwIfAborted();
    }
    await work();
  } finally {
    fs.rmSync(mine, { recursive: true, force: true });
    fs.rmSync(join(lock, String(process.pid)), { force: true });
  }
}

function take(mine) {
  try {
    fs.renameSync(mine, lock);
    return true;
  } catch (error) {
    if (error.code === 'ENOTEMPTY' || error.code === 'EEXIST') return false;
    throw error;
  }
}

/** A lock of long ago may name a pid that another process has got since. */
const isAlive = (pid) => isThere(pid) && Date.now() - modified(join('.build', '.lock', pid)) < LOCK_LIMIT;

function isThere(pid) {
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    return error.code !== 'ESRCH';
  }
  return true;
}
