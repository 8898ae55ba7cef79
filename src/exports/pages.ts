import { once } from 'node:events';
import { Readable } from 'node:stream';
import { WHOLE, inOrder } from '../common/direction.js';
import { readFont } from '../common/fonts.js';
import type { Face } from '../common/fonts.js';
import { wrapped } from './wrap.js';

/** A4, in points. */
const PAGE = { width: 595.28, height: 841.89 };
export const MARGIN = 45;
const TOP = 60;
const BOTTOM = PAGE.height - 55;
export const CONTENT_WIDTH = PAGE.width - 2 * MARGIN;

export const COLOURS = {
  ink: '#1b2733',
  muted: '#5b6770',
  accent: '#1f5f8b',
  pale: '#d5e3ee',
  line: '#b9c4cc',
};

export const SIZES = { H1: 22, H2: 14, P: 9.5, cell: 8, small: 7.5 };
/** Of the height of the letters. */
export const LEADING = 1.32;

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Lines of a paragraph that no page is turned within. */
const TOGETHER = 4;

/** In a block. */
const PIECES = 4096;

/** Also what pdfkit knows and its types do not. */
type ElementOptions = Parameters<PDFKit.PDFDocument['struct']>[1] & {
  bbox?: number[];
  scope?: string | undefined;
};

let faces: Record<Face, Buffer> | undefined;

/**
 * A document of pages (PDF 1.7), tagged for screen readers: headings, paragraphs, tables whose heading comes again on
 * each page, and drawings. It is in memory until it is sent, since each page says how many there are: tables are short.
 */
export class Pages {
  /** Where the next thing goes. */
  y = TOP;
  /** Of what screen readers are told. */
  readonly root;
  /** What is made of the file, in blocks: as pdfkit makes it, in a hundred thousand pieces, it would be 15 MB. */
  private readonly blocks: Uint8Array[] = [];
  private pieces: Uint8Array[] = [];

  private constructor(
    readonly doc: PDFKit.PDFDocument,
    private readonly title: string,
  ) {
    doc.on('data', (piece: Uint8Array) => this.take(piece));
    this.root = doc.struct('Document');
    doc.addStructure(this.root);
    doc.addPage();
  }

  /** @param locale such as fr-FR */
  static async of(title: string, locale: string): Promise<Pages> {
    const { default: PDFDocument } = await import('pdfkit');
    faces ??= { plain: readFont('plain'), bold: readFont('bold') };
    const doc = new PDFDocument({
      size: 'A4',
      margin: 0, // what is drawn is placed here, and never breaks a page by itself
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: '1.7',
      tagged: true,
      lang: locale,
      displayTitle: true,
      info: { Title: title },
    });
    for (const [face, bytes] of Object.entries(faces)) doc.registerFont(face, bytes);
    return new Pages(doc, title);
  }

  newPage(): void {
    join(this.doc.page);
    this.doc.addPage();
    this.y = TOP;
  }

  space(height: number): void {
    this.y += height;
  }

  hasRoomFor(height: number): boolean {
    return this.y + height <= BOTTOM;
  }

  /** Begins a new page where less than this is left. */
  need(height: number): void {
    if (!this.hasRoomFor(height)) this.newPage();
  }

  heading(level: 'H1' | 'H2', text: string): void {
    const lines = this.linesOf(text, 'bold', SIZES[level], CONTENT_WIDTH);
    const height = SIZES[level] * LEADING;
    this.need(lines.length * height + 60); // with something below it
    if (this.y > TOP) this.space(SIZES[level] * 0.6);
    this.tagged(level, () => this.write(lines, MARGIN, 'bold', SIZES[level], COLOURS.ink));
    this.space(lines.length * height + SIZES[level] * 0.35);
  }

  /** On as many pages as it takes: one tag, with a piece of it on each. */
  paragraph(text: string, face: Face = 'plain', colour = COLOURS.ink): void {
    const lines = this.linesOf(text, face, SIZES.P, CONTENT_WIDTH);
    const height = SIZES.P * LEADING;
    const tag = this.doc.struct('P');
    this.root.add(tag);
    this.need(Math.min(lines.length, TOGETHER) * height);
    for (let at = 0; at < lines.length;) {
      this.need(height);
      const piece = lines.slice(at, at + Math.max(1, Math.floor((BOTTOM - this.y) / height)));
      tag.add(() => this.write(piece, MARGIN, face, SIZES.P, colour));
      this.space(piece.length * height);
      at += piece.length;
    }
    tag.end();
    this.space(3);
  }

