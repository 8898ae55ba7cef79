import { piecesOf } from './workbook-cells.js';

const STYLES = 'xl/styles.xml';
/** How a number is shown with zeros before it, such as 00000000. */
const FORMAT = /<(?:\w+:)?numFmt\s([^<>]*)>/g;
const ZEROS = /\bformatCode\s*=\s*["'](0{2,})["']/;
/** What cells are given, in the order by which they name it. */
const FORMATS_OF_CELLS = /<(?:\w+:)?cellXfs[\s>]/;
const XF = /<(?:\w+:)?xf\s[^<>]*/g;
const ID = /\bnumFmtId\s*=\s*["'](\d+)["']/;
const CELL =
  /<((?:\w+:)?)c\s([^<>]*)>(<(?:\w+:)?f[\s>/](?:[^<>]*\/>|[^<]*<\/(?:\w+:)?f>))?<(?:\w+:)?v>(\d+)<\/(?:\w+:)?v>/g;
const STYLE = /\bs\s*=\s*["'](\d+)["']/;
const TYPE = /\bt\s*=\s*["'](\w+)["']/;

/**
 * The sheets of a workbook, with numbers that are shown with zeros before them as the texts that people see there: codes,
 * which are others without their zeros.
 */
export async function withZeros(parts: Map<string, Buffer>): Promise<Map<string, Buffer>> {
  const widths = widthsIn(parts.get(STYLES)?.toString('latin1') ?? '');
  if (!widths.some(Boolean)) return parts;
  const shown = new Map<string, Buffer>();
  for (const [name, part] of parts) {
    const pieces: Buffer[] = [];
    for await (const piece of piecesOf(part, 'c>')) pieces.push(Buffer.from(padded(piece, widths), 'latin1'));
    shown.set(name, Buffer.concat(pieces));
  }
  return shown;
}

/** How many digits are shown at least, by the format of a cell; 0 where that is not of zeros alone. */
function widthsIn(styles: string): number[] {
  const widths = new Map<string | undefined, number>();
  for (const [, format] of styles.matchAll(FORMAT)) {
    const zeros = ZEROS.exec(format!)?.[1];
    if (zeros) widths.set(ID.exec(format!)?.[1], zeros.length);
  }
  if (widths.size === 0) return [];
  const from = styles.search(FORMATS_OF_CELLS);
  const cells = styles.slice(from, styles.indexOf('cellXfs>', from + '<cellXfs>'.length));
  return [...cells.matchAll(XF)].map(([xf]) => widths.get(ID.exec(xf)?.[1]) ?? 0);
}

const padded = (sheet: string, widths: number[]): string =>
  sheet.replace(CELL, (cell, prefix: string, attributes: string, _formula, digits: string) => {
    const width = widths[Number(STYLE.exec(attributes)?.[1])] ?? 0;
    if (digits.length >= width || (TYPE.exec(attributes)?.[1] ?? 'n') !== 'n') return cell;
    const others = attributes.replace(TYPE, '');
    return `<${prefix}c ${others} t="str"><${prefix}v>${digits.padStart(width, '0')}</${prefix}v>`;
  });
