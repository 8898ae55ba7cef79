import { resolve } from 'node:path';

/** Wrong use of a command: said in one line, without a stack. */
export class UsageError extends Error {}

/** Whoever asks how a command is used has it do nothing. */
export function noArguments(command: string, args: string[]): void {
  if (args.length > 0) throw new UsageError(`Usage: npm run ${command}`);
}

/** A path that a command was given: npm runs scripts in the folder of the package, and says where it was called. */
export const givenPath = (path: string): string => resolve(process.env.INIT_CWD ?? '', path);
