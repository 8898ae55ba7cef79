import './heap.js';
import { loadEnv } from './config/env.js';
import { checkSettings } from './database/check-settings.js';
import { openDatabase } from './database/open.js';
import { Shutdown } from './shutdown.js';

const shutdown = new Shutdown('service');
try {
  const env = loadEnv();
  const database = await openDatabase(env, 'service', {
    onOpening: (stop) => shutdown.add(stop),
    onCrash: (detail) => console.error(detail),
  });
  await checkSettings(database.url, env);
  // Only now, since it takes two seconds: signals are heard before, and what is wrong with the settings is told.
  const { startService } = await import('./service.js');
  await startService(shutdown, env, database);
} catch (error) {
  await shutdown.fail(error);
}
