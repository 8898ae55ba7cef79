import { commands } from './commands.js';
import { loadEnv } from './config/env.js';
import { openDatabase } from './config/open-database.js';
import { Shutdown, UsageError } from './shutdown.js';

const shutdown = new Shutdown();
try {
  const [name = '', ...args] = process.argv.slice(2);
  const command = commands[name];
  if (!command) throw new UsageError(`Unknown command. There are: ${Object.keys(commands).join(', ')}.`);
  const env = loadEnv();
  const database = await openDatabase(env, 'command');
  shutdown.add(() => database.stop());
  await shutdown.end(await command(args, database.url, env));
} catch (error) {
  await shutdown.fail(error);
}
