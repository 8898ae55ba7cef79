import { Injectable } from '@nestjs/common';
import { Gauge, Registry } from 'prom-client';
import { Chores } from '../common/chores.js';
import { Env } from '../config/env.js';
import { Sql } from '../database/sql.js';
import { nextOfAll } from './sender.queries.js';

const MEASURED_EVERY_MS = 10_000;
const MENDED_EVERY_MS = 60_000;
const CLEARED_EVERY_MS = 3_600_000;
const PIECE = 5000;

/** Forgets what was sent long ago, and measures what waits. */
@Injectable()
export class UpkeepService {
  private readonly waiting: Gauge;
  private readonly oldest: Gauge;

  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    chores: Chores,
    registry: Registry,
  ) {
    const registers = [registry];
    this.waiting = new Gauge({
      name: 'webhook_messages_waiting',
      help: 'Messages for active webhooks that were not taken yet.',
      registers,
    });
    this.oldest = new Gauge({
      name: 'webhook_oldest_waiting_seconds',
      help: 'How long ago happened what the oldest of them tells, or a change that waits for its messages; 0 without any.',
      registers,
    });
    chores.every(MEASURED_EVERY_MS, 'Measuring webhooks', () => this.measure());
    chores.every(MENDED_EVERY_MS, 'Mending queues of webhooks', () => this.mend());
    chores.every(CLEARED_EVERY_MS, 'Clearing deliveries of webhooks', () => this.clear());
  }

  async measure(): Promise<void> {
    const [figures] = await this.sql.query<{ waiting: number; oldest: number }>({
      name: 'webhooks-figures',
      text: `
        SELECT count(*) FILTER (WHERE is_message) AS waiting,
          coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float8 AS oldest
        FROM (
          SELECT d.created_at AS at, true AS is_message FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id
          WHERE d.status = 'waiting' AND w.is_active
          UNION ALL
          SELECT at, false FROM webhook_outbox
        ) all_that_waits`,
    });
    this.waiting.set(figures!.waiting);
    this.oldest.set(figures!.oldest);
  }

  /** In pieces, so that nobody waits for it. Whoever waited for one of them is then the next of its subject. */
  async clear(): Promise<void> {
    for (let isFull = true; isFull;) {
      const gone = await this.sql.query({
        name: 'webhooks-clear',
        text: `
          DELETE FROM webhook_deliveries WHERE id IN (
            SELECT id FROM webhook_deliveries WHERE created_at < now() - make_interval(days => $1)
            ORDER BY created_at LIMIT ${PIECE} FOR UPDATE SKIP LOCKED)
          RETURNING id`,
        values: [this.env.WEBHOOK_KEEP_DAYS],
      });
      isFull = gone.length === PIECE;
    }
    await this.mend();
  }

  private async mend(): Promise<void> {
    await this.sql.query(nextOfAll);
  }
}
