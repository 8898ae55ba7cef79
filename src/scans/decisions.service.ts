import { Injectable } from '@nestjs/common';
import type { Caller } from '../database/audit.js';
import type { Run } from '../database/sql.js';
import { judge } from './judge.js';
import type { Judged } from './judge.js';
import { keepIn } from './keeping.service.js';
import type { ScanOutcome } from './scans.dto.js';
import { look } from './scans.queries.js';
import type { Facts, ScanItem } from './scans.queries.js';

/** A scan that somebody decides upon after it was made. */
interface Decided {
  /** From when it counts. */
  counts_at: Date;
  scanned_by: number;
  device_scanned_at: Date | null;
  location_id: number | null;
  condition?: string | null;
  note?: string | null;
  client_id?: string | null;
  actor: Caller;
}

/** Counts scans that were decided upon, as if they had come at their own instants. */
@Injectable()
export class DecisionsService {
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
    const facts = (await run<Facts>(text, values)).rows;
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
