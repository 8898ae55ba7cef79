import { PIPELINE_SIZE } from '../../src/database/options.js';
import { Sql } from '../../src/database/sql.js';
import type { TestApp } from './app.js';
import { begin } from './transactions.js';

const KEY = 16;
const BEFORE_THE_GATE = `SELECT count(*) FROM generate_series(1, 1000)
  WHERE NOT pg_try_advisory_xact_lock_shared(${KEY}) AND pg_sleep(0.01) IS NOT NULL`;

/** Holds up whatever phones ask all the time, but by no lock; resolves to what lets it go on. */
export async function closeGate({ app, database }: TestApp): Promise<() => Promise<void>> {
  const { pipeline } = app.get(Sql);
  const gate = await begin(database);
  await gate.query(`SELECT pg_advisory_xact_lock(${KEY})`);
  const held = Array.from({ length: PIPELINE_SIZE }, () => pipeline.query({ text: BEFORE_THE_GATE }));
  return async () => {
    await gate.end('ROLLBACK');
    await Promise.all(held);
  };
}
