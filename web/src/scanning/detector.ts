import type { DecoderAnswer, DecoderRequest } from '../workers/decoder.js';

/** Reads what codes there are in a picture. */
export interface Detector {
  detect: (source: CanvasImageSource, width: number, height: number) => Promise<string[]>;
  end: () => void;
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

export async function openDetector(): Promise<Detector> {
  const native = await nativeDetector();
  return native
    ? {
        detect: async (source) => textsOf(await native.detect(source)),
        end: () => undefined,
      }
    : new Decoder();
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
    return textsOf(await detector.detect(await sample())).includes('R') ? detector : null;
  } catch {
    return null;
  }
}

/** `R` as Code 39 with its start and stop, bars and spaces in turn: n is narrow, w is wide. */
const CODE_39_R = ['nwnnwnwnn', 'wnnnnnwwn', 'nwnnwnwnn'];

function sample(): Promise<ImageBitmap> {
  const [narrow, wide, height] = [3, 8, 80];
  const canvas = new OffscreenCanvas(320, height + 40);
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
  return createImageBitmap(canvas);
}

/** Ours, for all other browsers: a worker that is loaded when the camera is first used. */
class Decoder implements Detector {
  private readonly worker = new Worker(new URL('../workers/decoder.ts', import.meta.url), {
    type: 'module',
    name: 'decoder',
  });
  private readonly canvas = document.createElement('canvas');
  private readonly context = this.canvas.getContext('2d', { willReadFrequently: true })!;
  private last = 0;

  detect(source: CanvasImageSource, width: number, height: number): Promise<string[]> {
    this.canvas.width = width;
    this.canvas.height = height;
    this.context.drawImage(source, 0, 0, width, height);
    const image = this.context.getImageData(0, 0, width, height);
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const hear = ({ data }: MessageEvent<DecoderAnswer>) => {
        if (data.id !== id) return;
        this.worker.removeEventListener('message', hear);
        resolve(data.texts);
      };
      this.worker.addEventListener('message', hear);
      this.worker.addEventListener('error', reject, { once: true });
      this.worker.postMessage({ id, image } satisfies DecoderRequest, [image.data.buffer]);
    });
  }

  end(): void {
    this.worker.terminate();
  }
}
