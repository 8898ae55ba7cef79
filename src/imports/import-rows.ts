import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import type { EntityManager, QueryRunner } from 'typeorm';
import { say } from '../common/messages.js';
import { storable } from '../purchases/code.js';
import type { Plan } from './check.js';
import { Import } from './import.entity.js';
import { importMessages } from './imports.messages.js';
import type { LineError } from './lines.js';
import { spoiltBy } from './spoilt.js';
import type { Cell, Row } from './table.js';

/** How often the row says how far its import is. */
const TOLD_EVERY_MS = 500;
const KEPT_DAYS = 90;

type Told = Partial<
  Pick<Import, 'status' | 'read' | 'checked' | 'inserted' | 'updated' | 'unchanged' | 'columns'>
>;
export type Ending = Partial<Import> & { status: 'checked' | 'done' | 'refused' | 'failed' };

interface Refusal {
  cells: Cell[];
  reasons: Pick<LineError, 'field' | 'message'>[];
}

/** What is known of the imports that were sent, and of the lines that were refused. */
@Injectable()
export class ImportRows {
  constructor(@InjectRepository(Import) private readonly imports: Repository<Import>) {}

  /** @param manager of the transaction in which it is answered */
  async add(
    manager: EntityManager,
    row: Pick<Import, 'id' | 'kind' | 'format' | 'file' | 'dry_run' | 'created_by'>,
  ): Promise<void> {
    await manager.insert(Import, row);
  }

  /** Without waiting, and no more often than somebody may look. */
  progressOf(id: number): Progress {
    return new Progress((told) => this.imports.update(id, told));
  }

  /**
   * Once: a commit whose answer was lost has ended it already.
   * @param runner of the transaction that it ends with, if there is one
   */
  async finish(id: number, ending: Ending, runner?: QueryRunner): Promise<void> {
    const values = {
      ...ending,
      ...(ending.errors && { errors: ending.errors.map(storableError) }),
      finished_at: new Date(),
    };
    const query = this.imports.createQueryBuilder(undefined, runner).update(Import).set(values);
    await query.where('id = :id AND finished_at IS NULL', { id }).execute();
  }

  /** The lines that can be read, with all that is wrong with each: no cell more or less, but for empty ones at the end. */
  async addRefusals(import_id: number, plan: Plan, errors: LineError[], rows: Row[]): Promise<void> {
    if (rows.length === 0) return;
    const reasons = new Map<number, { field: string; message: string }[]>();
    for (const { line, field, message } of errors)
      reasons.set(line, [...(reasons.get(line) ?? []), storableError({ field, message })]);
    const refusals = rows.map(({ line, cells }) => ({
      import_id,
      line,
      cells: cells.slice(0, widthOf(plan, cells)).map((cell, at) => keptOf(plan, cell, at)),
      reasons: reasons.get(line) ?? [],
    }));
    await this.imports.query(
      `INSERT INTO import_refusals (import_id, line, cells, reasons)
       SELECT * FROM json_to_recordset($1) AS given (import_id integer, line integer, cells jsonb, reasons jsonb)`,
      [JSON.stringify(refusals)],
    );
  }

  /** The refused lines in the order of the file, some at a time. */
  async *refusals(id: number): AsyncGenerator<Refusal[]> {
    for (let last = 0; ;) {
      const rows = await this.imports.query<(Refusal & { line: number })[]>(
        `SELECT line, cells, reasons FROM import_refusals WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT 500`,
        [id, last],
      );
      if (rows.length === 0) return;
      yield rows;
      last = rows.at(-1)!.line;
    }
  }

  /** Ends those that nobody works on any more: whoever did has ended, and its transaction with it. */
  async endLost(working: number): Promise<void> {
    await this.imports.query(
      `UPDATE imports SET status = 'failed', finished_at = now(), detail = $2, inserted = 0, updated = 0, unchanged = 0
       WHERE finished_at IS NULL AND pg_try_advisory_xact_lock($1, id)`,
      [working, say(importMessages.stopped)],
    );
  }

  /** Of whoever works on it. */
  async endWork(working: number, id: number): Promise<void> {
    await this.imports.query(
      `SELECT pg_terminate_backend(pid) FROM pg_locks
       WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted
         AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      [working, id],
    );
  }

  async forgetOld(): Promise<void> {
    await this.imports.query(
      `DELETE FROM imports WHERE created_at < now() - $1 * interval '1 day' AND finished_at IS NOT NULL`,
      [KEPT_DAYS],
    );
  }
}

/** Beyond the header empty cells say nothing, and others are what is wrong. */
const widthOf = ({ columns }: Plan, cells: Cell[]): number =>
  Math.max(columns.length, cells.findLastIndex((cell) => cell !== '') + 1);

/** A number is kept as it was read where it counts as one; elsewhere as a text that is taken, or refused, as it was. */
function keptOf({ columns, readings }: Plan, cell: Cell, at: number): Cell {
  if (typeof cell === 'string') return storable(cell);
  const { value } = readings.get(at)?.(cell) ?? {};
  if (typeof value === 'number') return value;
  const field = columns[at]?.field;
  return field && spoiltBy(field, cell) ? cell.toExponential() : String(cell);
}

const storableError = <Error extends object>(error: Error): Error =>
  Object.fromEntries(
    Object.entries(error).map(([name, value]) => [
      name,
      typeof value === 'string' ? storable(value) : (value as unknown),
    ]),
  ) as Error;

export class Progress {
  private told: Told = {};
  private readonly timer: NodeJS.Timeout;
  private writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly write: (told: Told) => Promise<unknown>) {
    this.timer = setInterval(() => this.flush(), TOLD_EVERY_MS).unref();
  }

  tell(told: Told): void {
    this.told = { ...this.told, ...told };
  }

  /** Writes what was told last. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.writing;
    this.flush();
    await this.writing;
  }

  private flush(): void {
    const { told } = this;
    if (Object.keys(told).length === 0) return;
    this.told = {};
    // What is not told now is told with what comes next.
    this.writing = this.writing.then(() => this.write(told)).catch(() => undefined);
  }
}
