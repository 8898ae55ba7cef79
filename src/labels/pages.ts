import { WHOLE, inOrder } from '../common/direction.js';
import { FACES, readFont } from '../common/fonts.js';
import type { Drawing } from './layout.js';
import { drawable } from './picture.js';
import { MM_PER_INCH, placeOf } from './sheets.js';
import type { Sheet } from './sheets.js';

/** In a millimetre. */
const POINTS = 72 / MM_PER_INCH;

interface Offsets {
  /** Labels of the first sheet that are used already. */
  skip: number;
  /** Millimetres to the right and down, of a printer that feeds askew. */
  dx: number;
  dy: number;
}

/** Sheets of labels as PDF, at their true size: to be printed at 100 %. */
export async function pagesOf(
  drawings: AsyncIterable<Drawing>,
  sheet: Sheet,
  { skip, dx, dy }: Offsets,
): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import('pdfkit');
  const size: [number, number] = [sheet.page.width * POINTS, sheet.page.height * POINTS];
  const doc = new PDFDocument({ size, margin: 0, autoFirstPage: false });
  for (const face of FACES) doc.registerFont(face, readFont(face));
  let at = skip;
  let last = -1;
  for await (const drawing of drawings) {
    const { page, x, y } = placeOf(sheet, at++);
    if (page !== last) doc.addPage();
    last = page;
    draw(doc, drawing, (x + dx) * POINTS, (y + dy) * POINTS);
  }
  doc.end();
  return doc;
}

function draw(doc: PDFKit.PDFDocument, { symbol, box, lines }: Drawing, left: number, top: number): void {
  const module = box.module * POINTS;
  const height = symbol.rows === 1 ? box.height * POINTS : module;
  for (const { column, row, length } of symbol.runs) {
    const x = left + box.x * POINTS + column * module;
    doc.rect(x, top + box.y * POINTS + row * height, length * module, height);
  }
  doc.fill('black');
  for (const { text, x, y, size, isBold } of lines) {
    const options = { lineBreak: false, baseline: 'alphabetic' } as const;
    doc.font(isBold ? 'bold' : 'plain').fontSize(size * POINTS);
    let at = left + x * POINTS;
    for (const piece of inOrder(drawable(text, isBold))) {
      doc.text(piece.text, at, top + y * POINTS, { ...options, ...(piece.isRight && WHOLE) });
      at += doc.widthOfString(piece.text);
    }
  }
}
