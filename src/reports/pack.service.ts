import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { parseInstant } from '../common/dates.js';
import { notFound } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { Env } from '../config/env.js';
import { syncedUntil } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { Sql } from '../database/sql.js';
import { Download } from '../http/download.js';
import { inventory } from '../inventories/inventories.dto.js';
import { inventoryMessages } from '../inventories/inventories.messages.js';
import { session } from '../inventories/inventories.queries.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { horizon } from './horizon.js';
import type { PackHeadDto, PackQuery } from './pack.dto.js';
import { NDJSON } from './pack.openapi.js';
import { PACKED, REOPENED, REPACKED } from './pack.queries.js';

/** Each holds a connection for as long as its phone takes; what has changed is short, and must not wait for the long ones. */
const WHOLE = 2;
const CHANGES = 4;

/** What a phone takes along to answer scans by itself. */
@Injectable()
export class PackService {
  private readonly whole: Limit;
  private readonly changes: Limit;

  constructor(
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    { DATABASE_TIMEOUT_MS }: Env,
  ) {
    this.whole = new Limit(WHOLE, DATABASE_TIMEOUT_MS, 10 * WHOLE);
    this.changes = new Limit(CHANGES, DATABASE_TIMEOUT_MS, 10 * CHANGES);
  }

  /**
   * The session and a line for each live purchase, or for those of which a line may be otherwise since an instant.
   * @throws DomainError not-found
   */
  async pack(inventoryId: number, { updated_since }: PackQuery): Promise<Download> {
    await this.inventories.get(inventoryId); // before a HEAD is answered too
    const file = { name: `pack-${inventoryId}.ndjson`, type: NDJSON };
    const since = updated_since === undefined ? null : parseInstant(updated_since);
    return new Download(file, (send) =>
      (since ? this.changes : this.whole).run(async () => {
        const { until, now } = await horizon(this.sql);
        const window = since && { from: fromOf(since, now, until), until };
        await this.sql.snapshot(async (snapshot) => {
          const { text, values } = session(inventoryId);
          const [row] = await snapshot.query<SessionRow>(text, values);
          if (!row) throw notFound(inventoryMessages.none);
          const synced_until = window ? syncedUntil(window, null) : until;
          const head = { session: inventory.answer(row), synced_until };
          const lines = snapshot.lines(...statement(row, window));
          await send(Readable.from(whole(head, lines), { highWaterMark: 1 }));
        });
      }),
    );
  }
}

/** Before all that there is; PostgreSQL reads no year 0, which an offset makes of year 1. */
const LONG_AGO = new Date(0);

/** A phone whose clock is ahead must not skip what changes until then. */
function fromOf(since: Date, now: Date, until: Date): Date {
  if (since < LONG_AGO) return LONG_AGO;
  return since > now ? until : since;
}

/** After a session was opened again, everything may be expected otherwise. */
function statement(
  { id, reopened, updated_at }: SessionRow,
  window: SyncWindow | null,
): [text: string, ...values: string[]] {
  if (!window) return [PACKED, String(id)];
  const isReopened = reopened.length > 0 && updated_at >= window.from;
  return [isReopened ? REOPENED : REPACKED, String(id), window.from.toISOString()];
}

async function* whole(head: PackHeadDto, lines: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  yield* lines;
}
