import type { MigrationInterface, QueryRunner } from 'typeorm';

const BLOCK = 1000;
const COUNTED = {
  insert: 'INSERT ON purchases REFERENCING NEW TABLE AS changed FOR EACH STATEMENT',
  update: `UPDATE OF deleted_at ON purchases FOR EACH ROW
    WHEN ((OLD.deleted_at IS NULL) <> (NEW.deleted_at IS NULL))`,
  delete: 'DELETE ON purchases REFERENCING OLD TABLE AS changed FOR EACH STATEMENT',
  truncate: 'TRUNCATE ON purchases FOR EACH STATEMENT',
};

/**
 * How many live purchases there are, by blocks of a thousand ids: what a page by its number shows of all of them is
 * found by these rather than by counting and walking a million. Whoever writes adds a row, so that writers never wait
 * for each other; the service adds them up (src/purchases/purchase-counts.ts).
 */
export class PurchaseCounts1763600160000 implements MigrationInterface {
  name = 'PurchaseCounts1763600160000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`CREATE TABLE purchase_counts (block integer NOT NULL, live bigint NOT NULL)`);
    await db.query(`
      CREATE FUNCTION count_purchases() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        CASE TG_OP
        WHEN 'INSERT' THEN
          INSERT INTO purchase_counts
          SELECT id / ${BLOCK}, count(*) FROM changed WHERE deleted_at IS NULL GROUP BY 1;
        WHEN 'UPDATE' THEN
          INSERT INTO purchase_counts
          VALUES (NEW.id / ${BLOCK}, CASE WHEN NEW.deleted_at IS NULL THEN 1 ELSE -1 END);
        WHEN 'DELETE' THEN
          INSERT INTO purchase_counts
          SELECT id / ${BLOCK}, -count(*) FROM changed WHERE deleted_at IS NULL GROUP BY 1;
        WHEN 'TRUNCATE' THEN
          DELETE FROM purchase_counts;
        END CASE;
        RETURN NULL;
      END $$`);
    // Writers wait from here on, so that none is counted twice or not at all.
    for (const [event, how] of Object.entries(COUNTED)) {
      await db.query(`
        CREATE TRIGGER purchases_count_${event} AFTER ${how} EXECUTE FUNCTION count_purchases()`);
      // Whoever fills the table without its other triggers, or empties it, would leave counts that are wrong.
      await db.query(`ALTER TABLE purchases ENABLE ALWAYS TRIGGER purchases_count_${event}`);
    }
    await db.query(`
      INSERT INTO purchase_counts
      SELECT id / ${BLOCK}, count(*) FROM purchases WHERE deleted_at IS NULL GROUP BY 1`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const event of Object.keys(COUNTED))
      await db.query(`DROP TRIGGER purchases_count_${event} ON purchases`);
    await db.query(`DROP FUNCTION count_purchases()`);
    await db.query(`DROP TABLE purchase_counts`);
  }
}
