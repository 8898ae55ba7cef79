import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { join } from 'node:path';
import { stopAll } from '../../support/process.js';
import type { Postgres } from './postgres.js';

/** A disk under the database `name` that can be full. */
export interface Disk {
  /** How it is done. */
  kind: string;
  name: string;
  fill: () => Promise<void> | void;
  free: () => Promise<void> | void;
  remove: () => Promise<void>;
}

const MEGABYTE = Buffer.alloc(1024 * 1024);

/**
 * Where a file system may be mounted, a small one in memory that is filled to its last block. Elsewhere the kernel
 * refuses what is written to new files in the same way, since they are links to /dev/full. `DRILL_DISK=links` tries
 * that where one may mount, too.
 */
export async function smallDisk(postgres: Postgres): Promise<Disk> {
  const folder = join(postgres.folder, 'small-disk');
  fs.mkdirSync(folder, { mode: 0o755 });
  const sudo = process.env.DRILL_DISK === 'links' ? undefined : mount(folder);
  return sudo ? mounted(postgres, folder, sudo) : linked(postgres);
}

/** What mounts and unmounts here, before the command; undefined where nothing does. */
function mount(folder: string): string[] | undefined {
  for (const sudo of [[], ['sudo', '-n']]) {
    try {
      run([...sudo, 'mount', '-t', 'tmpfs', '-o', 'size=64m,mode=777', 'tmpfs', folder]);
      return sudo;
    } catch {
      // Not so.
    }
  }
  return undefined;
}

const run = ([program, ...args]: string[]) => execFileSync(program!, args, { stdio: 'pipe' });

async function mounted(postgres: Postgres, folder: string, sudo: string[]): Promise<Disk> {
  const space = join(folder, 'space');
  fs.mkdirSync(space, { mode: 0o700 });
  const { account } = postgres.place;
  if (account) fs.chownSync(space, account.uid, account.gid);
  await postgres.query(`CREATE TABLESPACE small LOCATION '${space}'`, undefined, 'postgres');
  await postgres.query('CREATE DATABASE small TEMPLATE drill TABLESPACE small', undefined, 'postgres');
  const filler = join(folder, 'filler');
  return {
    kind: 'a file system of 64 MB filled to its last block',
    name: 'small',
    fill: () => {
      const file = fs.openSync(filler, 'w');
      try {
        // To the last block: what is smaller may fit where the larger does not.
        for (let size = MEGABYTE.length; size >= 1;) {
          try {
            fs.writeSync(file, MEGABYTE, 0, size);
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
            size = Math.floor(size / 2);
          }
        }
      } finally {
        fs.closeSync(file);
      }
    },
    free: () => fs.rmSync(filler),
    remove: async () => {
      await stopAll();
      await postgres.stop('SIGQUIT');
      run([...sudo, 'umount', folder]);
    },
  };
}

/** The table of the idempotency keys, which is empty, and the temporary files of whoever asks for readiness. */
async function linked(postgres: Postgres): Promise<Disk> {
  const [{ path }] = (await postgres.query<{ path: string }>(
    `SELECT pg_relation_filepath('idempotency_keys') AS path`,
  )) as [{ path: string }];
  const heap = join(postgres.place.cluster, path);
  const temporary = join(postgres.place.cluster, 'base', 'pgsql_tmp');
  const links: string[] = [];
  const link = (file: string) => {
    fs.symlinkSync('/dev/full', file);
    links.push(file);
  };
  return {
    kind: 'links to /dev/full',
    name: 'drill',
    fill: async () => {
      await postgres.stop();
      fs.renameSync(heap, `${heap}.kept`);
      link(heap);
      await postgres.start();
      const [{ pid }] = (await postgres.query<{ pid: number }>(`SELECT pg_backend_pid() AS pid`)) as [
        { pid: number },
      ];
      fs.mkdirSync(temporary, { recursive: true, mode: 0o777 });
      fs.chmodSync(temporary, 0o777);
      // The first such files of every backend that will be started.
      for (let next = pid; next < pid + 5000; next++)
        for (const n of [0, 1, 2]) link(join(temporary, `pgsql_tmp${next}.${n}`));
    },
    free: async () => {
      await postgres.stop();
      links.forEach((file) => fs.rmSync(file, { force: true }));
      fs.renameSync(`${heap}.kept`, heap);
      await postgres.start();
    },
    remove: async () => {},
  };
}
