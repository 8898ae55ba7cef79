import type pg from 'pg';
import { say } from '../common/messages.js';
import { importMessages } from '../imports/imports.messages.js';

const FIELD = 'Fournisseur';
const VALUE = 'Ty Resau';
const message = say(importMessages.no_match, VALUE);

/** A file that was refused for one line, so that there is something to mend. */
export async function loadImport(client: pg.Client, userId: number): Promise<void> {
  await client.query(
    `INSERT INTO imports (kind, format, file, dry_run, status, read, checked, columns, errors, error_count, created_by,
       finished_at)
     VALUES ('purchases', 'recense', 'achats.csv', false, 'refused', 3, 3, $1, $2, 1, $3, now())`,
    [
      JSON.stringify([{ column: FIELD, field: 'supplier' }]),
      JSON.stringify([{ line: 4, field: FIELD, value: VALUE, message }]),
      userId,
    ],
  );
  await client.query(`INSERT INTO import_refusals (import_id, line, cells, reasons) VALUES (1, 4, $1, $2)`, [
    JSON.stringify([VALUE]),
    JSON.stringify([{ field: FIELD, message }]),
  ]);
}