  /** A drawing, with what it shows in words. */
  figure(alt: string, height: number, draw: (box: Box) => void): void {
    this.need(height);
    const box = { x: MARGIN, y: this.y, width: CONTENT_WIDTH, height };
    const { x, y } = box;
    const bbox = [x, y, x + CONTENT_WIDTH, y + height];
    this.root.add(this.element('Figure', () => draw(box), { alt, bbox }));
    this.space(height + 8);
  }

  /** Numbers the pages; nothing comes after. */
  async end(footer: string, pageOf: (page: number, pages: number) => string): Promise<Readable> {
    const { count } = this.doc.bufferedPageRange();
    for (let at = 0; at < count; at++) {
      this.doc.switchToPage(at);
      this.artifact(() => {
        if (at > 0) this.line(this.title, MARGIN, 30, SIZES.small, CONTENT_WIDTH);
        this.line(footer, MARGIN, PAGE.height - 38, SIZES.small, CONTENT_WIDTH - 80);
        const number = pageOf(at + 1, count);
        const width = this.widthOf(number, 'plain', SIZES.small);
        this.line(number, PAGE.width - MARGIN - width, PAGE.height - 38, SIZES.small, width + 1);
      });
    }
    this.root.end();
    const isMade = once(this.doc, 'end');
    this.doc.end();
    await isMade;
    this.take(null);
    return Readable.from(this.blocks);
  }

  /** One line of a drawing, cut where it is longer than that. */
  line(text: string, x: number, y: number, size: number, width: number, colour = COLOURS.muted): void {
    const [first = '', more] = this.linesOf(text, 'plain', size, width);
    this.put(more === undefined ? first : `${first}…`, x, y, 'plain', size, colour);
  }

  widthOf(text: string, face: Face, size: number): number {
    return this.doc.font(face).fontSize(size).widthOfString(text);
  }

  linesOf(text: string, face: Face, size: number, width: number): string[] {
    return wrapped(text, width, (part) => this.widthOf(part, face, size));
  }

  /** @param right the width in which lines end on the right; 0 for those that begin on the left */
  write(lines: string[], x: number, face: Face, size: number, colour: string, top = 0, right = 0): void {
    for (const [at, text] of lines.entries()) {
      const indent = right > 0 ? right - this.widthOf(text, face, size) : 0;
      this.put(text, x + indent, this.y + top + at * size * LEADING, face, size, colour);
    }
  }

  private put(text: string, x: number, y: number, face: Face, size: number, colour: string): void {
    this.doc.font(face).fontSize(size).fillColor(colour);
    for (const piece of text === '' ? [] : inOrder(text)) {
      this.doc.text(piece.text, x, y, { lineBreak: false, ...(piece.isRight && WHOLE) });
      x += this.widthOf(piece.text, face, size);
    }
  }

  private take(piece: Uint8Array | null): void {
    if (piece && this.pieces.push(piece) < PIECES) return;
    this.blocks.push(Buffer.concat(this.pieces));
    this.pieces = [];
  }

  private tagged(tag: string, draw: () => void): void {
    this.root.add(this.element(tag, draw));
  }

  /** What is drawn there, with its tag. */
  element(tag: string, draw: () => void, options: ElementOptions = {}): PDFKit.PDFStructureElement {
    return this.doc.struct(tag, options, draw);
  }

  /** What is no part of the text. */
  artifact(draw: () => void): void {
    this.doc.markContent('Artifact', { type: 'Pagination' });
    draw();
    this.doc.endMarkedContent();
  }
}

/** pdfkit keeps each operator of a page in an array of its own until the end: 50 MB for 2000 rows of a table. */
function join(page: PDFKit.PDFPage): void {
  const { content } = page as unknown as { content: { buffer: Uint8Array[] } };
  content.buffer = [Buffer.concat(content.buffer)];
}
