import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { attachmentMessages } from './attachments.messages.js';
import type { Format } from './pictures.js';

/** What is taken, and what an image is called by who reads it; nothing for a paper. */
export const TYPES = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': null,
} as const satisfies Record<string, Format | null>;
export type ContentType = keyof typeof TYPES;

const BEGINNINGS: [type: ContentType, pattern: RegExp][] = [
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/png', /^\x89PNG\r\n/],
  ['image/webp', /^RIFF[^]{4}WEBP/],
  ['application/pdf', /^%PDF-\d/],
];
/** The brands of ISO/IEC 23008-12 and of AVIF. */
const HEIF = /^[^]{4}ftyp(hei[cfmsx]|hev[cmsx]|mif1|msf1|avi[fs])/;
const LOOKED_AT = 16;

/**
 * What a file is by its first bytes, whatever its name and its sender say.
 * @throws DomainError unsupported-media-type
 */
export async function typeOf(content: AsyncIterable<Buffer>): Promise<ContentType> {
  const beginning = await first(content);
  const [type] = BEGINNINGS.find(([, pattern]) => pattern.test(beginning)) ?? [];
  if (type) return type;
  const detail = say(HEIF.test(beginning) ? attachmentMessages.heic : attachmentMessages.type);
  throw new DomainError('unsupported-media-type', { detail });
}

async function first(content: AsyncIterable<Buffer>): Promise<string> {
  for await (const chunk of content) return chunk.toString('latin1', 0, LOOKED_AT);
  return '';
}
