import type { Env } from './config/env.js';

/** Runs on the database at `url`; resolves to the exit code. */
export type Command = (args: string[], url: string, env: Env) => Promise<number>;

// Each loads what it needs when it is called: nobody waits for the whole service to read the usage of one command.
export const commands: Record<string, Command> = {
  migrate: async (args, url) => (await import('./database/migrate.command.js')).migrateCommand(args, url),
  'migrate:undo': async (args, url) => (await import('./database/migrate.command.js')).undoCommand(args, url),
  'user:create': async (...given) => (await import('./service.commands.js')).createUser(...given),
  'user:password': async (...given) => (await import('./service.commands.js')).setPassword(...given),
  import: async (...given) => (await import('./imports/import.command.js')).importFile(...given),
  export: async (...given) => (await import('./export.command.js')).exportList(...given),
  'audit:prune': async (args, url) => (await import('./audit/prune.command.js')).pruneAudit(args, url),
  openapi: async (...given) => (await import('./service.commands.js')).writeDocument(...given),
};

/** Runs on the files of DATA_DIR, while no server does. The signal ends it early, and then it leaves nothing. */
type FileCommand = (args: string[], env: Env, signal: AbortSignal) => Promise<void>;

export const fileCommands: Record<string, FileCommand> = {
  backup: async (...given) => (await import('./backup/backup.command.js')).backupCommand(...given),
  restore: async (...given) => (await import('./backup/backup.command.js')).restoreCommand(...given),
};
