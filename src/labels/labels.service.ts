import { Injectable } from '@nestjs/common';
import { todayIn } from '../common/dates.js';
import { invalid } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { Env } from '../config/env.js';
import { PDF_TYPE } from '../contract/content.js';
import { Sql } from '../database/sql.js';
import { Download } from '../http/download.js';
import { MAX_LABELS } from './labels.dto.js';
import type { LabelQuery } from './labels.dto.js';
import { labelMessages } from './labels.messages.js';
import { sheetOf } from './sheet-of.js';

export const LABEL_TYPES = {
  pdf: PDF_TYPE,
  png: 'image/png',
  svg: 'image/svg+xml',
  zpl: 'text/plain',
} as const;

/** Each takes a good part of a processor for as long as it draws. */
const PRINTERS = 2;

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

  constructor(
    private readonly env: Env,
    private readonly sql: Sql,
  ) {
    this.printers = new Limit(PRINTERS, env.DATABASE_TIMEOUT_MS, 10 * PRINTERS);
  }

  /**
   * @param find reads no more than so many, on the replica where there is one
   * @throws DomainError validation-failed for ids that are not there or have no code, for none or too many, for sheets
   * that no page has room for, for codes that a symbol or a label has no room for
   */
  async print(
    query: LabelQuery & { sort?: string },
    find: (limit: number) => Promise<Labelled[]>,
  ): Promise<Download> {
    const { format = 'pdf' } = query;
    const sheet = sheetOf(query);
    const found = await this.sql.snapshot((snapshot) => snapshot.within(() => find(MAX_LABELS + 1)));
    const rows = chosen(found, query);
    const isPicture = format === 'png' || format === 'svg';
    if (isPicture && rows.length > 1) throw invalid({ ids: [say(labelMessages.one, rows.length)] });
    const name = `labels-${todayIn(this.env.TIME_ZONE)}.${format}`;
    const isText = format === 'zpl';
    const type = isText ? `${LABEL_TYPES.zpl}; charset=utf-8` : LABEL_TYPES[format];
    return new Download({ name, type, isPacked: !isText }, (send) =>
      this.printers.run(async () => {
        // Loaded with the first label: what encodes symbols holds 5 MiB.
        const { printed } = await import('./printed.js');
        return send(await printed(rows, sheet, query, this.env));
      }),
    );
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
