import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables whose changes are recorded, and what the log calls a row of theirs. */
const RECORDED: Record<string, string> = {
  brands: 'brand',
  categories: 'category',
  amortization_categories: 'amortization_category',
  suppliers: 'supplier',
  articles: 'article',
  purchases: 'purchase',
  inventories: 'inventory',
  tiers: 'tier',
  equipments: 'equipment',
  users: 'user',
  roles: 'role',
};

const EVENTS = {
  insert: 'NEW TABLE AS new_rows',
  update: 'OLD TABLE AS old_rows NEW TABLE AS new_rows',
  delete: 'OLD TABLE AS old_rows',
};

const GIVEN = { insert: 'NEW TABLE AS changed', delete: 'OLD TABLE AS changed' };

const AUTHOR = 'at, user_id, user_name, token_id, command, address, request_id';
const COLUMNS = `${AUTHOR}, action, resource, resource_id, before, after`;

/**
 * The audit log: who did what, when and from where, with what was before and after. The tables write it themselves, in
 * the transaction of the change, so that no writer can forget it; a statement for many rows makes one for the log.
 */
export class Audit1763600008000 implements MigrationInterface {
  name = 'Audit1763600008000';

  async up(db: QueryRunner): Promise<void> {
    await this.log(db);
    await this.partitions(db);
    await this.changes(db);
    await this.grants(db);
    await this.tokens(db);
  }

  private async log(db: QueryRunner): Promise<void> {
    await db.query(`CREATE SEQUENCE audit_entry_seq`);
    // An entry outlives what it names, so nothing here refers to other tables.
    await db.query(`
      CREATE TABLE audit_entries (
        id bigint NOT NULL DEFAULT nextval('audit_entry_seq'),
        at timestamptz(3) NOT NULL,
        user_id integer,
        user_name varchar(255),
        token_id integer,
        command varchar(60),
        address varchar(64),
        request_id varchar(128),
        action varchar(60) NOT NULL,
        resource varchar(60),
        resource_id integer,
        before jsonb,
        after jsonb,
        CONSTRAINT pk_audit_entries PRIMARY KEY (at, id)
      ) PARTITION BY RANGE (at)`);
    // One for each filter of the list, in its order. What an import writes has no user, token, request or address.
    for (const column of ['user_id', 'token_id', 'address', 'request_id']) {
      await db.query(
        `CREATE INDEX ix_audit_entries_${column} ON audit_entries (${column}, at, id) WHERE ${column} IS NOT NULL`,
      );
    }
    await db.query(`CREATE INDEX ix_audit_entries_action ON audit_entries (action, at, id)`);
    await db.query(`CREATE INDEX ix_audit_entries_resource ON audit_entries (resource, at, id)`);
    await db.query(`CREATE INDEX ix_audit_entries_row ON audit_entries (resource_id, resource, at, id)`);

    await db.query(`
      CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'the audit log is only ever appended to'; END $$`);
    // Of each partition too, since a trigger of the whole does not see who names a part of it.
    await db.query(`
      CREATE FUNCTION seal_audit(name text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        EXECUTE format(
          'CREATE TRIGGER audit_entries_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
           FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change()', name);
        EXECUTE format('ALTER TABLE %I ENABLE ALWAYS TRIGGER audit_entries_refuse_change', name);
      END $$`);
    await db.query(`SELECT seal_audit('audit_entries')`);
    // Takes what no month is there for, so that no change fails for want of a place to note it.
    await db.query(`
      CREATE FUNCTION make_default_audit_partition() RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;
        PERFORM seal_audit('audit_entries_default');
      END $$`);
    await db.query(`SELECT make_default_audit_partition()`);

    // The author as JSON, which the service and the commands set for each of their transactions (src/database/audit.ts).
    // Who writes without is on a connection of his own, and known by the role.
    await db.query(`
      CREATE FUNCTION audit_author(author text) RETURNS TABLE (
        at timestamptz, user_id integer, user_name text, token_id integer, command text, address text, request_id text
      ) LANGUAGE sql AS $$
        SELECT change_instant(), a.user_id, a.user_name, a.token_id, a.command, a.address, a.request_id
        FROM jsonb_to_record(
          coalesce(nullif($1, '')::jsonb, jsonb_build_object('command', 'sql', 'user_name', session_user))
        ) AS a (user_id integer, user_name text, token_id integer, command text, address text, request_id text)
      $$`);
    await db.query(`
      CREATE FUNCTION audit_author() RETURNS TABLE (
        at timestamptz, user_id integer, user_name text, token_id integer, command text, address text, request_id text
      ) LANGUAGE sql AS $$ SELECT * FROM audit_author(current_setting('recense.author', true)) $$`);
  }

