import { Injectable } from '@nestjs/common';
import { DomainError, noErrors, notFound, refuseInvalid } from '../common/errors.js';
import { say } from '../common/messages.js';
import { contractMessages } from '../contract/contract.messages.js';
import type { Caller } from '../database/audit.js';
import { Sql } from '../database/sql.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import type { Source } from '../inventories/inventory-line.entity.js';
import { cleanCode, codeCandidates, storable } from '../purchases/code.js';
import { judge } from './judge.js';
import type { Judged } from './judge.js';
import type { Scanner } from './keep.queries.js';
import { KeepingService, untilNobodyIsFaster } from './keeping.service.js';
import { record } from './record.queries.js';
import type { RecordedRow } from './record.queries.js';
import type { ScanDto, ScanItemDto } from './scan-requests.dto.js';
import type { ScanOutcome } from './scans.dto.js';
import { scanMessages } from './scans.messages.js';
import { factsOf, look } from './look.queries.js';
import type { Facts, LookedRow, ScanItem } from './look.queries.js';
import { TogetherService } from './together.service.js';

/** Who scans, and what he may. */
export interface Scanning {
  caller: Caller;
  permissions: string[];
}

/** How often a batch is tried before it holds what it is about, so that others wait for it. */
const TRIES_UNHELD = 2;

const scannerOf = ({ user_id, user_name = '' }: Caller): Scanner => ({ id: user_id, name: user_name });

/** Records the scans of a session. */
@Injectable()
export class ScansService {
  constructor(
    private readonly keeping: KeepingService,
    private readonly sql: Sql,
    private readonly together: TogetherService,
  ) {}

  /** Records a scan; a code that is unknown, scanned before or too late is an answer, not an error. */
  async scan(inventoryId: number, item: ScanDto, scanning: Scanning): Promise<ScanOutcome> {
    const { code: scanned, source = null, ...more } = item;
    if (Object.keys(more).length === 0) {
      const outcome = await this.plainScan(inventoryId, scanned, scanning.caller.user_id, source);
      if (outcome) return outcome;
    }
    return (await this.scanItems(inventoryId, [item], scanning, (_, field) => field))[0]!;
  }

  /** What phones ask all the time; null for whatever is not recorded now or before, and is looked at more closely. */
  private async plainScan(
    inventoryId: number,
    scanned: string,
    userId: number,
    source: Source | null,
  ): Promise<ScanOutcome | null> {
    const candidates = codeCandidates(scanned);
    const row = await this.together.scan({ inventoryId, candidates, userId, source });
    if (!row) throw notFound(inventoryMessages.none);
    const { purchase_id, code, scan_id } = row;
    if (row.is_closed || !row.is_expected || purchase_id === null) return null;
    const purchase = { id: purchase_id, code, article: { id: row.article_id, name: row.article_name } };
    if (row.recorded_at) return { reason: 'recorded', code, scanned_at: row.recorded_at, purchase, scan_id };
    const at = row.first_at as Date;
    const first_scan = { at, by: { id: row.first_by_id, name: row.first_by_name } };
    return { reason: 'already-scanned', code, scanned_at: at, purchase, scan_id, first_scan };
  }

  /**
   * Records what a phone has gathered, in its order; answers in the same.
   * @throws DomainError validation-failed for a client_id that two items have, an unknown place, a move to none
   */
  scanAll(inventoryId: number, items: ScanItemDto[], scanning: Scanning): Promise<ScanOutcome[]> {
    const ids = new Set<string>();
    const errors = noErrors();
    for (const [at, { client_id }] of items.entries()) {
      if (ids.has(client_id)) errors[`scans.${at}.client_id`] = [say(scanMessages.client_id_repeated)];
      ids.add(client_id);
    }
    refuseInvalid(errors);
    return this.scanItems(inventoryId, items, scanning, (at, field) => `scans.${at}.${field}`);
  }

