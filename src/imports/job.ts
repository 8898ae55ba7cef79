import { Logger } from '@nestjs/common';
import type { Client } from 'pg';
import { DataSource } from 'typeorm';
import type { QueryRunner } from 'typeorm';
import type { Env } from '../config/env.js';
import type { Actor } from '../database/audit.js';
import { sqlState } from '../database/errors.js';
import { databaseOptions } from '../database/options.js';
import { DomainError } from '../common/errors.js';
import { say } from '../common/messages.js';
import { NoTurnError, OVERTAKEN, gatherStatistics, prepare, writeAll } from './importer.js';
import type { ImportTask, Prepared } from './importer.js';
import { importMessages } from './imports.messages.js';
import type { Ending, ImportRows, Progress } from './import-rows.js';
import type { LineError } from './lines.js';
import { Report } from './report.js';
import { ForeignFileError } from './table.js';
import type { Row } from './table.js';

/** Of pg_advisory_xact_lock: held by whoever works on the import with the id that follows. */
export const WORKING = 0x1a9;

/**
 * Of one statement, or of reading the file between two: far more than the longest takes, and an end where a server is
 * frozen. Waiting for other imports has a limit of its own.
 */
const LIMIT_MS = 600_000;

export interface JobContext {
  url: string;
  env: Env;
  actor: Actor;
  rows: ImportRows;
}

/**
 * One import in the background, in one transaction on a connection of its own, from the moment that its id is known:
 * as long as that holds the lock of the import, somebody works on it.
 */
export class Job {
  private readonly logger = new Logger('Imports');
  private readonly report = new Report();
  private isStopped = false;

  private constructor(
    readonly id: number,
    private readonly database: DataSource,
    private readonly runner: QueryRunner,
    private readonly client: Client,
    private readonly context: JobContext,
  ) {}

  static async begin(context: JobContext): Promise<Job> {
    const { url } = context;
    // By settings of the transaction: through a pooler, those of the session are those of ordinary requests.
    const options = databaseOptions({ url, pool: 1, timeout: LIMIT_MS, isPooled: true });
    const database = await new DataSource(options).initialize();
    try {
      const runner = database.createQueryRunner();
      const client = (await runner.connect()) as Client;
      await runner.startTransaction();
      await runner.query(`
        SET LOCAL statement_timeout = ${LIMIT_MS};
        SET LOCAL idle_in_transaction_session_timeout = ${LIMIT_MS}`);
      const [{ id }] = (await runner.query(
        `SELECT nextval(pg_get_serial_sequence('imports', 'id'))::int AS id`,
      )) as [{ id: number }];
      await runner.query(`SELECT pg_advisory_xact_lock(${WORKING}, $1)`, [id]);
      return new Job(id, database, runner, client, context);
    } catch (error) {
      await database.destroy();
      throw error;
    }
  }

  /**
   * Whatever it does: what waits for a lock would not hear of it for long, and a statement goes on where only its
   * connection ends.
   */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.context.rows.endWork(WORKING, this.id).catch(() => undefined);
    this.client.end().catch(() => undefined); // without waiting for a server that is frozen
  }

  /** Never fails: what goes wrong stands in the row. */
  async run(task: ImportTask): Promise<void> {
    const progress = this.context.rows.progressOf(this.id);
    try {
      await this.work(task, progress);
    } catch (error) {
      await progress.end();
      await this.fail(error);
    } finally {
      await progress.end();
      if (this.runner.isTransactionActive) await this.runner.rollbackTransaction().catch(() => undefined);
      await this.close();
    }
  }

  async close(): Promise<void> {
    await this.database.destroy().catch(() => undefined);
  }

  private async work(task: ImportTask, progress: Progress): Promise<void> {
    const { rows, actor, env } = this.context;
    const prepared = await prepare(task, this.runner.manager);
    const columns = prepared.columns.map(({ name, field }, at) => ({
      column: name,
      field: prepared.plan?.noted.includes(at) ? 'notes' : field,
    }));
    progress.tell({ read: prepared.rows, columns });
    if (prepared.errors.length > 0) {
      this.report.add(prepared.errors);
      return this.refuse(progress);
    }
    const watcher = {
      checked: (checked: number) => progress.tell({ checked }),
      written: (counts: object) => progress.tell({ ...counts, status: 'writing' as const }),
      refused: (errors: LineError[], wrong: Row[]) => this.keep(prepared, errors, wrong),
    };
    const counts = await writeAll(this.runner, prepared, { actor, env, watcher });
    if (!counts) return this.refuse(progress);
    await progress.end();
    const { options } = task;
    // While it is held still: what has not ended, and nobody holds, is taken for lost.
    if (options.dry_run) return rows.finish(this.id, { ...counts, status: 'checked' });
    // With what it says has been done: it is written as done, or not at all.
    await rows.finish(this.id, { ...counts, status: 'done' }, this.runner);
    await this.runner.commitTransaction();
    await gatherStatistics(this.runner, prepared);
  }

  private async keep({ plan }: Prepared, errors: LineError[], wrong: Row[]): Promise<void> {
    this.report.add(errors);
    await this.context.rows.addRefusals(this.id, plan!, errors, wrong);
  }

  private async refuse(progress: Progress): Promise<void> {
    await progress.end();
    const { first, count } = this.report;
    await this.context.rows.finish(this.id, { status: 'refused', errors: first, error_count: count });
  }

  private async fail(error: unknown): Promise<void> {
    const { rows } = this.context;
    await rows.finish(this.id, this.endingOf(error)).catch((reason: unknown) => {
      this.logger.error({ err: reason, import: this.id }, 'An import failed, and could not say so');
    });
  }

  private endingOf(error: unknown): Ending {
    if (error instanceof ForeignFileError) {
      const errors = [{ line: 1, field: 'file', message: error.message }];
      return { status: 'refused', errors, error_count: 1 };
    }
    const isKnown = error instanceof DomainError || error instanceof NoTurnError;
    if (!this.isStopped && !isKnown) this.logger.error({ err: error, import: this.id }, 'An import failed');
    const nothing = { inserted: 0, updated: 0, unchanged: 0 };
    return { status: 'failed', detail: say(this.reasonOf(error)), ...nothing };
  }

  private reasonOf(error: unknown) {
    if (this.isStopped) return importMessages.stopped;
    if (error instanceof NoTurnError) return importMessages.no_turn;
    const isOvertaken = error instanceof DomainError || OVERTAKEN.test(sqlState(error) ?? '');
    return isOvertaken ? importMessages.overtaken : importMessages.went_wrong;
  }
}
