import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { chownSync, lchownSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { openEmbeddedServer } from '../../src/database/embedded/embedded-postgres.js';
import { Client } from '../support/client.js';
import { RunningProcess, runCommand, stopAll, temporaryFolder, until } from '../support/process.js';
import { report, seconds } from './support/report.js';

const DRILL = 'reliability-33-point-in-time';
const LOGIN = { login: 'ada', password: 'seven gulls in flight' };

/** Rows of a query on the server at `url`. */
async function rows<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const result: unknown = await client.query<Row>(sql);
    const last = Array.isArray(result)
      ? (result.at(-1) as pg.QueryResult<Row>)
      : (result as pg.QueryResult<Row>);
    return last.rows;
  } finally {
    await client.end();
  }
}

async function signIn(url: string): Promise<Client> {
  const { body } = await new Client(url).post('/login', LOGIN);
  return new Client(url, body.token as string);
}

describe(DRILL, () => {
  const folder = temporaryFolder();
  const page = readFileSync('docs/backup.md', 'utf8');
  /** As the page on backups has it, with our archive. */
  const setting = (name: string) =>
    new RegExp(`${name} = '(.*)'`).exec(page)![1]!.replaceAll('/mnt/archive', at('archive'));
  const at = (name: string) => join(folder.path, name);
  afterAll(async () => {
    await stopAll();
    folder.remove();
  });

  it('a base backup and the archived WAL bring back the instant before a mistake', async () => {
    mkdirSync(at('archive'));
    chmodSync(at('archive'), 0o777);
    const archiving = { archive_mode: 'on', archive_command: setting('archive_command') };
    const lost = await openEmbeddedServer(at('lost'), 'service', { settings: archiving });
    const service = new RunningProcess('main', [], { DATABASE_URL: lost.url });
    const who = ['--email', 'ada@example.org', '--login', LOGIN.login, '--name', 'Ada', '--role', 'admin'];
    const url = await service.url();
    const created = await runCommand(
      ['user:create', ...who, '--password-stdin'],
      { DATABASE_URL: lost.url },
      LOGIN.password,
    );
    expect(created).toMatchObject({ code: 0, errors: '' });
    const client = await signIn(url);
    const create = async (name: string) => (await client.post('/suppliers', { name })).body.id as number;

    const beforeBase = await create('before the base backup');
    await baseBackup(lost.url, at('lost/postgres'), at('restored/postgres'));
    cpSync(at('lost/postgres-password'), at('restored/postgres-password'));

    const afterBase = await create('after the base backup');
    const etag = (await client.get(`/suppliers/${afterBase}`)).headers.get('etag');
    const [{ now: target }] = (await rows<{ now: string }>(
      lost.url,
      `SELECT clock_timestamp()::text AS now`,
    )) as [{ now: string }];
    const mistake = await client.delete(`/suppliers/${afterBase}`);
    expect(mistake.status).toBe(200);
    const lostId = await create('after the mistake');

    const [{ file }] = (await rows<{ file: string }>(
      lost.url,
      `SELECT pg_walfile_name(pg_switch_wal()) AS file`,
    )) as [{ file: string }];
    await until(() => readdirSync(at('archive')).includes(file));
    expect(await service.signal('SIGTERM')).toBe(0);
    await lost.stop(); // and the disk with it

    const began = Date.now();
    writeFileSync(at('restored/postgres/recovery.signal'), '');
    const recovering = {
      restore_command: setting('restore_command'),
      recovery_target_time: target,
      recovery_target_action: 'promote',
    };
    const restored = await openEmbeddedServer(at('restored'), 'service', { settings: recovering });
    await until(
      async () =>
        !(await rows<{ busy: boolean }>(restored.url, 'SELECT pg_is_in_recovery() AS busy'))[0]!.busy,
    );
    const took = seconds(Date.now() - began);

    // What the page says to do before the service starts.
    const [, afterRestore = ''] = /```sql\n(.*?)```/s.exec(page) ?? [];
    expect(afterRestore).toMatch(/setval.*UPDATE access_tokens/s);
    await rows(restored.url, afterRestore);

    const again = new RunningProcess('main', [], { DATABASE_URL: restored.url });
    const after = new Client(await again.url(), client.token);
    expect((await after.get('/me')).status).toBe(401); // a token that was revoked since would have come back
    const anew = await signIn(after.url);
    expect((await anew.get(`/suppliers/${beforeBase}`)).status).toBe(200);
    expect((await anew.get(`/suppliers/${lostId}`)).status).toBe(404);
    const found = await anew.get(`/suppliers/${afterBase}`, { 'if-none-match': etag! });
    expect([found.status, found.body.name]).toEqual([200, 'after the base backup']);
    // No id is given out twice, and whoever asks what has changed since the mistake is told of the restored row.
    expect((await anew.post('/suppliers', { name: 'next' })).body.id).toBeGreaterThan(lostId);
    const since = encodeURIComponent(new Date(target).toISOString());
    const changed = await anew.get(`/suppliers?updated_since=${since}&cursor=`);
    expect(changed.body.data.map(({ id }: { id: number }) => id)).toContain(afterBase);

    expect(await again.signal('SIGTERM')).toBe(0);
    await restored.stop();
    const segments = readdirSync(at('archive')).length;
    report(DRILL, `recovered to ${target} from a base backup and ${segments} archived files in ${took}`);
  }, 120_000);
});

/** What pg_basebackup does, by PostgreSQL's functions for it: the server goes on meanwhile. */
async function baseBackup(url: string, cluster: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`SELECT pg_backup_start('drill', fast => true)`);
  cpSync(cluster, to, {
    recursive: true,
    filter: (path) => !/\/(postmaster\.(pid|opts)|pg_wal\/.*)$/.test(path),
  });
  const {
    rows: [stop],
  } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  writeFileSync(join(to, 'backup_label'), stop!.labelfile);
  await client.end();
  chmodSync(to, 0o700);
  const { uid, gid } = statSync(cluster);
  chownSync(to, uid, gid); // PostgreSQL's account, where it is not ours
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(to, name), uid, gid);
}
