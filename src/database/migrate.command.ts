import { noArguments } from '../common/command-line.js';
import { migrate, undoMigration } from './migrate.js';
import { tellTwins } from './twins.js';

export async function migrateCommand(args: string[], url: string): Promise<number> {
  noArguments('migrate', args);
  const applied = await migrate(url);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
  await tellTwins(url);
  return 0;
}

export async function undoCommand(args: string[], url: string): Promise<number> {
  noArguments('migrate:undo', args);
  const undone = await undoMigration(url);
  console.log(undone ? `Undone: ${undone}` : 'There is no migration to undo.');
  return 0;
}
