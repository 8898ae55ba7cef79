import { Injectable } from '@nestjs/common';
import { Readable } from 'node:stream';
import { parseInstant } from '../common/dates.js';
import { Limit } from '../common/limit.js';
import { Env } from '../config/env.js';
import { syncedUntil } from '../contract/sync.js';
import type { SyncWindow } from '../contract/sync.js';
import { Sql } from '../database/sql.js';
import { Download } from '../http/download.js';
import { inventory } from '../inventories/inventories.dto.js';
import type { SessionRow } from '../inventories/inventories.queries.js';
import { InventoriesService } from '../inventories/inventories.service.js';
import { horizon } from './horizon.js';
import type { PackHeadDto, PackQuery } from './pack.dto.js';
import { NDJSON } from './pack.openapi.js';
import { NEXT, PACKED, REOPENED, REPACKED } from './pack.queries.js';

/**
 * Lines that are read at once, about 1 MB of them; a phone has two pages at most. They hold no connection meanwhile:
 * slow phones, which take minutes, keep nobody from his pack.
 */
const PAGE = 5000;
/** How many read at once, and how many phones take what was read. */
const READERS = 2;
const PHONES = 32;
/** For a page in the middle of a pack: it is behind one of each other phone at most. */
const PATIENCE_MS = 60_000;
/** What has changed is short, and each holds a connection for as long as its phone takes. */
const CHANGES = 4;

/** What a phone takes along to answer scans by itself. */
@Injectable()
export class PackService {
  private readonly phones: Limit;
  private readonly changes: Limit;
  private readonly readers = new Limit(READERS, PATIENCE_MS);

  constructor(
    private readonly inventories: InventoriesService,
    private readonly sql: Sql,
    { DATABASE_TIMEOUT_MS }: Env,
  ) {
    this.phones = new Limit(PHONES, DATABASE_TIMEOUT_MS, 10 * PHONES);
    this.changes = new Limit(CHANGES, DATABASE_TIMEOUT_MS, 10 * CHANGES);
  }

  /**
   * The session and a line for each live purchase, or for those of which a line may be otherwise since an instant. What
   * changes while it is read is in some of its lines already, and comes with the changes since `synced_until`.
   * @throws DomainError not-found
   */
  async pack(inventoryId: number, { updated_since }: PackQuery): Promise<Download> {
    await this.inventories.get(inventoryId); // before a HEAD is answered too
    const file = { name: `pack-${inventoryId}.ndjson`, type: NDJSON };
    const since = updated_since === undefined ? null : parseInstant(updated_since);
    return new Download(file, async (send) => {
      const { until, now } = await horizon(this.sql);
      const row = await this.inventories.get(inventoryId);
      const window = since && { from: fromOf(since, now, until), until };
      const synced_until = window ? syncedUntil(window, null) : until;
      const head = { session: inventory.answer(row), synced_until };
      if (window && !isReopened(row, window))
        return this.changes.run(() =>
          this.sql.snapshot((snapshot) =>
            send(streamOf(head, snapshot.lines(REPACKED, String(row.id), window.from.toISOString()))),
          ),
        );
      return this.phones.run(async () => {
        const first = await this.page(row.id, window);
        await send(streamOf(head, this.pages(first, row.id, window)));
      });
    });
  }

  /** The next page is read while the phone takes one, or a large pack would take a quarter longer. */
  private async *pages(first: PackPage, id: number, window: SyncWindow | null): AsyncGenerator<Buffer> {
    for (let page = first; ;) {
      const next = page.isLast ? null : this.page(id, window, page.last);
      next?.catch(() => undefined); // of a phone that hangs up before
      yield* page.lines;
      if (!next) return;
      page = await next;
    }
  }

  /** The lines of the next purchases after one. */
  private page(id: number, window: SyncWindow | null, after = 0): Promise<PackPage> {
    return this.readers.run(() =>
      this.sql.snapshot(async (snapshot) => {
        const [found] = await snapshot.query<{ last: number | null; count: number }>(NEXT, [after, PAGE]);
        const { last, count } = found!;
        const lines: Buffer[] = [];
        if (last === null) return { lines, last: after, isLast: true };
        const values = [id, after, last].map(String);
        const read = window
          ? snapshot.lines(REOPENED, ...values, window.from.toISOString())
          : snapshot.lines(PACKED, ...values);
        for await (const chunk of read) lines.push(chunk);
        return { lines, last, isLast: count < PAGE };
      }),
    );
  }
}

interface PackPage {
  lines: Buffer[];
  /** The id of its last purchase. */
  last: number;
  isLast: boolean;
}

/** Before all that there is; PostgreSQL reads no year 0, which an offset makes of year 1. */
const LONG_AGO = new Date(0);

/** A phone whose clock is ahead must not skip what changes until then. */
function fromOf(since: Date, now: Date, until: Date): Date {
  if (since < LONG_AGO) return LONG_AGO;
  return since > now ? until : since;
}

/** Then everything may be expected otherwise. */
const isReopened = ({ reopened, updated_at }: SessionRow, { from }: SyncWindow): boolean =>
  reopened.length > 0 && updated_at >= from;

function streamOf(head: PackHeadDto, lines: AsyncIterable<Buffer>): Readable {
  return Readable.from(whole(head, lines), { highWaterMark: 1 });
}

async function* whole(head: PackHeadDto, lines: AsyncIterable<Buffer>): AsyncGenerator<string | Buffer> {
  yield `${JSON.stringify(head)}\n`;
  yield* lines;
}
