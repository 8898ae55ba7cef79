import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Server } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { announce } from './announce.js';
import { createApp } from './app.setup.js';
import { EnvError } from './config/env.js';
import type { Env } from './config/env.js';
import { migrate } from './database/migrate.js';
import type { openDatabase } from './database/open.js';
import { Sql } from './database/sql.js';
import { tellTwins } from './database/twins.js';
import type { DemoLogin } from './demo/load.js';
import { drain } from './health/drain.js';
import type { Shutdown } from './shutdown.js';

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** After so long, requests that are still coming are broken off: what ends after them ends in good order too. */
const CLOSING_MS = 20_000;

async function close(app: NestExpressApplication, limit: number): Promise<void> {
  const server: Server = app.getHttpServer();
  const late = setTimeout(() => server.closeAllConnections(), limit);
  await app.close().finally(() => clearTimeout(late));
  // What was broken off has its log line when its connection is closed: at the end of this turn, as Node.js has it.
  for (const _ of ['this one', 'the next']) await turn();
}

/** Not loaded where nobody wants it: its names, and what V8 compares names of a language by, would stay in memory. */
async function offerDemo(url: string, env: Env): Promise<DemoLogin | null> {
  const { loadDemo } = await import('./demo/load.js');
  return loadDemo(url, env);
}

/** From a database to a service that answers; what it starts is ended by `shutdown`. */
export async function startService(shutdown: Shutdown, env: Env, database: Database): Promise<void> {
  if (!env.DATABASE_POOLER) await migrate(database.url); // which takes a lock for a session
  await tellTwins(database.url);
  const demo = database.isEmbedded ? await offerDemo(database.url, env) : null;
  const app = await createApp(database.url, env);
  shutdown.add(() => close(app, CLOSING_MS - env.SHUTDOWN_DELAY_MS));
  await app.get(Sql).warm();
  try {
    await app.listen(env.PORT, env.HOST);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new EnvError(`Cannot listen on HOST ${env.HOST}, PORT ${env.PORT}: ${code}`);
  }
  shutdown.add(() => drain(app, env.SHUTDOWN_DELAY_MS));
  announce(await app.getUrl(), demo);
}