  private async partitions(db: QueryRunner): Promise<void> {
    // Months are those of UTC. As the owner, so that a service which owns nothing can have them made; one at a time.
    // Attached rather than created in place, which would wait for every writer and hold up all that come after. A month
    // that has come before its partition stays in the default one.
    // Temporary tables come last: first, those of the caller would be read in place of the log, and a view of his would
    // run what he likes as the owner.
    const [{ schema }] = (await db.query(`SELECT quote_ident(current_schema()) AS schema`)) as [
      { schema: string },
    ];
    await db.query(`
      CREATE FUNCTION make_audit_partitions() RETURNS void LANGUAGE plpgsql
      SECURITY DEFINER SET search_path = ${schema}, pg_temp SET timezone = 'UTC' SET lock_timeout = '1s' AS $$
      DECLARE
        begins timestamptz;
        ends timestamptz;
        name text;
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('audit.partitions'));
        FOR ahead IN 0..3 LOOP
          begins := date_trunc('month', now()) + make_interval(months => ahead);
          ends := begins + interval '1 month';
          name := to_char(begins, '"audit_entries_"YYYY_MM');
          CONTINUE WHEN to_regclass(name) IS NOT NULL
            OR EXISTS (SELECT FROM audit_entries_default e WHERE e.at >= begins AND e.at < ends);
          EXECUTE format('CREATE TABLE %I (LIKE audit_entries INCLUDING DEFAULTS)', name);
          PERFORM seal_audit(name);
          EXECUTE format(
            'ALTER TABLE audit_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', name, begins, ends);
        END LOOP;
      END $$`);
    await db.query(`SELECT make_audit_partitions()`);
  }

  private async changes(db: QueryRunner): Promise<void> {
    // A row as the log has it: without the hash of a password, and without what the database computes of the rest.
    await db.query(`
      CREATE FUNCTION audited(row_as_json jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
      $$ SELECT $1 - '{version,updated_at,search_text,code_key,password_hash}'::text[] $$`);
    await db.query(`
      CREATE FUNCTION fields_unlike(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS
      $$ SELECT jsonb_object_agg(key, value) FROM jsonb_each($1) WHERE value IS DISTINCT FROM $2 -> key $$`);

    // All of a row that is new or gone, of another one the fields that are otherwise. Instants are told in UTC.
    await db.query(`
      CREATE FUNCTION audit_changes() RETURNS trigger LANGUAGE plpgsql SET timezone = 'UTC' AS $$
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
            CASE c.verb WHEN '.delete' THEN c.before ELSE fields_unlike(c.before, c.after) END,
            CASE c.verb WHEN '.delete' THEN NULL ELSE fields_unlike(c.after, c.before) END
          FROM (
            SELECT o.id, o.before, n.after, CASE
              WHEN o.before ->> 'deleted_at' IS NULL AND n.after ->> 'deleted_at' IS NOT NULL THEN '.delete'
              WHEN o.before ->> 'closed_at' IS NULL AND n.after ->> 'closed_at' IS NOT NULL THEN '.close'
              ELSE '.update' END AS verb
            FROM (SELECT id, audited(to_jsonb(r)) AS before FROM old_rows r) o
            JOIN (SELECT id, audited(to_jsonb(r)) AS after FROM new_rows r) n USING (id)
            WHERE o.before <> n.after
          ) c, audit_author() author ORDER BY c.id;
          IF resource = 'user' THEN
            INSERT INTO audit_entries (${COLUMNS})
            SELECT author.*, 'user.password', resource, n.id, NULL, NULL
            FROM old_rows o JOIN new_rows n USING (id), audit_author() author
            WHERE o.password_hash <> n.password_hash ORDER BY n.id;
          END IF;
        END IF;
        RETURN NULL;
      END $$`);
    for (const [table, resource] of Object.entries(RECORDED)) {
      for (const [event, rows] of Object.entries(EVENTS)) {
        await db.query(`
          CREATE TRIGGER ${table}_audit_${event} AFTER ${event} ON ${table} REFERENCING ${rows}
          FOR EACH STATEMENT EXECUTE FUNCTION audit_changes('${resource}')`);
      }
    }
  }