  private async scanItems(
    inventoryId: number,
    sent: ScanDto[],
    scanning: Scanning,
    nameOf: NameOf,
  ): Promise<ScanOutcome[]> {
    const { caller } = scanning;
    checkMoves(sent, nameOf);
    const items = sent.map(toScanItem);
    const scanner = scannerOf(caller);
    const judged = (rows: LookedRow[]): Judged[] => {
      const facts = rows.map(factsOf);
      if (facts.length === 0) throw notFound(inventoryMessages.none);
      checkPlaces(items, facts, nameOf);
      checkMayMove(items, facts, scanning, nameOf);
      return judge(items, facts);
    };
    const isMoving = items.some(({ move }) => move);
    const answers = await untilNobodyIsFaster(async (tries) => {
      const isHeld = items.length > 1 && tries >= TRIES_UNHELD;
      const rows: RecordedRow[] = await (isHeld || isMoving
        ? this.look(inventoryId, items)
        : this.record(inventoryId, items, scanner));
      const first = judged(rows);
      if (rows[0]?.recorded_id) return first.map((one, n) => recordedAs(one, rows[n]!));
      const isOpen = rows[0]?.closed_at === null;
      if (!isOpen || !isHeld) return this.keeping.keep(inventoryId, first, isOpen, scanner, caller);
      return this.keeping.keepHeld(inventoryId, first, scanner, caller, async (run) => {
        const { text, values } = look(inventoryId, items);
        return judged((await run<LookedRow>(text, values)).rows);
      });
    });
    for (const [n, answer] of answers.entries()) {
      const { code, client_id } = sent[n]!;
      if (!answer.purchase) answer.code = code;
      answer.client_id = client_id;
    }
    return answers;
  }

  private look(inventoryId: number, items: ScanItem[]): Promise<LookedRow[]> {
    const statement = look(inventoryId, items);
    return items.length === 1 ? this.sql.hot(statement) : this.sql.query(statement);
  }

  private async record(inventoryId: number, items: ScanItem[], scanner: Scanner): Promise<RecordedRow[]> {
    const statement = record(inventoryId, items, scanner);
    if (items.length === 1) return this.sql.hot(statement, 'writes');
    try {
      return await this.sql.written(statement);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      return this.look(inventoryId, items); // all who write wait, which those need not who only ask again
    }
  }
}

/** How a field of an item is called in errors. */
type NameOf = (n: number, field: string) => string;

/** @throws DomainError validation-failed for a move to no place */
function checkMoves(items: ScanDto[], nameOf: NameOf): void {
  const errors = noErrors();
  for (const [n, { move, location_id }] of items.entries())
    if (move && !location_id) errors[nameOf(n, 'location_id')] = [say(scanMessages.move_without_place)];
  refuseInvalid(errors);
}

/** Of what was answered before nothing is moved again. @throws DomainError forbidden where the scanner may move nothing */
function checkMayMove(items: ScanItem[], facts: Facts[], { permissions }: Scanning, nameOf: NameOf): void {
  if (permissions.includes('purchases.update')) return;
  const errors = noErrors();
  for (const [n, { known }] of facts.entries())
    if (!known && items[n]?.move) errors[nameOf(n, 'move')] = [say(scanMessages.move_forbidden)];
  if (Object.keys(errors).length > 0)
    throw new DomainError('forbidden', { detail: say(scanMessages.move_forbidden), errors });
}

/** Of what was answered before nothing is asked again. */
function checkPlaces(items: ScanItem[], facts: Facts[], nameOf: NameOf): void {
  const errors = noErrors();
  for (const [n, { known, place }] of facts.entries())
    if (!known && items[n]?.location_id && (!place || place.is_deleted))
      errors[nameOf(n, 'location_id')] = [say(contractMessages.not_found)];
  refuseInvalid(errors);
}

function recordedAs({ answer }: Judged, { recorded_id, recorded_at }: RecordedRow): ScanOutcome {
  answer.scan_id = recorded_id ?? null;
  answer.scanned_at = recorded_at ?? answer.scanned_at;
  return answer;
}

const toScanItem = (sent: ScanDto, n: number): ScanItem => ({
  n,
  code: storable(sent.code),
  cleaned: cleanCode(sent.code),
  candidates: codeCandidates(sent.code),
  client_id: sent.client_id,
  device_scanned_at: sent.scanned_at,
  location_id: sent.location_id,
  condition: sent.condition,
  note: sent.note === '' ? undefined : sent.note,
  source: sent.source,
  move: sent.move,
});
