import { Injectable } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { Chores } from '../common/chores.js';
import { Env } from '../config/env.js';
import { Sql } from '../database/sql.js';

const EVERY_MS = 10 * 60_000;
/** So many lines are moved at once: whoever opens the session again waits for no more. */
const BATCH = 10_000;

/**
 * Puts the lines of sessions that were closed more than a day ago, which are hardly opened again, into a table apart:
 * what PostgreSQL does to keep the lines of open sessions in order takes no longer for all those of before. Who reads
 * `inventory_lines` reads both, and the database brings them back when a session is opened again.
 */
@Injectable()
export class ClosedLinesService implements OnApplicationBootstrap {
  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    private readonly chores: Chores,
  ) {}

  onApplicationBootstrap(): void {
    this.chores.every(EVERY_MS, 'Putting lines of closed sessions away', () => this.putAwayAll());
  }

  async putAwayAll(): Promise<void> {
    const sessions = await this.sql.query<{ id: number }>({
      name: 'sessions-to-put-away',
      text: `SELECT id FROM inventories i WHERE closed_at < now() - interval '1 day'
        AND EXISTS (SELECT FROM ONLY inventory_lines WHERE inventory_id = i.id) ORDER BY id`,
    });
    for (const { id } of sessions) {
      for (let last: number | null = 0; last !== null;) last = await this.putAway(id, last);
    }
  }

  /** Moves the next lines of a session. Returns the last of them; null where there was none, or the session is open again. */
  private putAway(id: number, after: number): Promise<number | null> {
    const limit = this.env.SESSION_TIMEOUT_MS;
    return this.sql.transaction({ command: 'put-away' }, { statement: limit }, async (run) => {
      const closed = await run(
        `SELECT FROM inventories WHERE id = $1 AND closed_at IS NOT NULL FOR NO KEY UPDATE`,
        [id],
      );
      if (closed.rowCount === 0) return null;
      const { rows } = await run<{ last: number | null }>(
        `WITH next AS (
           SELECT purchase_id FROM ONLY inventory_lines
           WHERE inventory_id = $1 AND purchase_id > $2 ORDER BY purchase_id LIMIT ${BATCH}
         ), gone AS (
           DELETE FROM ONLY inventory_lines l USING next
           WHERE l.inventory_id = $1 AND l.purchase_id = next.purchase_id RETURNING l.*
         ), kept AS (
           INSERT INTO inventory_closed_lines SELECT * FROM gone ORDER BY purchase_id RETURNING purchase_id
         )
         SELECT max(purchase_id) AS last FROM kept`,
        [id, after],
      );
      return rows[0]!.last;
    });
  }
}
