import { setImmediate } from 'node:timers/promises';
import type { Face } from '../common/fonts.js';
import { COLOURS, LEADING, MARGIN, SIZES } from './pages.js';
import type { Pages } from './pages.js';

const PADDING = 3;
/** No cell is higher, so that the longest path of places leaves room for others. */
const MAX_LINES = 8;
const MAX_TEXT = 600;
/** What others do has its turn in between. */
const ROWS_AT_ONCE = 10;

export interface PageColumn {
  title: string;
  /** In points. */
  width: number;
  /** In one line, in smaller letters where it has no room. */
  isNumber?: boolean;
}

/** What stands in a cell, and the size of its letters. */
interface Cell {
  lines: string[];
  size: number;
}

interface TableOptions {
  /** A last row, in bold. */
  sums?: string[] | undefined;
  /** No row is lower, in points. */
  least?: number;
}

/** Rows of texts, the first of each its heading, below a heading that comes again on each page. */
export async function drawTable(
  pages: Pages,
  columns: PageColumn[],
  rows: string[][],
  { sums, least = 0 }: TableOptions = {},
): Promise<void> {
  const table = new PageTable(pages, columns, least);
  table.begin(rows[0]);
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await setImmediate();
    table.add(row, 'plain');
  }
  if (sums) table.add(sums, 'bold');
  table.end();
}

class PageTable {
  private readonly tag;
  private readonly heading: Cell[];

  constructor(
    private readonly pages: Pages,
    private readonly columns: PageColumn[],
    private readonly least: number,
  ) {
    this.tag = pages.doc.struct('Table');
    this.heading = columns.map(({ title, width }) => this.textIn(title, 'bold', width - 2 * PADDING));
  }

  /** @param first the row that is to be below the heading, on the same page */
  begin(first?: string[]): void {
    const below = first ? this.heightWith(this.cellsOf(first, 'plain')) : 0;
    this.pages.need(heightOf(this.heading) + Math.max(below, 40));
    this.pages.root.add(this.tag);
    this.row(this.heading, heightOf(this.heading), 'Column');
  }

  add(texts: string[], face: Face): void {
    const cells = this.cellsOf(texts, face);
    const height = this.heightWith(cells);
    if (!this.pages.hasRoomFor(height)) {
      this.pages.newPage();
      this.pages.artifact(() => this.draw(this.heading, heightOf(this.heading), 'bold', true));
      this.pages.space(heightOf(this.heading));
    }
    this.row(cells, height, 'Row', face);
  }

  private heightWith(cells: Cell[]): number {
    return Math.max(this.least, heightOf(cells));
  }

  end(): void {
    this.tag.end();
    this.pages.space(8);
  }

  private row(cells: Cell[], height: number, scope: 'Column' | 'Row', face: Face = 'bold'): void {
    const isHeading = scope === 'Column';
    const row = this.pages.doc.struct('TR');
    this.tag.add(row);
    this.pages.artifact(() => this.frame(height, isHeading));
    this.cells(cells, face, (at, draw) =>
      row.add(
        isHeading || at === 0 ? this.pages.element('TH', draw, { scope }) : this.pages.element('TD', draw),
      ),
    );
    row.end();
    this.pages.space(height);
  }

  /** Without tags. */
  private draw(cells: Cell[], height: number, face: Face, isHeading: boolean): void {
    this.frame(height, isHeading);
    this.cells(cells, face, (_, draw) => draw());
  }

  private frame(height: number, isHeading: boolean): void {
    const { doc, y } = this.pages;
    if (isHeading) doc.rect(MARGIN, y, this.width, height).fill(COLOURS.pale);
    doc.moveTo(MARGIN, y + height).lineTo(MARGIN + this.width, y + height);
    doc.lineWidth(0.5).stroke(COLOURS.line);
  }

  private get width(): number {
    return this.columns.reduce((sum, { width }) => sum + width, 0);
  }

  private cells(cells: Cell[], face: Face, each: (at: number, draw: () => void) => void): void {
    let x = MARGIN + PADDING;
    for (const [at, { width, isNumber }] of this.columns.entries()) {
      const [left, right] = [x, isNumber ? width - 2 * PADDING : 0];
      const { lines, size } = cells[at]!;
      const top = PADDING + SIZES.cell - size; // on the line of the others
      each(at, () => this.pages.write(lines, left, face, size, COLOURS.ink, top, right));
      x += width;
    }
  }

  private cellsOf(row: string[], face: Face): Cell[] {
    return this.columns.map(({ width, isNumber }, at) => {
      const room = width - 2 * PADDING;
      return isNumber ? this.numberIn(row[at]!, face, room) : this.textIn(row[at]!, face, room);
    });
  }

  private textIn(text: string, face: Face, room: number): Cell {
    const size = SIZES.cell;
    const lines = this.pages.linesOf(text.slice(0, MAX_TEXT), face, size, room);
    if (lines.length <= MAX_LINES) return { lines, size };
    const last = `${lines[MAX_LINES - 1]!.slice(0, -1)}…`;
    return { lines: [...lines.slice(0, MAX_LINES - 1), last], size };
  }

  private numberIn(text: string, face: Face, room: number): Cell {
    const width = this.pages.widthOf(text, face, SIZES.cell);
    return { lines: [text], size: width > room ? (SIZES.cell * room) / width : SIZES.cell };
  }
}

const heightOf = (cells: Cell[]): number =>
  Math.max(...cells.map(({ lines }) => lines.length)) * SIZES.cell * LEADING + 2 * PADDING;