  private async grants(db: QueryRunner): Promise<void> {
    // What a user or a role was given or has lost, all of one statement together.
    const given: Record<string, string> = {
      user_roles: `
        SELECT 'user' AS resource, c.user_id AS id, jsonb_build_object('roles', jsonb_agg(r.name ORDER BY r.name)) AS names
        FROM changed c JOIN roles r ON r.id = c.role_id GROUP BY c.user_id`,
      role_permissions: `
        SELECT 'role' AS resource, c.role_id AS id,
          jsonb_build_object('permissions', jsonb_agg(c.permission ORDER BY c.permission)) AS names
        FROM changed c GROUP BY c.role_id`,
    };
    for (const [table, names] of Object.entries(given)) {
      await db.query(`
        CREATE FUNCTION audit_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE
          is_new boolean := TG_OP = 'INSERT';
        BEGIN
          INSERT INTO audit_entries (${COLUMNS})
          SELECT author.*, g.resource || CASE WHEN is_new THEN '.grant' ELSE '.revoke' END, g.resource, g.id,
            CASE WHEN NOT is_new THEN g.names END, CASE WHEN is_new THEN g.names END
          FROM (${names}) g, audit_author() author ORDER BY g.id;
          RETURN NULL;
        END $$`);
      for (const [event, rows] of Object.entries(GIVEN)) {
        await db.query(`
          CREATE TRIGGER ${table}_audit_${event} AFTER ${event} ON ${table} REFERENCING ${rows}
          FOR EACH STATEMENT EXECUTE FUNCTION audit_${table}()`);
      }
    }
  }

  private async tokens(db: QueryRunner): Promise<void> {
    // A token is a login, and its end before its time a logout where it came with the request itself. That it is used,
    // and that it is cleared away once it has ended, is nobody's doing.
    await db.query(`
      CREATE FUNCTION audit_token() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE
        is_new boolean := TG_OP = 'INSERT';
        token jsonb := jsonb_build_object('user_id', NEW.user_id, 'device_name', NEW.device_name);
      BEGIN
        INSERT INTO audit_entries (${COLUMNS})
        SELECT a.at, CASE WHEN is_new THEN u.id ELSE a.user_id END, CASE WHEN is_new THEN u.name ELSE a.user_name END,
          CASE WHEN is_new THEN NEW.id ELSE a.token_id END, a.command, a.address, a.request_id,
          CASE WHEN is_new THEN 'login' WHEN a.token_id = NEW.id THEN 'logout' ELSE 'token.revoke' END,
          'token', NEW.id, CASE WHEN NOT is_new THEN token END, CASE WHEN is_new THEN token END
        FROM audit_author() a, users u WHERE u.id = NEW.user_id;
        RETURN NULL;
      END $$`);
    await db.query(`
      CREATE TRIGGER access_tokens_audit_login AFTER INSERT ON access_tokens
      FOR EACH ROW EXECUTE FUNCTION audit_token()`);
    await db.query(`
      CREATE TRIGGER access_tokens_audit_revoke AFTER UPDATE OF deleted_at ON access_tokens
      FOR EACH ROW WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL) EXECUTE FUNCTION audit_token()`);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const event of ['login', 'revoke']) {
      await db.query(`DROP TRIGGER access_tokens_audit_${event} ON access_tokens`);
    }
    for (const table of ['user_roles', 'role_permissions']) {
      for (const event of Object.keys(GIVEN))
        await db.query(`DROP TRIGGER ${table}_audit_${event} ON ${table}`);
      await db.query(`DROP FUNCTION audit_${table}()`);
    }
    for (const table of Object.keys(RECORDED)) {
      for (const event of Object.keys(EVENTS))
        await db.query(`DROP TRIGGER ${table}_audit_${event} ON ${table}`);
    }
    await db.query(`DROP TABLE audit_entries`);
    await db.query(`DROP SEQUENCE audit_entry_seq`);
    await db.query(`
      DROP FUNCTION audit_changes(), audit_token(), audit_author(), audit_author(text), audited(jsonb),
        fields_unlike(jsonb, jsonb), make_audit_partitions(), make_default_audit_partition(), seal_audit(text), refuse_audit_change()`);
  }
}
