import fs from 'node:fs';
import { join } from 'node:path';
import { sessionLimits } from '../../../../src/database/options.js';
import { Env } from '../../../../src/config/env.js';
import { expectPrograms, lowPort, Program } from './program.js';

/** PgBouncer in transaction mode, in front of HAProxy's way to the primary. */
export class Pooler {
  private constructor(
    readonly program: Program,
    readonly port: number,
  ) {}

  static async start(folder: string, primary: number, password: string): Promise<Pooler> {
    expectPrograms({ '/usr/sbin/pgbouncer': 'pgbouncer' });
    const port = await lowPort();
    const limits = Object.entries(sessionLimits(new Env().DATABASE_TIMEOUT_MS));
    const query = limits.map(([name, limit]) => `SET ${name} = ${limit}`).join('; ');
    const file = join(folder, 'pgbouncer.ini');
    // Everybody who comes is let in: the password is PgBouncer's own, which only this machine can reach.
    fs.writeFileSync(
      file,
      `[databases]
drill = host=127.0.0.1 port=${primary} user=recense password=${password} connect_query='${query}'
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 20
server_login_retry = 1
`,
      { mode: 0o644 },
    );
    const program = new Program(['pgbouncer', '-q', file], join(folder, 'pgbouncer.log'), [file]);
    program.start();
    return new Pooler(program, port);
  }
}
