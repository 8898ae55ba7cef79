// Plain JavaScript on the built service: Jest does not compile the files that it loads before the tests.
import { chmodSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPooler } from './pooler.js';

/** One PostgreSQL for the whole run, with the migrations in a template that every test file copies. */
export default async function globalSetup() {
  const { openEmbeddedServer } = await import('../../dist/database/embedded/embedded-postgres.js');
  const { migrate } = await import('../../dist/database/migrate.js');
  const dataDir = mkdtempSync(join(tmpdir(), 'recense-test-'));
  chmodSync(dataDir, 0o755); // as root, PostgreSQL runs as another user, who has to get in
  // Nothing here outlives the run, so nothing needs to reach the disk.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    max_connections: '300',
    log_line_prefix: '%m [%p] %d ',
  };
  const server = await openEmbeddedServer(dataDir, 'service', { settings });
  globalThis.embeddedTestServer = { server, dataDir };
  if (process.env.TEST_POOLER) globalThis.testPooler = await startPooler(server.url, dataDir);
  const url = new URL(server.url);
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query('CREATE DATABASE test_template');
  await client.end();
  url.pathname = '/test_template';
  await migrate(url.href);
  process.env.TEST_DATABASE_URL = server.url;
  process.env.TEST_DATABASE_LOG = join(dataDir, 'postgres.log');
}
