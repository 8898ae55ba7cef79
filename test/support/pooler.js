// Plain JavaScript: Jest does not compile the files that it loads before the tests.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMITS =
  'SET statement_timeout = 3000; SET lock_timeout = 2700; SET idle_in_transaction_session_timeout = 6000';

/** PgBouncer in transaction mode before the tests' server, by which the apps of the tests ask then. */
export async function startPooler(serverUrl, folder) {
  const { freePort } = await import('../../dist/database/embedded/free-port.js');
  const server = new URL(serverUrl);
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=127.0.0.1 port=${server.port} user=${server.username} password=${server.password} connect_query='${LIMITS}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
max_client_conn = 1000
`,
  );
  const isRoot = process.getuid?.() === 0;
  const pooler = spawn('pgbouncer', ['-q', ...(isRoot ? ['-u', 'nobody'] : []), file], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const failed = new Promise((_, reject) => {
    pooler.once('error', () => reject(new Error('TEST_POOLER needs PgBouncer: the package pgbouncer')));
    pooler.once('exit', (code) => reject(new Error(`PgBouncer ended with ${code}`)));
  });
  failed.catch(() => undefined);
  await Promise.race([failed, listening(port)]);
  process.env.TEST_POOLER_PORT = String(port);
  return pooler;
}

async function listening(port) {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await sleep(50);
  }
}
