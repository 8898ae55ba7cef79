import type { Metadata, Sharp, default as Library } from 'sharp';
import { DomainError, invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { attachmentMessages } from './attachments.messages.js';

/** More than phones make. */
const MEGAPIXELS = 65;
/** Of one side: some rows are held at a time, and each takes its time. */
const LONGEST = 20_000;
/** What a picture may take of memory. */
const MEMORY = 256 * 1_048_576;
const LIMIT_S = 20;
/** How they are written anew: the finest codes of JPEG, and more effort for WebP, take twice the memory. */
const WRITTEN = {
  jpeg: { quality: 90, optimiseCoding: false },
  png: {},
  webp: { quality: 90, effort: 2 },
};
const THUMBNAIL = { quality: 78 };

export type Format = 'jpeg' | 'png' | 'webp';

export interface Picture {
  content: Buffer;
  width: number;
  height: number;
}

/** Loaded with its first picture: it takes a good part of the time in which the service starts. */
let loading: Promise<typeof Library> | undefined;
const load = (): Promise<typeof Library> =>
  (loading ??= import('sharp').then(({ default: sharp }) => {
    sharp.cache(false);
    sharp.concurrency(1);
    return sharp;
  }));

async function open(bytes: Buffer): Promise<Sharp> {
  const sharp = await load();
  return sharp(bytes, { failOn: 'error', limitInputPixels: MEGAPIXELS * 1e6 });
}

/**
 * What a pixel takes of memory at most, in bytes, as measured: rows go by one after the other, but a picture is held that
 * is turned or comes in several passes, of JPEG these in two bytes for each value; and one in WebP several times.
 */
function weightOf({ format, isProgressive, orientation = 1, channels, depth, hasAlpha }: Metadata): number {
  if (format === 'webp') return hasAlpha ? 36 : 13;
  const passes = isProgressive ? (format === 'jpeg' ? 2 : 1) : 0;
  const turned = orientation > 1 ? 1 : 0;
  return (passes + turned) * channels * (depth === 'ushort' ? 2 : 1);
}

/** By what it says of itself at its beginning, before anything of it is unpacked. @throws DomainError validation-failed */
function refuseHeavy(shape: Metadata): void {
  const { width, height } = shape;
  if (Math.max(width, height) > LONGEST) throw invalid({ file: [say(attachmentMessages.too_long, LONGEST)] });
  if (width * height * weightOf(shape) <= MEMORY) return;
  const most = Math.floor(MEMORY / weightOf(shape) / 1e6);
  throw invalid({ file: [say(attachmentMessages.too_large, most)] });
}

/**
 * The picture as it is seen, turned upright, and nothing that the camera noted beside it, such as where it was taken.
 * @throws DomainError validation-failed for one that is broken or too large
 */
export async function upright(bytes: Buffer, format: Format): Promise<Picture> {
  return readable(async () => {
    const picture = (await open(bytes)).timeout({ seconds: LIMIT_S }).autoOrient();
    refuseHeavy(await picture.metadata());
    const written = picture.toFormat(format, WRITTEN[format]);
    const { data, info } = await written.toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  });
}

/** As WebP, within a square of this many pixels, never larger than the picture itself. */
export async function thumbnail(bytes: Buffer, size: number): Promise<Buffer> {
  const picture = (await open(bytes)).timeout({ seconds: LIMIT_S });
  const box = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const;
  return picture.resize(box).webp(THUMBNAIL).toBuffer();
}

/** What cannot be read is the sender's; what we lack, such as memory, is not. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError) throw error;
    const { message } = error as Error;
    if (/pixel limit|too large|exceeds/i.test(message))
      throw invalid({ file: [say(attachmentMessages.too_large, MEGAPIXELS)] });
    if (/memory|timeout|cannot find module|could not load/i.test(message)) throw error;
    throw invalid({ file: [say(attachmentMessages.broken)] });
  }
}
