import { migrate, undoMigration } from './migrate.js';
import { tellTwins } from './twins.js';

export async function migrateCommand(url: string): Promise<number> {
  const applied = await migrate(url);
  console.log(applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'The database is up to date.');
  await tellTwins(url);
  return 0;
}

export async function undoCommand(url: string): Promise<number> {
  const undone = await undoMigration(url);
  console.log(undone ? `Undone: ${undone}` : 'There is no migration to undo.');
  return 0;
}
