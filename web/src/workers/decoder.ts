import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url';

// Beside the page, so that it never waits. This file alone may compile WebAssembly: see src/web of the service.
prepareZXingModule({ overrides: { locateFile: () => wasm } });

export interface DecoderRequest {
  id: number;
  image: ImageData;
}
export interface DecoderAnswer {
  id: number;
  texts: string[];
}

addEventListener('message', ({ data: { id, image } }: MessageEvent<DecoderRequest>) => {
  void readBarcodes(image, {
    formats: ['QRCode', 'DataMatrix', 'Code128', 'Code39', 'EAN13', 'EAN8'],
    maxNumberOfSymbols: 4,
    tryHarder: true,
  }).then(
    (results) => answer({ id, texts: results.filter(({ isValid }) => isValid).map(({ text }) => text) }),
    () => answer({ id, texts: [] }),
  );
});

const answer = (message: DecoderAnswer): void => postMessage(message);
