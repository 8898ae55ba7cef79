import { announce } from './announce.js';
import { createApp } from './app.setup.js';
import { loadEnv } from './config/env.js';
import { migrate } from './config/migrate.js';
import { openDatabase } from './config/open-database.js';
import { loadDemo } from './demo/load.js';
import { Shutdown } from './shutdown.js';

const shutdown = new Shutdown();
try {
  const env = loadEnv();
  const database = await openDatabase(env, 'service', { onCrash: (detail) => console.error(detail) });
  shutdown.add(() => database.stop());
  await migrate(database.url);
  const demo = database.isEmbedded ? await loadDemo(database.url, env) : null;
  const app = await createApp(database.url, env);
  shutdown.add(() => app.close());
  await app.listen(env.PORT, env.HOST);
  announce(await app.getUrl(), demo);
} catch (error) {
  await shutdown.fail(error);
}
