import { isNativeError } from 'node:util/types';
import type { DomainError } from '../common/errors.js';

/** What PostgreSQL said, whether it comes from pg itself or wrapped by TypeORM. */
interface DatabaseError {
  code?: string;
  constraint?: string;
  message: string;
}

function databaseError(error: unknown): DatabaseError | null {
  if (!isNativeError(error)) return null; // also those of Node itself under Jest, which `instanceof` does not know
  return ('driverError' in error ? error.driverError : error) as DatabaseError;
}

/** SQLSTATE of the failure, such as 23505; null when it was no answer of the database. */
export function sqlState(error: unknown): string | null {
  return databaseError(error)?.code ?? null;
}

/**
 * SQLSTATE of a prepared statement that would answer other types than before, since a column was given another one.
 * It fails on its connection for ever; nothing was written.
 */
export const OUTDATED = '0A000';

/** SQLSTATE of a change that a session refuses since it only reads, as all that follow. */
export const READ_ONLY = '25006';

/** SQLSTATE of a lock that was waited for as long as it may be. */
export const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs a statement and turns the violation of a named constraint into the error that it stands for.
 * Stands where the statement is made, so that a reader sees what can go wrong there.
 */
export async function mapConstraints<T>(
  statement: Promise<T>,
  errors: Record<string, () => DomainError>,
): Promise<T> {
  try {
    return await statement;
  } catch (error) {
    throw errors[databaseError(error)?.constraint ?? '']?.() ?? error;
  }
}

// Classes 08 (connection), 28 (login refused), 53 (resources), 57 (operator: terminated, starting up, statement timeout),
// 58 (system), and: no such database, none that takes connections, read-only, idle in transaction, transaction timeout,
// serialization failure, deadlock, lock timeout.
const PASSING_STATES = /^(08...|28...|53...|57...|58...|3D000|55000|25006|25P0[34]|40001|40P01|55P03)$/;
const PASSING_SYSTEM_ERRORS =
  /^(ECONN(REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
// pg and pg-pool give these no code; the last two are what TypeORM says of a transaction whose connection ended
// between two of its statements.
const PASSING_MESSAGES =
  /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Cannot use a pool after calling end|Driver not Connected|Query runner already released|Database connection provided by a query runner was already released)/;

/** Whether the database is away or overloaded, so that the same request may work in a moment (503). */
export function isPassing(error: unknown): boolean {
  const cause = databaseError(error);
  if (!cause) return false;
  const code = cause.code ?? '';
  return (
    PASSING_STATES.test(code) || PASSING_SYSTEM_ERRORS.test(code) || PASSING_MESSAGES.test(cause.message)
  );
}
