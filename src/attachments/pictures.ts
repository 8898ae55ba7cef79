import type { Sharp, default as Library } from 'sharp';
import { invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { attachmentMessages } from './attachments.messages.js';

/** More than phones make; turned, each takes three bytes of memory for a pixel. */
const MEGAPIXELS = 65;
const LIMIT_S = 20;
const QUALITY = { jpeg: 90, webp: 90, thumbnail: 78 };

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
 * The picture as it is seen, turned upright, and nothing that the camera noted beside it, such as where it was taken.
 * @throws DomainError validation-failed for one that is broken or too large
 */
export async function upright(bytes: Buffer, format: Format): Promise<Picture> {
  return readable(async () => {
    const picture = (await open(bytes)).timeout({ seconds: LIMIT_S }).autoOrient();
    const written = format === 'png' ? picture.png() : picture[format]({ quality: QUALITY[format] });
    const { data, info } = await written.toBuffer({ resolveWithObject: true });
    return { content: data, width: info.width, height: info.height };
  });
}

/** As WebP, within a square of this many pixels, never larger than the picture itself. */
export async function thumbnail(bytes: Buffer, size: number): Promise<Buffer> {
  const picture = (await open(bytes)).timeout({ seconds: LIMIT_S });
  const box = { width: size, height: size, fit: 'inside', withoutEnlargement: true } as const;
  return picture.resize(box).webp({ quality: QUALITY.thumbnail }).toBuffer();
}

/** What cannot be read is the sender's; what we lack, such as memory, is not. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { message } = error as Error;
    if (/pixel limit|too large|exceeds/i.test(message))
      throw invalid({ file: [say(attachmentMessages.too_large, MEGAPIXELS)] });
    if (/memory|timeout|cannot find module|could not load/i.test(message)) throw error;
    throw invalid({ file: [say(attachmentMessages.broken)] });
  }
}
