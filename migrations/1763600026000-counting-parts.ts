import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The parts of a session's figures that scans count in are -48 to 15 after this, 0 to 15 before. */
const openCounters = (first: number): string => `
  CREATE OR REPLACE FUNCTION open_counters(session_id integer, scanned bigint, total bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO inventory_counters (inventory_id, shard, scanned, total)
    SELECT $1, shard, CASE shard WHEN 0 THEN $2 ELSE 0 END, CASE shard WHEN 16 THEN $3 ELSE 0 END
    FROM generate_series(${first}, 31) shard
  $$`;

/**
 * Scans count in a part that nobody else has. Which part depended on the backend alone, so that of several instances some
 * had the same one, and waited for each other’s commits: with a replica that commits wait for, that takes long.
 */
export class CountingParts1763600026000 implements MigrationInterface {
  name = 'CountingParts1763600026000';

  async up(db: QueryRunner): Promise<void> {
    // Taken in memory and given back with the transaction. Only where all are taken does somebody wait for a row.
    await db.query(`
      CREATE FUNCTION counting_part() RETURNS smallint LANGUAGE plpgsql AS $$
      DECLARE
        part integer;
      BEGIN
        FOR n IN 0..63 LOOP
          part := (pg_backend_pid() + n) % 64 - 48;
          IF pg_try_advisory_xact_lock(hashtext('inventories.count'), part) THEN RETURN part; END IF;
        END LOOP;
        RETURN pg_backend_pid() % 64 - 48;
      END $$`);
    await this.holdSessions(db);
    await db.query(openCounters(-48));
    await db.query(`
      INSERT INTO inventory_counters (inventory_id, shard)
      SELECT inventory_id, part FROM inventory_counters, generate_series(-48, -1) part WHERE shard = 0`);
  }

  async down(db: QueryRunner): Promise<void> {
    await this.holdSessions(db);
    await db.query(openCounters(0));
    await db.query(`
      WITH gone AS (
        DELETE FROM inventory_counters WHERE shard < 0 RETURNING inventory_id, scanned, total
      )
      UPDATE inventory_counters c SET scanned = c.scanned + g.scanned, total = c.total + g.total
      FROM (SELECT inventory_id, sum(scanned) AS scanned, sum(total) AS total FROM gone GROUP BY 1) g
      WHERE c.inventory_id = g.inventory_id AND c.shard = 0`);
    await db.query(`DROP FUNCTION counting_part()`);
  }

  /** Until the transaction ends nobody opens one, which needs this lock alone, or closes one; purchases are written. */
  private async holdSessions(db: QueryRunner): Promise<void> {
    await db.query(`SELECT pg_advisory_xact_lock_shared(hashtext('inventories.open'))`);
    await db.query(`SELECT FROM inventories WHERE closed_at IS NULL ORDER BY id FOR NO KEY UPDATE`);
  }
}
