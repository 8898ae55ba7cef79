import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { openEmbeddedServer } from '../src/database/embedded/embedded-postgres.js';
import { UsageError } from '../src/common/command-line.js';
import type { Shutdown } from '../src/shutdown.js';

export interface Postgres {
  url: string;
  version: string;
  /** The temporary folder of this run: the database, and the logs of the servers. */
  folder: string;
}

/** A PostgreSQL of its own, with the settings of the service's embedded one; its data goes with the bench unless it is to be kept. */
export async function startPostgres(shutdown: Shutdown, kept?: string): Promise<Postgres> {
  const folder = kept ? resolve(kept) : mkdtempSync(join(tmpdir(), 'recense-bench-'));
  if (kept) mkdirSync(folder, { recursive: true });
  else shutdown.add(() => rm(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  const { url } = await openEmbeddedServer(folder, 'service', { onOpening: (stop) => shutdown.add(stop) });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<'fsync' | 'commit' | 'version', string>>(
      `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
         split_part(current_setting('server_version'), ' ', 1) AS version`,
    );
    const [settings] = rows;
    if (settings?.fsync !== 'on' || settings.commit !== 'on')
      throw new UsageError('PostgreSQL is not durable.');
    return { url, version: settings.version, folder };
  } finally {
    await client.end();
  }
}
