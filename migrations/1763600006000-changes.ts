import type { MigrationInterface, QueryRunner } from 'typeorm';

const RECORDS = [
  'roles', 'users', 'brands', 'categories', 'amortization_categories', 'suppliers', 'articles', 'purchases',
  'inventories', 'tiers', 'equipments',
]; // prettier-ignore
/** Long lists that phones catch up with; the others are short, or read by their owner alone. */
const SYNCHRONIZED = ['suppliers', 'articles', 'purchases', 'tiers', 'equipments'];

/**
 * What tells clients of changes: a version of every row for entity tags, an instant of change that nobody who reads
 * up to sync_horizon() can miss, and marks instead of removals for sessions and tokens.
 */
export class Changes1763600006000 implements MigrationInterface {
  name = 'Changes1763600006000';

  async up(db: QueryRunner): Promise<void> {
    // An instant says when a row was changed, not when others could see it: a transaction that commits late shows
    // rows of the past. So whoever changes something first leaves a note among the advisory locks, which end with
    // the transaction: 7263, and the millisecond from which on its changes date. Readers stop at the oldest note.
    await db.query(`
      CREATE FUNCTION change_instant() RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        IF coalesce(current_setting('recense.changing', true), '') = '' THEN
          PERFORM pg_advisory_xact_lock_shared(
            (7263::bigint << 48) + floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint);
          PERFORM set_config('recense.changing', 'on', true);
        END IF;
        RETURN date_trunc('milliseconds', clock_timestamp());
      END $$`);
    // Whatever is changed before this instant is committed, and seen by every statement that begins after this one.
    // The clock is read before the notes: who leaves one later dates its changes later.
    await db.query(`
      CREATE FUNCTION sync_horizon() RETURNS timestamptz LANGUAGE plpgsql AS $$
      DECLARE
        now_at timestamptz := date_trunc('milliseconds', clock_timestamp());
      BEGIN
        RETURN least(now_at, (
          SELECT to_timestamp(min(((classid::bigint & 65535) << 32) + objid::bigint) / 1000.0)
          FROM pg_locks
          WHERE locktype = 'advisory' AND objsubid = 1 AND classid::bigint >> 16 = 7263
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())));
      END $$`);

    // Versions begin with the clock, so that those of a database that was restored are none that were given before.
    // With an argument, a new row that names no created_at has the same in both; a token's is that of its first use.
    await db.query(`
      CREATE FUNCTION record_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.updated_at := change_instant();
        NEW.version := extract(epoch FROM NEW.updated_at) * 1000;
        IF TG_OP = 'UPDATE' THEN
          NEW.version := greatest(NEW.version, OLD.version + 1);
        ELSIF TG_NARGS > 0 AND NEW.created_at = now()::timestamptz(3) THEN
          NEW.created_at := NEW.updated_at;
        END IF;
        RETURN NEW;
      END $$`);
    await db.query(`ALTER TABLE access_tokens ADD COLUMN updated_at timestamptz(3) NOT NULL DEFAULT now()`);
    for (const table of [...RECORDS, 'access_tokens']) {
      await db.query(
        `ALTER TABLE ${table} ADD COLUMN version bigint NOT NULL DEFAULT extract(epoch FROM now()) * 1000`,
      );
      await db.query(`DROP TRIGGER IF EXISTS ${table}_touch ON ${table}`);
      await db.query(`
        CREATE TRIGGER ${table}_change BEFORE INSERT OR UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION record_change(${table === 'access_tokens' ? '' : `'created_at'`})`);
    }
    await db.query(`DROP FUNCTION touch_updated_at()`);
    for (const table of SYNCHRONIZED) {
      await db.query(`CREATE INDEX ix_${table}_updated_at ON ${table} (updated_at, id)`);
    }

    for (const table of ['inventories', 'access_tokens']) {
      await db.query(`ALTER TABLE ${table} ADD COLUMN deleted_at timestamptz(3)`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`DELETE FROM inventories WHERE deleted_at IS NOT NULL`);
    await db.query(`DELETE FROM access_tokens WHERE deleted_at IS NOT NULL`);
    for (const table of ['inventories', 'access_tokens']) {
      await db.query(`ALTER TABLE ${table} DROP COLUMN deleted_at`);
    }
    for (const table of SYNCHRONIZED) await db.query(`DROP INDEX ix_${table}_updated_at`);
    await db.query(`
      CREATE FUNCTION touch_updated_at() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN NEW.updated_at := now(); RETURN NEW; END $$`);
    for (const table of [...RECORDS, 'access_tokens']) {
      await db.query(`DROP TRIGGER ${table}_change ON ${table}`);
      await db.query(`ALTER TABLE ${table} DROP COLUMN version`);
      if (table === 'access_tokens') continue;
      await db.query(`
        CREATE TRIGGER ${table}_touch BEFORE UPDATE ON ${table}
        FOR EACH ROW EXECUTE FUNCTION touch_updated_at()`);
    }
    await db.query(`ALTER TABLE access_tokens DROP COLUMN updated_at`);
    await db.query(`DROP FUNCTION record_change(), sync_horizon(), change_instant()`);
  }
}
