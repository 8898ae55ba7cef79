import { userInfo } from 'node:os';
import type { EntityManager } from 'typeorm';

/** Who does something, as the audit log names it: someone with a request, or a command. */
export interface Actor {
  user_id?: number;
  /** As the user is called now; of a command, who started it. */
  user_name?: string;
  token_id?: number;
  /** Of the client, as TRUST_PROXY has it. */
  address?: string;
  request_id?: string;
  command?: string;
}

/** A user with a token. */
export interface Caller extends Actor {
  user_id: number;
  token_id: number;
}

export const commandActor = (command: string): Actor => ({ command, user_name: systemUser() });

function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.()}`; // a container's user may have no name
  }
}

/** An SQL expression that names the actor to the triggers of the audit log, until the transaction ends. */
export const actAs = (parameter: string): string => `set_config('recense.author', ${parameter}, true)`;

/** The transaction of a change: the triggers write it into the audit log, under the name of the actor. */
export function changing<T>(
  manager: EntityManager,
  actor: Actor,
  work: (manager: EntityManager) => Promise<T>,
): Promise<T> {
  return manager.transaction(async (own) => {
    await own.query(`SELECT ${actAs('$1')}`, [JSON.stringify(actor)]);
    return work(own);
  });
}

/** What happened that is no change of a row. */
export interface AuditEvent {
  action: string;
  resource?: string;
  resource_id?: number;
  details?: object;
}

interface Queries {
  query: (sql: string, values: unknown[]) => Promise<unknown>;
}

/** Writes an entry of its own. Changes of rows need none: the tables write theirs. */
export async function record(
  db: Queries,
  actor: Actor,
  { action, resource, resource_id, details }: AuditEvent,
): Promise<void> {
  await db.query(
    `INSERT INTO audit_entries (
       at, user_id, user_name, token_id, command, address, request_id, action, resource, resource_id, after)
     SELECT author.*, $2, $3, $4, $5 FROM audit_author($1) author`,
    [JSON.stringify(actor), action, resource, resource_id, details && JSON.stringify(details)],
  );
}
