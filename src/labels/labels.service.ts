import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { todayIn } from '../common/dates.js';
import { invalid } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { Env } from '../config/env.js';
import { PDF_TYPE } from '../contract/content.js';
import { Download } from '../http/download.js';
import { MAX_LABELS } from './labels.dto.js';
import type { LabelQuery } from './labels.dto.js';
import { labelMessages } from './labels.messages.js';
import { layOut } from './layout.js';
import type { Drawing } from './layout.js';
import { pagesOf } from './pages.js';
import { measure, pngOf, svgOf } from './picture.js';
import { sheetOf } from './sheet-of.js';
import { symbolOf } from './symbol.js';
import type { Symbol, SymbolName } from './symbol.js';
import { zplOf } from './zpl.js';

export const LABEL_TYPES = {
  pdf: PDF_TYPE,
  png: 'image/png',
  svg: 'image/svg+xml',
  zpl: 'text/plain',
} as const;

const MM_PER_INCH = 25.4;
/** Each takes a good part of a processor for as long as it draws. */
const PRINTERS = 2;
/** How long labels are drawn before others have their turn. */
const SLICE_MS = 10;

/** What a label is made for. */
export interface Labelled {
  id: number;
  code: string | null;
  name: string;
  /** What else is to stand on it. */
  more?: string;
}

/** Labels, to be printed. */
@Injectable()
export class LabelsService {
  private readonly printers: Limit;

  constructor(private readonly env: Env) {
    this.printers = new Limit(PRINTERS, env.DATABASE_TIMEOUT_MS, 10 * PRINTERS);
  }

  /**
   * @param find reads no more than so many
   * @throws DomainError validation-failed for ids that are not there or have no code, for none or too many, for sheets
   * that no page has room for, for codes that a symbol or a label has no room for
   */
  async print(
    query: LabelQuery & { sort?: string },
    find: (limit: number) => Promise<Labelled[]>,
  ): Promise<Download> {
    const { format = 'pdf', symbol = 'qr', dpi = '300', skip = 0, dx = 0, dy = 0 } = query;
    const sheet = sheetOf(query);
    const rows = chosen(await find(MAX_LABELS + 1), query);
    const isPicture = format === 'png' || format === 'svg';
    if (isPicture && rows.length > 1) throw invalid({ ids: [say(labelMessages.one, rows.length)] });
    const dot = format === 'png' || format === 'zpl' ? MM_PER_INCH / Number(dpi) : 0;
    const draw = (row: Coded) => this.draw(row, symbol, { ...sheet, dot });
    const name = `labels-${todayIn(this.env.TIME_ZONE)}.${format}`;
    return new Download({ name, type: LABEL_TYPES[format], isPacked: format !== 'zpl' }, (send) =>
      this.printers.run(async () => {
        if (format === 'pdf') return send(await pagesOf(inTurns(rows, draw), sheet, { skip, dx, dy }));
        const made: (string | Buffer)[] = [];
        for await (const drawing of inTurns(rows, draw))
          made.push(await written(format, drawing, Number(dpi)));
        return send(Readable.from(made, { objectMode: false }));
      }),
    );
  }

  private draw(row: Coded, name: SymbolName, frame: Parameters<typeof layOut>[2]): Drawing {
    const label = {
      code: row.code,
      name: row.name,
      more: row.more ?? '',
      organisation: this.env.ORGANISATION,
    };
    const symbol = held(name, this.textOf(name, row.code), row.code);
    const drawing = layOut(label, symbol, frame, measure);
    if (!drawing) throw invalid({ sheet: [say(labelMessages.no_room, row.code)] });
    return drawing;
  }

  /** What a symbol holds. */
  private textOf(symbol: SymbolName, code: string): string {
    const { LABEL_URL: url } = this.env;
    return symbol === 'qr' && url !== undefined ? url.replaceAll('{code}', encodeURIComponent(code)) : code;
  }
}

interface Coded extends Labelled {
  code: string;
}

/** Those that have a code; by their ids they all must. */
function chosen(rows: Labelled[], { ids, sort }: LabelQuery & { sort?: string }): [Coded, ...Coded[]] {
  const refuse = (message: string) => invalid({ ids: [message] });
  if (rows.length > MAX_LABELS) throw refuse(say(labelMessages.too_many, MAX_LABELS));
  const found = new Set(rows.map(({ id }) => id));
  const unknown = ids?.filter((id) => !found.has(id)) ?? [];
  if (unknown.length > 0) throw refuse(say(labelMessages.not_left, unknown.slice(0, 100).join(', ')));
  const nameless = rows.filter(({ code }) => code === null);
  if (ids && nameless.length > 0)
    throw refuse(say(labelMessages.no_code, nameless.map(({ id }) => id).join(', ')));
  if (ids && !sort) rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id));
  const [first, ...others] = rows.filter((row): row is Coded => row.code !== null);
  if (!first) throw refuse(say(labelMessages.none));
  return [first, ...others];
}

/** @throws DomainError validation-failed */
function held(name: SymbolName, text: string, code: string): Symbol {
  try {
    return symbolOf(name, text);
  } catch {
    throw invalid({ symbol: [say(labelMessages.not_held, code)] });
  }
}

const written = (format: 'png' | 'svg' | 'zpl', drawing: Drawing, dpi: number) => {
  if (format === 'png') return pngOf(drawing, dpi);
  return format === 'svg' ? svgOf(drawing) : zplOf(drawing, dpi);
};

/** What is drawn of each, with a pause for others now and then. */
async function* inTurns<T>(rows: T[], draw: (row: T) => Drawing): AsyncGenerator<Drawing> {
  let since = performance.now();
  for (const row of rows) {
    yield draw(row);
    if (performance.now() - since < SLICE_MS) continue;
    await setImmediate();
    since = performance.now();
  }
}
