import pg from 'pg';

/** How many are told of at once. */
const SHOWN = 1000;
/** Of every unique index that leaves twins beside each other: see migrations/1763600011000-unique-names.ts. */
const INDEXES = `
  SELECT i.indrelid::regclass::text AS "table", substring(pg_get_indexdef(i.indexrelid, 1, true) FROM '\\((\\w+)') AS "column",
    substring(pg_get_indexdef(i.indexrelid, 2, true) FROM '(\\w+_twins)\\(\\)') AS twins
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE i.indisunique AND i.indnkeyatts = 2 AND c.relnamespace = current_schema()::regnamespace
    AND pg_get_indexdef(i.indexrelid, 2, true) LIKE '%\\_twins()%'
  ORDER BY 1, 2`;

interface Index {
  table: string;
  column: string;
  twins: string;
}

interface Pair {
  first_id: number;
  first: string;
  id: number;
  text: string;
}

/** Prints the rows that mean one name, where there are any. */
export async function tellTwins(url: string): Promise<void> {
  const lines = await findTwins(url);
  if (lines.length === 0) return;
  for (const line of lines.slice(0, SHOWN)) console.error(line);
  if (lines.length > SHOWN) console.error(`… and ${lines.length - SHOWN} more.`);
  console.error(
    'Names are compared without case, spaces and the form of accents. These stay; no other joins them.',
  );
}

/** A line for each pair; what is settled by another name, or by a deletion, is gone. */
export async function findTwins(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<Index>(INDEXES);
    const lines: string[] = [];
    for (const index of indexes) lines.push(...(await pairsOf(client, index)));
    return lines;
  } finally {
    await client.end();
  }
}

/** Of a table whose rows may be deleted by a mark. */
const isLive = (row: string) => `to_jsonb(${row}) ->> 'deleted_at' IS NULL`;

async function pairsOf(client: pg.Client, { table, column, twins }: Index): Promise<string[]> {
  const { rows } = await client.query<Pair>(
    `SELECT first.id AS first_id, first.${column} AS first, twin.id, twin.${column} AS text
     FROM jsonb_each_text(${twins}()) known
     JOIN ${table} twin ON twin.id = known.key::integer AND name_key(twin.${column}) = known.value
       AND ${isLive('twin')}
     CROSS JOIN LATERAL (
       SELECT id, ${column} FROM ${table} other
       WHERE name_key(other.${column}) = known.value AND other.id <> twin.id AND ${isLive('other')} ORDER BY id LIMIT 1) first
     WHERE first.id < twin.id OR NOT ${twins}() ? first.id::text ORDER BY twin.id`,
  );
  return rows.map(
    ({ first_id, first, id, text }) =>
      `${table}: ${JSON.stringify(first)} (id ${first_id}) and ${JSON.stringify(text)} (id ${id}) are one ${column}.`,
  );
}
