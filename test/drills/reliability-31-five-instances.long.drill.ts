import { migrations } from '../../src/database/migrations.js';
import { stopAll } from '../support/process.js';
import { Postgres } from './support/postgres.js';
import { report, seconds } from './support/report.js';
import { Service } from './support/service.js';

const DRILL = 'reliability-31-five-instances';

describe(DRILL, () => {
  let postgres: Postgres;

  beforeAll(async () => {
    postgres = await Postgres.create();
    await postgres.query('CREATE DATABASE empty', undefined, 'postgres');
    postgres.database = 'empty';
  });
  afterAll(async () => {
    await stopAll();
    await postgres.remove();
  });

  it('that start together on an empty database: every migration once, in order, and all of them ready', async () => {
    // Nothing is written twice, and nothing is taken back and written again.
    await postgres.query(`
      CREATE TABLE applied (at serial PRIMARY KEY, command text);
      CREATE FUNCTION note() RETURNS event_trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO public.applied (command)
        SELECT command_tag || ' ' || object_identity FROM pg_event_trigger_ddl_commands() WHERE object_type = 'table';
      END $$;
      CREATE EVENT TRIGGER note ON ddl_command_end WHEN TAG IN ('CREATE TABLE') EXECUTE FUNCTION note()`);
    const began = performance.now();
    const services = await Promise.all(Array.from({ length: 5 }, () => Service.start(postgres.url())));
    const took = performance.now() - began;
    const rows = await postgres.query<{ name: string }>(`SELECT name FROM migrations ORDER BY id`);
    expect(rows.map(({ name }) => name)).toEqual(migrations.map(({ name }) => name));
    const created = await postgres.query<{ command: string }>(`SELECT command FROM applied ORDER BY at`);
    expect(created.length).toBeGreaterThan(10);
    expect(new Set(created.map(({ command }) => command)).size).toBe(created.length);
    for (const service of services) {
      expect(await service.health('ready')).toBe(200);
      expect(service.process.errors.replace(/^Another process migrates .*\n$/, '')).toBe('');
    }
    report(
      DRILL,
      `five processes on an empty database: ${rows.length} migrations, each once and in order, ` +
        `all ready after ${seconds(took)}`,
    );
  });
});
