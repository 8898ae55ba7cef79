/** Of what lists the sheets, more than any list of them takes. */
const READ = 1_048_576;
const SHEET = /<(?:\w+:)?sheet(?=\s)([^<>]*)>/g;
const RELATION = /<(?:\w+:)?Relationship(?=\s)([^<>]*)>/g;
const ATTRIBUTE = /\s(?:\w+:)?(name|state|id|type)\s*=\s*(?:"([^"]*)"|'([^']*)')/gi;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * Which sheet is read, counted from 1: that of the name, in any case as Excel has it, or else the first one that is not
 * hidden, and no chart. A name that no sheet has is answered as it is.
 * @param relations where the workbook says what its sheets are
 */
export function sheetOf(workbook: Buffer, relations: Buffer = Buffer.alloc(0), asked = ''): number | string {
  const sheets = tagsIn(workbook, SHEET);
  const charts = new Set(
    tagsIn(relations, RELATION).flatMap(({ id, type }) => (type?.endsWith('/chartsheet') ? [id] : [])),
  );
  const isTable = (sheet: Record<string, string>) => isSeen(sheet) && !charts.has(sheet.id);
  if (asked === '') return Math.max(0, sheets.findIndex(isTable)) + 1;
  const names = sheets.map(({ name = '' }) => name);
  const at = names.includes(asked)
    ? names.indexOf(asked)
    : names.findIndex((name) => folded(name) === folded(asked));
  return at < 0 ? asked : at + 1;
}

const FROM_1904 = /(<(?:\w+:)?workbookPr(?=\s)[^<>]*\sdate1904\s*=\s*)["'](?:1|true)["']/;

/** What lists the sheets of a workbook whose days count from 1904, said as read-excel-file knows it; null where they do not. */
export function countingFrom1904(workbook: Buffer): Buffer | null {
  const text = workbook.toString('latin1', 0, READ); // no character is cut in two
  if (!FROM_1904.test(text)) return null;
  return Buffer.concat([Buffer.from(text.replace(FROM_1904, '$1"1"'), 'latin1'), workbook.subarray(READ)]);
}

const tagsIn = (part: Buffer, pattern: RegExp): Record<string, string>[] =>
  [...part.toString('utf8', 0, READ).matchAll(pattern)].map(([, tag]) => attributesOf(tag!));

function attributesOf(tag: string): Record<string, string> {
  const found = [...tag.matchAll(ATTRIBUTE)];
  return Object.fromEntries(
    found.map(([, key, double, single]) => [key!.toLowerCase(), plain(double ?? single!)]),
  );
}

const isSeen = ({ state = 'visible' }: Record<string, string>): boolean => !/hidden$/i.test(state);

const folded = (name: string): string => name.normalize('NFC').toLowerCase().trim();

/** What stands for characters in an attribute. */
const plain = (text: string): string =>
  text.replace(REFERENCE, (given, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase()]!;
    const point = decimal === undefined ? parseInt(hex!, 16) : Number(decimal);
    return point > 0x10ffff ? given : String.fromCodePoint(point);
  });
