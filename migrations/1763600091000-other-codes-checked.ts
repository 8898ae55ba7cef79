import type { MigrationInterface, QueryRunner } from 'typeorm';

const CHECKS = {
  ck_purchases_epc: `CHECK (epc ~ '^urn:epc:id:(giai:[0-9]{6,12}|grai:[0-9]{6,12}[.][0-9]{0,6})[.][!-~]+$')`,
  ck_purchases_gs1: `CHECK (cardinality(gs1) <= 20 AND array_position(gs1, NULL) IS NULL
    AND ' ' || array_to_string(gs1, ' ') ~ '^( [(]800[34][)][!-~]{4,30})* ?$')`,
};

/** Looks through the purchases that were there before, while others go on. */
export class OtherCodesChecked1763600091000 implements MigrationInterface {
  name = 'OtherCodesChecked1763600091000';
  transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`SET lock_timeout = 0`);
    for (const name of Object.keys(CHECKS))
      await db.query(`ALTER TABLE purchases VALIDATE CONSTRAINT ${name}`);
    await db.query(`RESET lock_timeout`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const [name, check] of Object.entries(CHECKS)) {
      await db.query(
        `ALTER TABLE purchases DROP CONSTRAINT ${name}, ADD CONSTRAINT ${name} ${check} NOT VALID`,
      );
    }
  }
}
