import type { NestExpressApplication } from '@nestjs/platform-express';
import { createApp } from '../../src/app.setup.js';
import { TokensService } from '../../src/auth/tokens.service.js';
import { loadEnv } from '../../src/config/env.js';
import { Client } from './client.js';
import { createTestDatabase } from './database.js';
import type { TestDatabase } from './database.js';
import { temporaryFolder } from './process.js';

export type RoleName = 'viewer' | 'operator' | 'manager' | 'admin';

/** The password of every user that the tests make; its argon2id hash is made once, since hashing takes time. */
export const PASSWORD = 'seven gulls in flight';
export const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$a9Y8cR/Ne2hGDiih/Rb+VA$ISVXCGl/DAXvS0Kr2Q4WCjpcaVkIKab9LCvyL1NP674';

export interface TestApp {
  url: string;
  app: NestExpressApplication;
  database: TestDatabase;
  /** A client without a token. */
  anonymous: Client;
  /** A client signed in as the user of that role: viewer, operator, manager or admin. */
  as: (role: RoleName) => Client;
  /** A client signed in as a new user with these roles. */
  asNewUser: (login: string, ...roles: string[]) => Promise<Client & { userId: number }>;
  stop: () => Promise<void>;
}

/** Without limits of requests, since tests ask as fast as they can, all from one address. */
const SETTINGS = { LOG_LEVEL: 'silent', TOKEN_RATE_LIMIT: '0', ADDRESS_RATE_LIMIT: '0' };

/** Past the tests' server directly, or by the pooler before it (npm run test:pooler). */
function pooler(url: string): { url: string; settings: Record<string, string> } {
  const { TEST_POOLER_PORT: port } = process.env;
  const direct = new URL(url);
  if (!port || direct.port !== new URL(process.env.TEST_DATABASE_URL!).port) return { url, settings: {} };
  direct.port = port;
  return { url: direct.href, settings: { DATABASE_POOLER: 'transaction' } };
}

/** The whole service on a database of its own, listening on a free port: the same createApp() as in main. */
export async function startApp(
  settings: Record<string, string> = {},
  database?: TestDatabase,
): Promise<TestApp> {
  const own = database ?? (await createTestDatabase());
  const folder = temporaryFolder();
  const pooled = pooler(own.url);
  const app = await createApp(
    pooled.url,
    loadEnv({ ...SETTINGS, DATA_DIR: folder.path, ...pooled.settings, ...settings }),
  );
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const clients = new Map<string, Client>();

  const asNewUser: TestApp['asNewUser'] = async (login, ...roles) => {
    // By two statements: another app on this database may make the same user, and only the second one sees it.
    await own.query(
      `INSERT INTO users (name, login, email, password_hash) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [`User ${login}`, login, `${login}@test.example`, PASSWORD_HASH],
    );
    const [user] = await own.query<{ id: number; password_hash: string }>(
      `SELECT id, password_hash FROM users WHERE login = $1`,
      [login],
    );
    const userId = user?.id as number;
    await own.query(
      `INSERT INTO user_roles SELECT $1, id FROM roles WHERE name = ANY ($2) ON CONFLICT DO NOTHING`,
      [userId, roles],
    );
    const issued = await app.get(TokensService).issue(userId, null, user!.password_hash, {});
    return Object.assign(new Client(url, issued!.token), { userId });
  };
  for (const role of ['viewer', 'operator', 'manager', 'admin'])
    clients.set(role, await asNewUser(role, role));

  return {
    url,
    app,
    database: own,
    anonymous: new Client(url),
    as: (role) => clients.get(role) as Client,
    asNewUser,
    stop: async () => {
      await app.close();
      folder.remove();
      if (!database) await own.drop();
    },
  };
}
