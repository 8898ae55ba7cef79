import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations.js';

// Dates stay 'YYYY-MM-DD' (a Date would shift with the time zone); bigint ids and numeric money fit a double:
// 12 digits with 2 decimals, and scan ids far below 2^53.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export interface DatabaseSettings {
  url: string;
  pool: number;
  /** Milliseconds for a statement, a lock or a connection; 0 waits for ever (commands only). */
  timeout: number;
}

/** The only place with connection options: the service, the commands, the tests and ormconfig.ts share it. */
export function databaseOptions({
  url,
  pool,
  timeout,
}: DatabaseSettings): DataSourceOptions & { type: 'postgres' } {
  return {
    type: 'postgres',
    url,
    applicationName: 'recense',
    installExtensions: false,
    migrations,
    migrationsTableName: 'migrations',
    synchronize: false,
    poolErrorHandler: () => undefined, // an idle connection that dies is replaced by the pool; nothing was lost
    extra: {
      max: pool,
      // A stopped server must give 503 within 2 s, so connecting gets less than that.
      connectionTimeoutMillis: timeout && Math.min(timeout, 1800),
      statement_timeout: timeout,
      lock_timeout: timeout && Math.ceil(timeout * 0.9),
      idle_in_transaction_session_timeout: timeout && timeout * 2,
      query_timeout: timeout && timeout + 500, // the client's own, for a server that is frozen and honours nothing
      keepAlive: true,
    },
  };
}
