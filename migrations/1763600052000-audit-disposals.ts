import type { MigrationInterface, QueryRunner } from 'typeorm';

const AUTHOR = 'at, user_id, user_name, token_id, command, address, request_id';
const COLUMNS = `${AUTHOR}, action, resource, resource_id, before, after`;

/** @param verbs what else an update may be called than those of before */
const auditChanges = (verbs: string): string => `
  CREATE OR REPLACE FUNCTION audit_changes() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
  DECLARE
    resource text := TG_ARGV[0];
  BEGIN
    IF TG_OP = 'INSERT' THEN
      INSERT INTO audit_entries (${COLUMNS})
      SELECT author.*, resource || CASE resource WHEN 'inventory' THEN '.open' ELSE '.create' END,
        resource, n.id, NULL, audited(to_jsonb(n))
      FROM new_rows n, audit_author() author ORDER BY n.id;
    ELSIF TG_OP = 'DELETE' THEN
      INSERT INTO audit_entries (${COLUMNS})
      SELECT author.*, resource || '.delete', resource, o.id, audited(to_jsonb(o)), NULL
      FROM old_rows o, audit_author() author ORDER BY o.id;
    ELSE
      INSERT INTO audit_entries (${COLUMNS})
      SELECT author.*, resource || c.verb, resource, c.id,
        CASE c.verb WHEN '.delete' THEN c.before ELSE unlike.before END,
        CASE c.verb WHEN '.delete' THEN NULL ELSE unlike.after END
      FROM (
        SELECT id, before, after, CASE
          WHEN before ->> 'deleted_at' IS NULL AND after ->> 'deleted_at' IS NOT NULL THEN '.delete'
          WHEN before ->> 'deleted_at' IS NOT NULL AND after ->> 'deleted_at' IS NULL THEN '.restore'
          WHEN before ->> 'closed_at' IS NULL AND after ->> 'closed_at' IS NOT NULL THEN '.close'
          ${verbs}
          ELSE '.update' END AS verb
        FROM (
          SELECT id, audited(to_jsonb(o)) AS before, audited(to_jsonb(n)) AS after
          FROM old_rows o JOIN new_rows n USING (id) OFFSET 0
        ) changed
        WHERE before <> after
      ) c CROSS JOIN LATERAL (
        SELECT jsonb_object_agg(key, o.value) AS before, jsonb_object_agg(key, n.value) AS after
        FROM jsonb_each(c.before) o JOIN jsonb_each(c.after) n USING (key) WHERE o.value <> n.value
      ) unlike, audit_author() author ORDER BY c.id;
      IF resource = 'user' THEN
        INSERT INTO audit_entries (${COLUMNS})
        SELECT author.*, 'user.password', resource, n.id, NULL, NULL
        FROM old_rows o JOIN new_rows n USING (id), audit_author() author
        WHERE o.password_hash <> n.password_hash ORDER BY n.id;
      END IF;
    END IF;
    RETURN NULL;
  END $$`;

/** A disposal is called so in the log, and when it is undone too. */
export class AuditDisposals1763600052000 implements MigrationInterface {
  name = 'AuditDisposals1763600052000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(
      auditChanges(`WHEN before ->> 'disposed_on' IS NULL AND after ->> 'disposed_on' IS NOT NULL THEN '.dispose'
          WHEN before ->> 'disposed_on' IS NOT NULL AND after ->> 'disposed_on' IS NULL THEN '.dispose_undo'`),
    );
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(auditChanges(''));
  }
}
