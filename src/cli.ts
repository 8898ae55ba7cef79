import './heap.js';
import { loadEnv } from './config/env.js';
import { openDatabase } from './database/open.js';
import { Shutdown } from './shutdown.js';
import { commands, fileCommands } from './commands.js';
import { UsageError } from './common/command-line.js';

/** Not what every object has, such as `constructor`. */
const own = <T>(all: Record<string, T>, name: string) => (Object.hasOwn(all, name) ? all[name] : undefined);

const shutdown = new Shutdown('command');
try {
  const [name = '', ...args] = process.argv.slice(2);
  const [command, fileCommand] = [own(commands, name), own(fileCommands, name)];
  if (fileCommand) {
    const abort = new AbortController();
    const work = fileCommand(args, loadEnv(), abort.signal);
    shutdown.add(async () => {
      abort.abort();
      await work.catch(() => undefined); // it cleans up; whoever started it is told
    });
    await work;
    await shutdown.end(0);
  }
  if (!command) {
    const names = Object.keys({ ...commands, ...fileCommands });
    throw new UsageError(`Unknown command. There are: ${names.join(', ')}.`);
  }
  const env = loadEnv();
  const database = await openDatabase(env, 'command', { onOpening: (stop) => shutdown.add(stop) });
  const code = await command(args, database.url, env).catch((error: unknown) => shutdown.report(error));
  await database.waitForOthers(() => {
    console.error('Waiting for other commands that use the database (Ctrl-C ends them).');
  });
  await shutdown.end(code);
} catch (error) {
  await shutdown.fail(error);
}
