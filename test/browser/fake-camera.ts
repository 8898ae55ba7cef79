import bwip from '@bwip-js/node';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

const [WIDTH, HEIGHT] = [1280, 720];

/** The bars or modules of a symbol: which of them are dark. */
function symbol(
  kind: 'qrcode' | 'code128' | 'datamatrix',
  text: string,
): { rows: boolean[][]; unit: number } {
  const [drawn] = bwip.raw({ bcid: kind, text }) as unknown as [
    { pixs: number[]; pixx: number; pixy: number } | { sbs: number[] },
  ];
  if ('pixs' in drawn) {
    const { pixs, pixx, pixy } = drawn;
    const rows = Array.from({ length: pixy }, (_, y) =>
      Array.from({ length: pixx }, (__, x) => pixs[y * pixx + x] === 1),
    );
    return { rows, unit: Math.floor(320 / pixy) };
  }
  // Widths of bars and spaces in turn.
  const bars = drawn.sbs.flatMap((width, at) => Array<boolean>(width).fill(at % 2 === 0));
  return { rows: Array<boolean[]>(60).fill(bars), unit: Math.floor(700 / bars.length) };
}

/** A film for Chromium’s fake camera, which sees one label: in the middle, dark on white, at rest. */
export function film(kind: 'qrcode' | 'code128' | 'datamatrix', text: string): string {
  const { rows, unit } = symbol(kind, text);
  const luma = Buffer.alloc(WIDTH * HEIGHT, 235);
  const left = Math.floor((WIDTH - rows[0]!.length * unit) / 2);
  const top = Math.floor((HEIGHT - rows.length * unit) / 2);
  for (let y = 0; y < rows.length * unit; y++)
    for (const [x, isDark] of rows[Math.floor(y / unit)]!.entries())
      if (isDark)
        luma.fill(16, (top + y) * WIDTH + left + x * unit, (top + y) * WIDTH + left + (x + 1) * unit);
  const chroma = Buffer.alloc((WIDTH * HEIGHT) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), luma, chroma]);
  const path = resolve(`.artifacts/camera-${kind}.y4m`);
  mkdirSync(dirname(path), { recursive: true }); // in a fresh clone
  writeFileSync(
    path,
    Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F15:1 Ip A1:1 C420jpeg\n`), frame, frame]),
  );
  return path;
}

/** How Chromium is started to see it. */
export const seeing = (path: string): string[] => [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-video-capture=${path}`,
];

/** In the page: a camera that is held upright, whose picture of 720 by 1280 has a label at each of these heights. */
export const upright = (...labels: [text: string, y: number][]): string => `
  MediaDevices.prototype.getUserMedia = async () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [720, 1280];
    const context = canvas.getContext('2d');
    const labels = ${JSON.stringify(labels.map(([text, y]) => ({ y, rows: symbol('qrcode', text).rows })))};
    const draw = () => {
      context.fillStyle = 'white';
      context.fillRect(0, 0, canvas.width, canvas.height);
      context.fillStyle = 'black';
      for (const { y, rows } of labels)
        for (const [down, row] of rows.entries())
          for (const [right, isDark] of row.entries())
            if (isDark) context.fillRect(300 + 5 * right, y + 5 * down, 5, 5);
    };
    draw();
    setInterval(draw, 66); // a stream comes of what is drawn
    return canvas.captureStream(15);
  };`;
