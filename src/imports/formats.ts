import type { Message } from '../common/messages.js';
import { importMessages } from './imports.messages.js';

const startsWith = (...bytes: number[]) => Buffer.from(bytes);
const ZIP = startsWith(0x50, 0x4b, 0x03, 0x04);

/** Old workbooks, and new ones with a password, of which the name of a stream tells. */
const OLE2 = startsWith(0xd0, 0xcf, 0x11, 0xe0);
const ENCRYPTED = Buffer.from('EncryptedPackage', 'utf16le');

/** How files begin that people take for a CSV file, or for which they take one. */
const MAGIC: [Buffer, Message][] = [
  [startsWith(0x1f, 0x8b), importMessages.file_gzip],
  [Buffer.from('%PDF-'), importMessages.file_pdf],
  [startsWith(0x89, 0x50, 0x4e, 0x47), importMessages.file_binary], // PNG, whose first line looks like a header
];

const TEXTS: [RegExp, Message][] = [
  [/^<(!doctype html|html|head|body|table)\b/i, importMessages.file_html],
  [/^<(\?xml|[a-z][\w:-]*[\s/>])/i, importMessages.file_xml],
  [/^(\{\s*["}]|\[\s*[[{"\]\d])/, importMessages.file_json],
];

export const isZip = (head: Buffer): boolean => head.subarray(0, ZIP.length).equals(ZIP);

/** What a file is instead of a table, by its first bytes. */
export function foreignFormat(head: Buffer): Message | undefined {
  if (OLE2.equals(head.subarray(0, OLE2.length)))
    return head.includes(ENCRYPTED) ? importMessages.file_encrypted : importMessages.file_xls;
  return MAGIC.find(([magic]) => head.subarray(0, magic.length).equals(magic))?.[1];
}

// eslint-disable-next-line no-control-regex -- those that no header has, and pictures have
const CONTROL = /[\x00-\x08\x0e-\x1a]/;

/** What a text is instead of CSV, by how it begins. */
export function foreignText(head: string): Message | undefined {
  const text = head.trimStart();
  const found = TEXTS.find(([pattern]) => pattern.test(text));
  if (found) return found[1];
  return CONTROL.test(headerOf(head)) ? importMessages.file_binary : undefined;
}

/** The first line with something in it, without what stands in quotes. */
export function headerOf(head: string): string {
  const [header = ''] = /[^\r\n]+/.exec(head) ?? [];
  return header.replace(/"[^"]*"/g, '');
}
