import { EnvError } from '../config/env.js';
import type { Env } from '../config/env.js';
import { openEmbeddedServer } from './embedded/embedded-postgres.js';
import type { EmbeddedServer, EmbeddedServerOptions } from './embedded/embedded-postgres.js';

/**
 * The database of DATABASE_URL; without one, the embedded server of DATA_DIR.
 * @throws EnvError where a command, which takes locks for a session, would ask by a pooler
 */
export async function openDatabase(
  env: Env,
  purpose: 'service' | 'command',
  options?: EmbeddedServerOptions,
): Promise<Pick<EmbeddedServer, 'url' | 'waitForOthers'> & { isEmbedded: boolean }> {
  if (env.DATABASE_POOLER && purpose === 'command')
    throw new EnvError(
      'DATABASE_POOLER: commands are run without it, with the DATABASE_URL of the server itself.',
    );
  if (env.DATABASE_URL) return { url: env.DATABASE_URL, isEmbedded: false, waitForOthers: async () => {} };
  return { ...(await openEmbeddedServer(env.DATA_DIR, purpose, options)), isEmbedded: true };
}
