import type { Message } from '../common/messages.js';
import { importMessages as messages } from './imports.messages.js';

const startsWith = (...bytes: number[]) => Buffer.from(bytes);
const ZIP = startsWith(0x50, 0x4b, 0x03, 0x04);

/** How files begin that people take for a CSV file, or for which they take one. */
const MAGIC: [Buffer, Message][] = [
  [startsWith(0xff, 0xfe), messages.file_utf16],
  [startsWith(0xfe, 0xff), messages.file_utf16],
  [startsWith(0xd0, 0xcf, 0x11, 0xe0), messages.file_xls],
  [startsWith(0x1f, 0x8b), messages.file_gzip],
  [Buffer.from('%PDF-'), messages.file_pdf],
];

const TEXTS: [RegExp, Message][] = [
  [/^<(!doctype html|html|head|body|table)\b/i, messages.file_html],
  [/^<(\?xml|[a-z][\w:-]*[\s/>])/i, messages.file_xml],
  [/^(\{\s*["}]|\[\s*[[{"\]\d])/, messages.file_json],
];

/** What a file is instead of CSV, by its first bytes. */
export function foreignFormat(head: Buffer): Message | undefined {
  if (head.subarray(0, ZIP.length).equals(ZIP)) return zipFormat(head);
  const known = MAGIC.find(([magic]) => head.subarray(0, magic.length).equals(magic));
  if (known) return known[1];
  // Without a mark: of each letter of the header one of two bytes is a NUL.
  if (/^(\0[^\0]|[^\0]\0){2}/.test(head.toString('latin1', 0, 4))) return messages.file_utf16;
  const text = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  const found = TEXTS.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  const header = headerOf(head);
  if (header.includes('\0')) return messages.file_binary;
  const count = (character: string) => header.split(character).length - 1;
  return count('\t') > Math.max(count(','), count(';')) ? messages.file_tabs : undefined;
}

/** The names of what a ZIP holds stand in it as they are. */
function zipFormat(head: Buffer): Message {
  if (head.includes('xl/')) return messages.file_xlsx;
  return head.includes('opendocument.spreadsheet') ? messages.file_ods : messages.file_zip;
}

/** The first line with something in it, without what stands in quotes. */
export function headerOf(head: Buffer): string {
  const [header = ''] = /[^\r\n]+/.exec(head.toString('utf8').replace(/^\uFEFF/, '')) ?? [];
  return header.replace(/"[^"]*"/g, '');
}
