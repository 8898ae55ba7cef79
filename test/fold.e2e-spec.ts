import { fold } from '../web/src/shared/fold.js';
import { createTestDatabase } from './support/database.js';

const SIGNS = ['’', '‘', '“', '”', '–', '—', '\u00AD', '-', "'", '"'];

it('What people search by is the same in the browser without a network as in the database, of every letter in Europe', async () => {
  const database = await createTestDatabase();
  const from = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, n) => String.fromCodePoint(first + n));
  const letters = [
    ...from(0x21, 0x17f), // Latin
    ...from(0x386, 0x3ce), // Greek
    ...from(0x400, 0x45f), // Cyrillic
    ...SIGNS,
    ...['Ș', 'ș', 'Ț', 'ț', 'ẞ', 'ǆ', 'ƒ', 'ﬁ', '№', '²', '３', 'Ａ', 'Cœur de réseau', 'ŒUVRE', 'Straße', 'ΣΊΣΥΦΟΣ', 'Łódź'],
  ].filter((text) => /[\p{L}\p{N}]/u.test(text) || SIGNS.includes(text)); // prettier-ignore
  const rows = await database.query<{ text: string; folded: string }>(
    `SELECT text, fold(text) AS folded FROM unnest($1::text[]) text`,
    [letters],
  );
  expect(rows.filter(({ text, folded }) => fold(text) !== folded)).toEqual([]);
  await database.drop();
});
