import { resolve } from 'node:path';

/** Wrong use of a command: said in one line, without a stack. */
export class UsageError extends Error {}

/** A path that a command was given: npm runs scripts in the folder of the package, and says where it was called. */
export const givenPath = (path: string): string => resolve(process.env.INIT_CWD ?? '', path);
