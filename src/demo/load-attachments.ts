import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Env } from '../config/env.js';
import { filesOf } from '../files/files-of.js';
import { PICTURE } from './picture.data.js';

/**
 * What the first purchase looks like, the paper that came with it, how its article and a machine are used, and what was
 * seen with the first scan of the session that is open.
 */
export async function loadAttachments(client: pg.Client, env: Env, userId: number): Promise<void> {
  const { rows } = await client.query<{ scan_id: number }>(
    `SELECT min(scan_id) AS scan_id FROM inventory_lines WHERE inventory_id = 3`,
  );
  const scan_id = rows[0]!.scan_id;
  const picture = { kind: 'photo', name: 'portable.png', type: 'image/png', width: 640, height: 480 };
  const files = [
    { purchase_id: 1, ...picture, content: PICTURE },
    { purchase_id: 1, ...paper('invoice', 'facture-2019-0042.pdf', 'Facture 2019-0042') },
    { article_id: 13, ...paper('manual', 'elitebook-840-g7.pdf', 'HP EliteBook 840 G7') },
    { equipment_id: 1, ...paper('manual', 'entretien-groupe.pdf', 'Entretien du groupe') },
    { inventory_id: 3, scan_id, ...picture, name: 'etat.png', content: PICTURE },
  ];
  for (const { content, ...told } of files) {
    const sha256 = createHash('sha256').update(content).digest('hex');
    const row = { ...told, sha256, size: content.length, created_by: userId };
    await filesOf(env).put(sha256, oneOf(content), content.length);
    const columns = Object.keys(row).join(', ');
    await client.query(
      `INSERT INTO attachments (${columns}) SELECT ${columns} FROM json_populate_record(NULL::attachments, $1)`,
      [JSON.stringify(row)],
    );
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- it is read like any other
async function* oneOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content;
}

const paper = (kind: string, name: string, title: string) => ({
  kind,
  name,
  type: 'application/pdf',
  content: pageOf(title),
});

/** In the standard letters that every reader of PDF has. */
function pageOf(title: string): Buffer {
  const text = `BT /F 24 Tf 72 760 Td (${title}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>',
    `<</Length ${text.length}>>stream\n${text}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ];
  let page = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = page.length;
    page += `${at + 1} 0 obj${object}endobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  const table = `xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}`;
  return Buffer.from(
    `${page}${table}trailer<</Size ${count}/Root 1 0 R>>startxref\n${page.length}\n%%EOF\n`,
    'latin1',
  );
}
