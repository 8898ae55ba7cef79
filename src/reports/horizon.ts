import type { Sql } from '../database/sql.js';

/** Up to when everything is committed that was changed before; asked before the snapshot that is to show it. */
export async function horizon(sql: Sql): Promise<{ until: Date; now: Date }> {
  const [row] = await sql.query<{ until: Date; now: Date }>({
    name: 'sync-horizon',
    text: 'SELECT sync_horizon() AS until, clock_timestamp() AS now',
  });
  return row!;
}
