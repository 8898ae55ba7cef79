import { Injectable } from '@nestjs/common';
import { Limit } from '../common/limit.js';
import { render, say } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { Env } from '../config/env.js';
import { PDF_TYPE } from '../contract/content.js';
import { Sql } from '../database/sql.js';
import { tableDownload } from '../exports/download.js';
import type { TableFormat } from '../exports/download.js';
import { Download } from '../http/download.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { toReportDto } from './report.dto.js';
import type { ReportDto, ReportQuery } from './report.dto.js';
import { reportMessages } from './report.messages.js';
import { reportPages } from './report.pages.js';
import { Reading } from './report.reading.js';
import { summaryTable } from './report.summary.js';
import { linesTable, sheets } from './report.tables.js';
import { Wording } from './report.wording.js';

/** Who reads every line holds a connection and a good part of a processor for seconds. */
const READERS = 2;

/** What a session has found, for people who were not there. */
@Injectable()
export class ReportService {
  private readonly readers: Limit;

  constructor(
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    private readonly env: Env,
  ) {
    this.readers = new Limit(READERS, env.DATABASE_TIMEOUT_MS, 10 * READERS);
  }

  /** @throws DomainError not-found */
  async answer(
    id: number,
    { format, lang }: ReportQuery,
    preferred: Language,
    hungUp: AbortSignal,
  ): Promise<ReportDto | Download> {
    if (format === undefined || format === 'json') return this.report(id, hungUp);
    const session = await this.inventories.get(id);
    const language = lang ?? preferred;
    return format === 'pdf'
      ? this.pages(session, language, hungUp)
      : this.table(session, format, language, hungUp);
  }

  report(id: number, hungUp: AbortSignal): Promise<ReportDto> {
    return this.read(id, async (reading) => toReportDto(await reading.report(this.env.TIME_ZONE, hungUp)));
  }

  /** The lines; in a workbook the summary comes first, and the lines to look at have a sheet each. */
  private table(session: SessionRow, format: TableFormat, language: Language, hungUp: AbortSignal): Download {
    const { TIME_ZONE: timeZone } = this.env;
    return tableDownload(fileName(session, language), format, (send) =>
      this.read(session.id, async (reading) => {
        if (format === 'csv') await send(linesTable(reading));
        else
          await send(
            summaryTable(await reading.report(timeZone, hungUp), language),
            ...sheets(reading, language, timeZone),
          );
      }),
    );
  }

  /** They are made before they are sent, so that no connection waits for a slow reader. */
  private pages(session: SessionRow, language: Language, hungUp: AbortSignal): Download {
    const words = new Wording(language, this.env.TIME_ZONE);
    const name = `${fileName(session, language)}.pdf`;
    return new Download({ name, type: PDF_TYPE, isPacked: true }, async (send) => {
      const pages = await this.read(session.id, async (reading) =>
        reportPages(reading, await reading.report(this.env.TIME_ZONE, hungUp), words),
      );
      await send(pages);
    });
  }

  private read<T>(id: number, work: (reading: Reading) => Promise<T>): Promise<T> {
    return this.readers.run(() =>
      this.sql.snapshot(async (snapshot) => work(await Reading.of(snapshot, id, this.env.FISCAL_YEAR_START))),
    );
  }
}

const fileName = ({ id, inventory_date }: SessionRow, language: Language): string =>
  `${render(say(reportMessages.title), language)}-${id}-${inventory_date}`.toLowerCase();
