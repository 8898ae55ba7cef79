import type { DecoderAnswer, DecoderRequest } from '../../workers/decoder.js';

/** Nothing can read codes here. */
export class DecoderError extends Error {}

/** Reads what codes there are in a picture. */
export interface Detector {
  detect: (picture: HTMLCanvasElement) => Promise<string[]>;
}

/** That of the browser, where it has one (https://wicg.github.io/shape-detection-api/). */
interface NativeDetector {
  detect: (image: ImageBitmapSource) => Promise<{ rawValue: string }[]>;
}
interface NativeClass {
  new (options: { formats: string[] }): NativeDetector;
  getSupportedFormats: () => Promise<string[]>;
}

const FORMATS = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13', 'ean_8'];

/** Ends, also while it is loaded, with `ending`. @throws DecoderError */
export async function openDetector(ending: AbortSignal): Promise<Detector> {
  const native = await nativeDetector();
  if (native) return { detect: async (picture) => textsOf(await native.detect(picture)) };
  ending.throwIfAborted();
  const decoder = new Decoder();
  ending.addEventListener('abort', () => decoder.end());
  const texts = await decoder.detect(sample()).catch((): string[] => []);
  if (texts.includes(SAMPLE)) return decoder;
  decoder.end();
  throw new DecoderError('The decoder does not read');
}

const textsOf = (codes: { rawValue: string }[]): string[] => codes.map(({ rawValue }) => rawValue);

/** Some browsers have one that lacks formats, or that reads nothing: it is tried before it is trusted. */
async function nativeDetector(): Promise<NativeDetector | null> {
  const { BarcodeDetector } = globalThis as { BarcodeDetector?: NativeClass };
  if (!BarcodeDetector) return null;
  try {
    const known = await BarcodeDetector.getSupportedFormats();
    if (!FORMATS.every((format) => known.includes(format))) return null;
    const detector = new BarcodeDetector({ formats: FORMATS });
    return textsOf(await detector.detect(sample())).includes(SAMPLE) ? detector : null;
  } catch {
    return null;
  }
}

const SAMPLE = 'R';
/** As Code 39 with its start and stop, bars and spaces in turn: n is narrow, w is wide. */
const CODE_39_R = ['nwnnwnwnn', 'wnnnnnwwn', 'nwnnwnwnn'];

function sample(): HTMLCanvasElement {
  const [narrow, wide, height] = [3, 8, 80];
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [320, height + 40];
  const context = canvas.getContext('2d')!;
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = 'black';
  let x = 40;
  for (const character of CODE_39_R) {
    for (const [at, width] of [...character].entries()) {
      const pixels = width === 'w' ? wide : narrow;
      if (at % 2 === 0) context.fillRect(x, 20, pixels, height);
      x += pixels;
    }
    x += narrow;
  }
  return canvas;
}

/** Ours, for all other browsers: a worker that is loaded when the camera is first used, and kept then. */
class Decoder implements Detector {
  private readonly worker = new Worker(new URL('../../workers/decoder.ts', import.meta.url), {
    type: 'module',
    name: 'decoder',
  });
  private readonly asked = new Map<number, PromiseWithResolvers<string[]>>();
  private last = 0;

  constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<DecoderAnswer>) => {
      this.asked.get(data.id)?.resolve(data.texts);
      this.asked.delete(data.id);
    });
    // Such as without a network, where it was never loaded.
    this.worker.addEventListener('error', () => this.fail());
  }

  // Rejects also where the picture cannot be taken.
  async detect(picture: HTMLCanvasElement): Promise<string[]> {
    const image = picture.getContext('2d')!.getImageData(0, 0, picture.width, picture.height);
    const answer = withResolvers<string[]>();
    const id = ++this.last;
    this.asked.set(id, answer);
    this.worker.postMessage({ id, image } satisfies DecoderRequest, [image.data.buffer]);
    return answer.promise;
  }

  end(): void {
    this.worker.terminate();
    this.fail();
  }

  private fail(): void {
    for (const answer of this.asked.values()) answer.reject(new DecoderError('There is no decoder'));
    this.asked.clear();
  }
}

interface PromiseWithResolvers<Value> {
  promise: Promise<Value>;
  resolve: (value: Value) => void;
  reject: (error: Error) => void;
}

/** Promise.withResolvers() is missing on phones. */
function withResolvers<Value>(): PromiseWithResolvers<Value> {
  let resolve!: (value: Value) => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<Value>((...both) => ([resolve, reject] = both));
  return { promise, resolve, reject };
}
