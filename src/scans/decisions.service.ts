import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { DomainError, notFound } from '../common/errors.js';
import type { Message } from '../common/messages.js';
import { Env } from '../config/env.js';
import { record } from '../database/audit.js';
import type { Caller } from '../database/audit.js';
import { Sql, asQueries } from '../database/sql.js';
import type { Run } from '../database/sql.js';
import { judge } from './judge.js';
import type { Judged } from './judge.js';
import { keepIn, untilNobodyIsFaster } from './keeping.service.js';
import { holdOpen } from './open-session.js';
import type { ScanOutcome } from './scans.dto.js';
import { factsOf, look } from './look.queries.js';
import type { LookedRow, ScanItem } from './look.queries.js';

/** What somebody who runs a session decides upon: one row of it, once. */
interface Decision<Row extends QueryResultRow> {
  inventoryId: number;
  caller: Caller;
  /**
   * Holds what is written besides the session, which goes before it: the place, the purchase.
   * @returns what is wrong with them, which matters only where there is something to decide
   */
  before?: (run: Run) => Promise<DomainError | undefined>;
  /** The row, held until the decision stands. */
  row: { text: string; values: unknown[] };
  none: Message;
  isOpen: (row: Row) => boolean;
}

/** A scan that somebody decides upon after it was made. */
interface Decided {
  /** From when it counts. */
  counts_at: Date;
  scanned_by: number;
  device_scanned_at: Date | null;
  location_id: number | null;
  condition?: string | null;
  note?: string | null;
  source?: string | null;
  client_id?: string | null;
  actor: Caller;
}

/** Decides upon what scans have left open, and counts them as if they had come at their own instants. */
@Injectable()
export class DecisionsService {
  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
  ) {}

  /**
   * Does the work, and records in the audit what it says of itself; all of it or nothing.
   * @throws DomainError not-found, already-decided, session-closed, and what the work throws
   */
  async decide<Row extends QueryResultRow>(
    { inventoryId, caller, before, row, none, isOpen }: Decision<Row>,
    work: (run: Run, row: Row) => Promise<{ action: string; details: object }>,
  ): Promise<void> {
    await untilNobodyIsFaster(() =>
      this.sql.transaction(caller, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run) => {
        const refusal = await before?.(run);
        await holdOpen(run, inventoryId);
        const [held] = (await run<Row>(`${row.text} FOR UPDATE`, row.values)).rows;
        if (!held) throw notFound(none);
        if (!isOpen(held)) throw new DomainError('already-decided');
        if (refusal) throw refusal;
        const { action, details } = await work(run, held);
        const entry = { action, resource: 'inventory', resource_id: inventoryId, details };
        await record(asQueries(run), caller, entry);
      }),
    );
  }

  /**
   * Of a purchase, or of a code. In the transaction of the decision, which holds the session open.
   * @returns what it came to, and the scan that was recorded, if any
   */
  async count(
    run: Run,
    inventoryId: number,
    code: Pick<ScanItem, 'code' | 'cleaned' | 'candidates'>,
    { counts_at, scanned_by, actor, client_id, ...scan }: Decided,
  ): Promise<{ answer: ScanOutcome; scan_id: number | null }> {
    const item = { n: 0, ...code, ...given(scan) };
    const { text, values } = look(inventoryId, [item]);
    const facts = (await run<LookedRow>(text, values)).rows.map(factsOf);
    // Its message was answered before; what is kept of it names the message, and its answer is changed by the caller.
    const judged = judge([item], facts).map((one): Judged => ({
      ...one,
      is_answered: false,
      ...(client_id && { client_id }),
    }));
    const kept = judged.filter((one) => one.is_kept);
    const { rows } = await run<{ name: string }>(`SELECT name FROM users WHERE id = $1`, [scanned_by]);
    const scanner = { id: scanned_by, name: rows[0]?.name ?? '', counts_at };
    const answers = kept.length > 0 ? await keepIn(run, inventoryId, kept, scanner, actor) : new Map();
    const answer = (answers.get(0) ?? judged[0]?.answer) as ScanOutcome;
    return { answer, scan_id: kept[0]?.target ? answer.scan_id : null };
  }
}

/** Without what is null. */
const given = (fields: Partial<Record<keyof ScanItem, unknown>>): Partial<ScanItem> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
