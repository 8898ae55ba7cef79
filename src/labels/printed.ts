import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { invalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import type { Env } from '../config/env.js';
import { encode, encodeForPrinter } from './encode.js';
import type { LabelQuery } from './labels.dto.js';
import { labelMessages } from './labels.messages.js';
import { layOut } from './layout.js';
import type { Drawing } from './layout.js';
import { pagesOf } from './pages.js';
import { measure, pngOf, svgOf } from './picture.js';
import { MM_PER_INCH } from './sheets.js';
import type { Sheet } from './sheets.js';
import type { Symbol, SymbolName } from './symbol.js';
import { zplOf } from './zpl.js';

/** How long labels are drawn before others have their turn. */
const SLICE_MS = 10;

/** What stands on a label, beside the organisation. */
interface Coded {
  code: string;
  name: string;
  more?: string;
}

/**
 * A file of labels.
 * @throws DomainError validation-failed for a code that the symbol or the label has no room for
 */
export async function printed(
  rows: Coded[],
  sheet: Sheet,
  query: LabelQuery,
  env: Pick<Env, 'ORGANISATION' | 'LABEL_URL'>,
): Promise<Readable> {
  const { format = 'pdf', symbol: name = 'qr', dpi = '300', skip = 0, dx = 0, dy = 0 } = query;
  const dot = format === 'png' || format === 'zpl' ? MM_PER_INCH / Number(dpi) : 0;
  const drawings = inTurns(rows, (row) => {
    const make = format === 'zpl' ? encodeForPrinter : encode;
    const symbol = held(() => make(name, textOf(name, row.code, env.LABEL_URL)), row.code);
    const label = { code: row.code, name: row.name, more: row.more ?? '', organisation: env.ORGANISATION };
    const drawing = layOut(label, symbol, { ...sheet, dot }, measure);
    if (!drawing) throw invalid({ sheet: [say(labelMessages.no_room, row.code)] });
    return drawing;
  });
  if (format === 'pdf') return pagesOf(drawings, sheet, { skip, dx, dy });
  const made: (string | Buffer)[] = [];
  for await (const drawing of drawings) made.push(await written(format, drawing, Number(dpi)));
  return Readable.from(made, { objectMode: false });
}

/** What is drawn of each, with a pause for others now and then. */
async function* inTurns(rows: Coded[], draw: (row: Coded) => Drawing): AsyncGenerator<Drawing> {
  let since = performance.now();
  for (const row of rows) {
    yield draw(row);
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}

/** What a symbol holds. */
const textOf = (symbol: SymbolName, code: string, url?: string): string =>
  symbol === 'qr' && url !== undefined ? url.replaceAll('{code}', encodeURIComponent(code)) : code;

/** @throws DomainError validation-failed */
function held(make: () => Symbol, code: string): Symbol {
  try {
    return make();
  } catch {
    throw invalid({ symbol: [say(labelMessages.not_held, code)] });
  }
}

const written = (format: 'png' | 'svg' | 'zpl', drawing: Drawing, dpi: number) => {
  if (format === 'png') return pngOf(drawing, dpi);
  return format === 'svg' ? svgOf(drawing) : zplOf(drawing, dpi);
};
