import fs from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import * as files from './files.js';
import type { Holder, Purpose } from './lock.js';
import { takeLock } from './lock.js';
import { EnvError } from '../../config/env.js';
import type { ServerOptions } from './server.js';
import { connect, processName, readPidFile, START_LIMIT, startServer, urlOf } from './server.js';

export interface EmbeddedServer {
  url: string;
  /** Whether this process runs the server, or only uses that of another one. */
  owned: boolean;
  /** Whether this call made the database. */
  fresh: boolean;
  /** Resolves once nobody else uses a server that is our own; from then on nobody can join it. */
  waitForOthers(onWait: () => void): Promise<void>;
  /** Ends the server, if it is our own, whoever uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedServerOptions extends ServerOptions {
  /** Is given `stop` before anything runs: it ends a start in progress too, and resolves when nothing is left. */
  onOpening?: (stop: () => Promise<void>) => void;
}

export class DataDirInUseError extends Error {
  constructor(dataDir: string, { pid, purpose }: Holder) {
    super(`The data directory ${dataDir} is in use by a running ${purpose} (process ${pid}).`);
    this.name = 'DataDirInUseError';
  }
}

/** Runs PostgreSQL from the npm package on `dataDir`, or lets a command join the one that is running there. */
export async function openEmbeddedServer(
  dataDir: string,
  purpose: Purpose,
  options: EmbeddedServerOptions = {},
): Promise<EmbeddedServer> {
  const abort = new AbortController();
  const opening = open(dataDir, purpose, options, abort.signal).catch(explain);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    abort.abort();
    const server = await opening.catch(() => undefined); // whoever opens it is told
    await server?.stop();
  };
  const stopOnce = () => (stopped ??= stop());
  options.onOpening?.(stopOnce);
  return { ...(await opening), stop: stopOnce };
}

/** Files that cannot be made or read are a matter of the setting. */
function explain(error: unknown): never {
  const { path, message } = error as NodeJS.ErrnoException;
  throw path === undefined ? error : new EnvError(`DATA_DIR cannot be used: ${message}`);
}

async function open(
  dataDir: string,
  purpose: Purpose,
  options: ServerOptions,
  signal: AbortSignal,
): Promise<EmbeddedServer> {
  files.packagedBinaries(); // before anything is written
  files.makeFolder(dataDir);
  const folder = fs.realpathSync(dataDir);
  const lock = join(folder, 'lock');
  for (const deadline = Date.now() + START_LIMIT; ; await sleep(50, undefined, { signal })) {
    const holder = await takeLock(lock, purpose);
    if (!holder) break;
    if (purpose === 'service') throw new DataDirInUseError(folder, holder);
    const joined = await joinServer(folder, holder);
    if (joined) return joined;
    // Its owner may be starting it, or stopping it: then the lock will soon be free.
    if (Date.now() > deadline) throw new DataDirInUseError(folder, holder);
  }
  const release = releaser(lock);
  try {
    const { url, fresh, stop } = await startServer(folder, options, signal);
    const waitForOthers = (onWait: () => void) => untilAlone(url, onWait);
    return { url, fresh, owned: true, waitForOthers, stop: () => stop().then(release) };
  } catch (error) {
    release();
    throw error;
  }
}

/** Keeps everybody else off the data directory, until the function is called that it resolves to. */
export async function lockDataDir(folder: string): Promise<() => void> {
  const lock = join(folder, 'lock');
  const holder = await takeLock(lock, 'command');
  if (holder) throw new DataDirInUseError(folder, holder);
  return releaser(lock);
}

/** Gives back a lock once, at the latest when the process ends. */
function releaser(lock: string): () => void {
  const release = () => {
    process.off('exit', release);
    fs.rmSync(lock, { force: true });
  };
  process.once('exit', release);
  return release;
}

// Every joiner shares this advisory lock, on a connection that it keeps. The owner takes it for itself alone before
// it ends the server: so either it waits for a joiner, or the joiner is refused and tries again later.
const USE = `hashtext('embedded-postgres')`;

/** Takes part in the holder's server; undefined where that does not run yet, or is about to end. */
async function joinServer(dataDir: string, holder: Holder): Promise<EmbeddedServer | undefined> {
  let client: Client | undefined;
  try {
    const url = urlOf(dataDir, readPidFile(files.clusterLink(dataDir)).port);
    client = await connect(url);
    const isHolders = `current_setting('cluster_name') = '${processName(holder.pid)}'`;
    if (await isTrue(client, `SELECT ${isHolders} AND pg_try_advisory_lock_shared(${USE}) AS answer`)) {
      const presence = client;
      return { url, owned: false, fresh: false, waitForOthers: async () => {}, stop: () => presence.end() };
    }
  } catch {
    // Not yet, or no longer.
  }
  await client?.end();
  return undefined;
}

/** Other programs, such as pg_dump, do not know of the lock: they are told by their connections' names. */
async function untilAlone(url: string, onWait: () => void): Promise<void> {
  const others = `SELECT FROM pg_stat_activity WHERE client_addr IS NOT NULL AND application_name NOT LIKE 'recense%'`;
  const alone = `SELECT pg_try_advisory_lock(${USE}) AS answer WHERE NOT EXISTS (${others})`;
  try {
    const client = await connect(url);
    // The connection, and with it the lock, ends with the server.
    for (let tries = 0; !(await isTrue(client, alone)); tries++) {
      if (tries === 10) onWait();
      await sleep(100);
    }
  } catch {
    // The server is gone, and so are those who used it.
  }
}

async function isTrue(client: Client, sql: string): Promise<boolean> {
  return (await client.query<{ answer: boolean }>(sql)).rows[0]?.answer === true;
}
