import { Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { EntityManager, SelectQueryBuilder } from 'typeorm';
import { Chores } from '../common/chores.js';
import { invalid, notFound, tooMany } from '../common/errors.js';
import { render, say } from '../common/messages.js';
import type { Language } from '../common/messages.js';
import { Env } from '../config/env.js';
import type { Creator } from '../contract/creation.js';
import { joinNamed } from '../contract/page-rows.js';
import { paginate } from '../contract/pagination.js';
import type { Page } from '../contract/pagination.js';
import { createRow } from '../contract/rows.js';
import type { Caller } from '../database/audit.js';
import { mapped, tableDownload } from '../exports/download.js';
import type { Download } from '../http/download.js';
import type { Incoming, Upload } from '../http/upload.js';
import { Import } from './import.entity.js';
import { ImportRows } from './import-rows.js';
import type { ImportQuery, ImportsQuery } from './imports.dto.js';
import { importMessages } from './imports.messages.js';
import { Job, WORKING } from './job.js';
import type { Source } from './encoding.js';
import { withoutApostrophe } from './table.js';

/** Of one instance, those that wait for others included: each holds a connection and a file. */
const MAX_JOBS = 4;
const LOST_EVERY_MS = 10_000;
const OLD_EVERY_MS = 3_600_000;

/** Who asks: whose imports, and whether those of all. */
export interface Asker {
  id: number;
  permissions: string[];
}

@Injectable()
export class ImportsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly jobs = new Map<Job, Promise<void>>();
  private begun = 0;

  constructor(
    @InjectRepository(Import) private readonly imports: Repository<Import>,
    private readonly rows: ImportRows,
    private readonly env: Env,
    private readonly chores: Chores,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.chores.atOnceAndEvery(LOST_EVERY_MS, 'Ending lost imports', () => this.rows.endLost(WORKING));
    this.chores.every(OLD_EVERY_MS, 'Forgetting old imports', () => this.rows.forgetOld());
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all([...this.jobs].flatMap(([job, done]) => [job.stop(), done]));
  }

  /**
   * Begins to import the file that is sent, and answers before it is done.
   * @throws DomainError too-many-requests
   */
  async start<Answer>(
    kind: string,
    { format = 'recense', ...options }: ImportQuery,
    by: Creator<Import, Answer, Caller>,
    incoming: Incoming,
  ): Promise<Answer> {
    if (format !== 'recense' && kind !== 'purchases')
      throw invalid({ format: [say(importMessages.format_kind)] });
    if (this.begun >= MAX_JOBS) throw tooMany(5, importMessages.busy);
    this.begun++;
    let upload: Upload | undefined;
    let job = undefined as Job | undefined;
    try {
      const file = (upload = await incoming.receive(this.env.IMPORT_MAX_MB));
      const answer = await createRow(this.imports.manager, by, async (own) => {
        await job?.close(); // of a try that gave way
        job = await this.begin(by.actor);
        const { id } = job;
        const dry_run = options.dry_run ?? false;
        await this.rows.add(own, {
          id,
          kind,
          format,
          file: file.name,
          dry_run,
          created_by: by.actor.user_id,
        });
        return this.whole(id, own).getOneOrFail();
      });
      if (!job)
        await this.leave(file); // it was sent again
      else {
        const source: Source = () => file.read();
        const task = { kind, name: file.name, source, options: { ...options, format } };
        this.jobs.set(job, this.finish(job, file, job.run(task)));
      }
      return answer;
    } catch (error) {
      await job?.close();
      await this.leave(upload); // nobody works on it
      throw error;
    }
  }

  private begin(actor: Caller): Promise<Job> {
    const { url } = this.imports.manager.dataSource.options as { url: string };
    return Job.begin({ url, env: this.env, actor, rows: this.rows });
  }

  private async finish(job: Job, upload: Upload, done: Promise<void>): Promise<void> {
    await done;
    this.jobs.delete(job);
    await this.leave(upload);
  }

  /** The file has no name, and is gone with this process at the latest. */
  private async leave(upload: Upload | undefined): Promise<void> {
    this.begun--;
    await upload?.close().catch(() => undefined);
  }

  list(query: ImportsQuery, asker: Asker): Promise<Page<Import>> {
    const rows = this.withCreator();
    if (!seesAll(asker)) rows.andWhere({ created_by: asker.id });
    return paginate(
      rows,
      { ...query, sort: query.sort ?? '-id' },
      { id: { by: 'import.id', type: 'integer', of: (row) => row.id } },
    );
  }

  /** Those that are there. */
  byIds(ids: number[]): Promise<Import[]> {
    return this.withCreator()
      .where({ id: In(ids) })
      .getMany();
  }

  /** @throws DomainError not-found, also for those of others */
  async get(id: number, asker: Asker): Promise<Import> {
    const row = await this.whole(id).getOne();
    if (!row || (row.created_by !== asker.id && !seesAll(asker))) throw notFound(importMessages.none);
    return row;
  }

  /** The refused lines as they came, each with why. */
  async errors(id: number, asker: Asker, language: Language): Promise<Download> {
    const given = await this.get(id, asker);
    const why = { en: 'errors', fr: 'erreurs' }[language];
    const fields = [...given.columns.map(({ column }) => withoutApostrophe(column)), why];
    const rows = mapped(this.rows.refusals(id), (refusals) =>
      refusals.map(({ cells, reasons }) => [
        ...cells.map((cell) => (typeof cell === 'string' ? withoutApostrophe(cell) : cell)),
        reasons.map(({ field, message }) => `${field}: ${render(message, language)}`).join('; '),
      ]),
    );
    // What is a number there counts as one; texts stay as they are.
    const columns = fields.map((title) => ({ field: title, title, kind: 'decimal' as const, width: 20 }));
    return tableDownload(
      `import-${id}-errors`,
      'csv',
      (send) => send({ title: why, columns, rows }),
      language === 'fr' ? ';' : ',',
    );
  }

  private whole(id: number, manager?: EntityManager): SelectQueryBuilder<Import> {
    return this.withCreator(manager).addSelect(['import.columns', 'import.errors']).where({ id });
  }

  private withCreator(manager = this.imports.manager): SelectQueryBuilder<Import> {
    return joinNamed(manager.createQueryBuilder(Import, 'import'), ['creator']);
  }
}

const seesAll = ({ permissions }: Asker): boolean => permissions.includes('audit.view');
