import type { Message } from '../common/messages.js';
import { importMessages } from './imports.messages.js';

const startsWith = (...bytes: number[]) => Buffer.from(bytes);
const ZIP = startsWith(0x50, 0x4b, 0x03, 0x04);

/** How files begin that people take for a CSV file, or for which they take one. */
const MAGIC: [Buffer, Message][] = [
  [startsWith(0xff, 0xfe), importMessages.file_utf16],
  [startsWith(0xfe, 0xff), importMessages.file_utf16],
  [startsWith(0xd0, 0xcf, 0x11, 0xe0), importMessages.file_xls],
  [startsWith(0x1f, 0x8b), importMessages.file_gzip],
  [Buffer.from('%PDF-'), importMessages.file_pdf],
];

const TEXTS: [RegExp, Message][] = [
  [/^<(!doctype html|html|head|body|table)\b/i, importMessages.file_html],
  [/^<(\?xml|[a-z][\w:-]*[\s/>])/i, importMessages.file_xml],
  [/^(\{\s*["}]|\[\s*[[{"\]\d])/, importMessages.file_json],
];

/** What a file is instead of CSV, by its first bytes. */
export function foreignFormat(head: Buffer): Message | undefined {
  if (head.subarray(0, ZIP.length).equals(ZIP)) return zipFormat(head);
  const known = MAGIC.find(([magic]) => head.subarray(0, magic.length).equals(magic));
  if (known) return known[1];
  // Without a mark: of each letter of the header one of two bytes is a NUL.
  if (/^(\0[^\0]|[^\0]\0){2}/.test(head.toString('latin1', 0, 4))) return importMessages.file_utf16;
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const found = TEXTS.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  const header = headerOf(head);
  if (header.includes('\0')) return importMessages.file_binary;
  const count = (character: string) => header.split(character).length - 1;
  return count('\t') > Math.max(count(','), count(';')) ? importMessages.file_tabs : undefined;
}

/** The names of what a ZIP holds stand in it as they are. */
function zipFormat(head: Buffer): Message {
  if (head.includes('xl/')) return importMessages.file_xlsx;
  return head.includes('opendocument.spreadsheet') ? importMessages.file_ods : importMessages.file_zip;
}

/** The first line with something in it, without what stands in quotes. */
export function headerOf(head: Buffer): string {
  const [header = ''] = /[^\r\n]+/.exec(head.toString('utf8').replace(/^\uFEFF/, '')) ?? [];
  return header.replace(/"[^"]*"/g, '');
}
