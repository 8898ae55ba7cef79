import pg from 'pg';

/** Asks on a connection of its own, since servers come and go. */
export async function askOnce<Row extends pg.QueryResultRow>(
  server: pg.ClientConfig,
  sql: string,
  values?: unknown[],
): Promise<Row[]> {
  const client = new pg.Client({ query_timeout: 30_000, ...server });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
