import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { demoOrganisation } from '../src/demo/organisation.js';
import { makeCode } from '../src/purchases/code.js';

type Row = Record<string, string | number | boolean | null>;

const ROWS_A_CHUNK = 500;
const demo = demoOrganisation();
const id = (index: number | null) => (index === null ? null : index + 1);

/** The code on the label of the purchase with this id. */
export const codeOf = (purchase: number): string => makeCode('INV', purchase);

/** The demo organisation, over and over again: so many purchases, and a fortieth as many articles. */
export async function load(url: string, purchases: number): Promise<void> {
  const articles = Math.ceil(purchases / 40);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const places = demo.locations.map(({ parent, ...place }) => ({ ...place, parent_id: id(parent) }));
    await client.query(
      `INSERT INTO locations (name, code, parent_id)
       SELECT name, code, parent_id FROM json_populate_recordset(NULL::locations, $1)`,
      [JSON.stringify(places)],
    );
    // Neither the triggers of the tables nor the checks of foreign keys: what they would do is done here.
    await client.query(`SET session_replication_role = replica`);
    await copy(client, 'brands', demo.brands.length, (n) => ({ ...demo.brands[n - 1]! }));
    await copy(client, 'categories', demo.categories.length, (n) => ({ ...demo.categories[n - 1]! }));
    await copy(client, 'amortization_categories', demo.amortizationCategories.length, (n) => {
      const { name, method, durationYears, coefficient } = demo.amortizationCategories[n - 1]!;
      return { name, method, duration_years: durationYears, declining_coefficient: coefficient };
    });
    await copy(client, 'suppliers', demo.suppliers.length, (n) => {
      const { active, ...supplier } = demo.suppliers[n - 1]!;
      return { ...supplier, is_active: active };
    });
    await copy(client, 'articles', articles, article);
    const indexes = await dropIndexes(client, 'purchases');
    await copy(client, 'purchases', purchases, (n) => purchase(n, articles));
    for (const index of indexes) await client.query(index);
    await client.query(
      `INSERT INTO purchase_codes (code_key, purchase_id) SELECT code_key, id FROM purchases`,
    );
    await client.query(`SELECT setval('purchase_code_seq', $1)`, [purchases]);
    await client.query('VACUUM ANALYZE');
  } finally {
    await client.end();
  }
}

/** Returns the statements that make them again: filling a table first and then its indexes takes half the time. */
async function dropIndexes(client: pg.Client, table: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT indexrelid::regclass AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique`,
    [table],
  );
  for (const { name } of rows) await client.query(`DROP INDEX ${name}`);
  return rows.map(({ definition }) => definition);
}

function article(n: number): Row {
  const model = demo.articles[(n - 1) % demo.articles.length]!;
  return {
    name: `${model.name.slice(0, 200)} – ${n}`,
    reference: model.reference && `${model.reference}-${n}`,
    brand_id: id(model.brand),
    category_id: id(model.category),
    amortization_category_id: id(model.amortizationCategory),
    is_active: model.active,
  };
}

function purchase(n: number, articles: number): Row {
  const model = demo.purchases[(n - 1) % demo.purchases.length]!;
  return {
    code: codeOf(n),
    article_id: 1 + ((Math.imul(n, 2654435761) >>> 0) % articles), // scattered, as they are bought over the years
    supplier_id: id(model.supplier),
    location_id: id(model.location),
    purchase_date: model.purchaseDate,
    purchase_price: model.purchasePrice,
    warranty_end_date: model.warrantyEndDate,
    in_service_date: model.inServiceDate,
    serial_number: model.serialNumber && model.serialNumber + n.toString(36).toUpperCase(),
    notes: model.notes,
  };
}

/** Rows number 1 to `count`, whose ids the table gives out in this order. */
async function copy(client: pg.Client, table: string, count: number, row: (n: number) => Row): Promise<void> {
  function* chunks() {
    for (let n = 1; n <= count;) {
      let text = '';
      for (const end = Math.min(count, n + ROWS_A_CHUNK - 1); n <= end; n++)
        text += Object.values(row(n)).map(field).join('\t') + '\n';
      yield text;
    }
  }
  const columns = Object.keys(row(1)).join(', ');
  await pipeline(Readable.from(chunks()), client.query(copyFrom(`COPY ${table} (${columns}) FROM STDIN`)));
}

const field = (value: Row[string]): string =>
  value === null ? '\\N' : String(value).replace(/[\\\t\n\r]/g, (character) => `\\${character}`);
