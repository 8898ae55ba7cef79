import { findTwins } from '../src/database/twins.js';
import { migrate, undoMigration } from '../src/database/migrate.js';
import { migrations } from '../src/database/migrations.js';
import { createTestDatabase } from './support/database.js';
import type { TestDatabase } from './support/database.js';
import { importText } from './support/import.js';
import { runCommand } from './support/process.js';
import { begin, blocked, rollbackAll } from './support/transactions.js';

/** Up to here names were compared as they are spelled. */
const before = migrations.filter(({ name }) => Number(name.slice(-13)) < 1763600010000);
const since = migrations.map(({ name }) => name).filter((name) => Number(name.slice(-13)) >= 1763600010000);

describe('Twins from before names were compared without case and the form of accents', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase('template0');
    await migrate(database.url, before);
  });
  afterEach(async () => {
    await rollbackAll();
    await database.drop();
  });

  const insert = (name: string) => database.query(`INSERT INTO brands (name) VALUES ($1)`, [name]);
  const names = async () =>
    (await database.query<{ name: string }>(`SELECT name FROM brands ORDER BY id`)).map((row) => row.name);
  const BRANDS = ['Café SA', 'Dell', 'CAFE\u0301\u00a0SA', 'Cafe SA', 'café  sa'];
  const told = [
    `brands: "Café SA" (id 1) and "CAFE\u0301\u00a0SA" (id 3) are one name.`,
    `brands: "Café SA" (id 1) and "café  sa" (id 5) are one name.`,
  ];

  it('stay, are told of as often as one asks, and no other joins them', async () => {
    for (const name of BRANDS) await insert(name);
    await database.query(`INSERT INTO roles (name) VALUES ('Viewer')`);
    await database.query(`INSERT INTO tiers (name, reference) VALUES ('x', 'T 1'), ('y', 't\u00a01')`);
    expect(await migrate(database.url)).toEqual(since);
    expect(await names()).toEqual(BRANDS);
    const all = [
      ...told,
      `roles: "viewer" (id 1) and "Viewer" (id 5) are one name.`,
      `tiers: "T 1" (id 1) and "t\u00a01" (id 2) are one reference.`,
    ];
    for (let times = 0; times < 2; times++) expect(await findTwins(database.url)).toEqual(all);
    for (const name of ['CAFÉ SA', 'cafe\u0301 SA', 'Café SA', 'café  sa', 'DELL'])
      await expect(insert(name)).rejects.toThrow(/uq_brands_name/);
    await insert('Café S.A.');
    await expect(database.query(`INSERT INTO tiers (name, reference) VALUES ('z', 'T  1')`)).rejects.toThrow(
      'uq_tiers_reference_key',
    );
    const { said } = await importText(database.url, 'brands', 'name\ncafé sa\n');
    expect(said[0]).toBe('line 2: name: matches 3 rows');
  });

  it('are like all others once they have another name', async () => {
    for (const name of BRANDS) await insert(name);
    await migrate(database.url);
    const rename = (id: number, name: string) =>
      database.query(`UPDATE brands SET name = $2 WHERE id = $1`, [id, name]);
    await expect(rename(3, 'DELL')).rejects.toThrow('uq_brands_name_key');
    await rename(3, 'Café du Port');
    expect(await findTwins(database.url)).toEqual(told.slice(1));
    await expect(insert('CAFÉ DU PORT')).rejects.toThrow('uq_brands_name_key');
    await database.query(`DELETE FROM brands WHERE id = 5`);
    expect(await findTwins(database.url)).toEqual([]);
  });

  it('are told by npm run migrate, a line each', async () => {
    for (const name of BRANDS) await insert(name);
    const env = { DATABASE_URL: database.url };
    const first = await runCommand(['migrate'], env);
    expect(first).toMatchObject({ code: 0, output: `Applied: ${since.join(', ')}\n` });
    expect(first.errors.split('\n').slice(0, 2)).toEqual(told);
    const again = await runCommand(['migrate'], env);
    expect(again).toMatchObject({ code: 0, output: 'The database is up to date.\n', errors: first.errors });
  }, 120_000);

  it('go through a way down and up again', async () => {
    for (const name of BRANDS) await insert(name);
    await migrate(database.url);
    for (const name of since.toReversed()) expect(await undoMigration(database.url)).toBe(name);
    await insert('CAFÉ sa');
    await migrate(database.url);
    expect(await findTwins(database.url)).toHaveLength(3);
    expect(await names()).toEqual([...BRANDS, 'CAFÉ sa']);
  });

  it('may come while the index is built, which keeps nobody waiting', async () => {
    for (const name of BRANDS) await insert(name);
    const writer = await begin(database);
    await writer.query(`INSERT INTO brands (name) VALUES ('dell')`);
    const migrating = migrate(database.url);
    await blocked(database); // until that transaction ends
    await insert('Written meanwhile');
    await writer.end('COMMIT');
    expect(await migrating).toEqual(since);
    expect(await findTwins(database.url)).toEqual([
      told[0],
      told[1],
      `brands: "Dell" (id 2) and "dell" (id 6) are one name.`,
    ]);
  });

  it('are none in a database of names that differ, whose indexes name nobody', async () => {
    await insert('Dell');
    await migrate(database.url);
    expect(await findTwins(database.url)).toEqual([]);
    expect(
      await database.query(
        `SELECT proname FROM pg_proc WHERE proname LIKE '%twins' OR prosrc LIKE '%twins%'`,
      ),
    ).toEqual([]);
  });
});
