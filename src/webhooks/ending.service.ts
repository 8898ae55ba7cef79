import { Injectable } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { Env } from '../config/env.js';
import { record } from '../database/audit.js';
import { Sql, asQueries } from '../database/sql.js';
import type { Outcome } from './post.js';
import { next, note } from './sender.queries.js';
import type { Due } from './sender.queries.js';

const ACTOR = { command: 'webhooks' };
const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each failure until the next try; after the last the message is given up. */
const SCHEDULE = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR];
/** These speak for all messages to come, not for one. */
const BUSY = [429, 503];
const GONE = 410;
/** Whoever has taken nothing for so long is told nothing more. */
const DAYS = 5;

/** Keeps what came of sending a message, and says what comes next. */
@Injectable()
export class EndingService {
  private readonly tries: Counter;

  constructor(
    private readonly sql: Sql,
    private readonly env: Env,
    registry: Registry,
  ) {
    this.tries = new Counter({
      name: 'webhook_tries_total',
      help: 'Messages that were sent to webhooks, by whether they were taken.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    for (const outcome of ['delivered', 'failed']) this.tries.inc({ outcome }, 0);
  }

  async note(due: Due, outcome: Outcome): Promise<void> {
    const { status, ms, error, answer, retryAfter } = outcome;
    const isTaken = status !== null && status >= 200 && status < 300;
    this.tries.inc({ outcome: isTaken ? 'delivered' : 'failed' });
    const wait = isTaken || status === GONE ? undefined : SCHEDULE[due.failures];
    const isLast = wait === undefined;
    const word = isTaken ? 'delivered' : isLast ? 'failed' : 'waiting';
    const noted = note(
      due.id,
      word,
      isLast ? null : Math.max(wait, retryAfter),
      { at: due.taken_at, status, ms, error },
      answer,
    );
    if ((await this.sql.query(noted)).length === 0) return;
    if (isLast && due.subject !== null) await this.sql.query(next(due.webhook_id, due.subject, due.id));
    if (!isTaken) await this.fail(due, outcome, isLast);
    else if (due.is_failing) await this.sql.query(begin(due.webhook_id));
  }

  private fail(due: Due, { status, retryAfter }: Outcome, isLast: boolean): Promise<void> {
    const { webhook_id, id, url } = due;
    const rest = status !== null && BUSY.includes(status) && retryAfter > 0 ? retryAfter : null;
    return this.sql.transaction(ACTOR, { statement: this.env.DATABASE_TIMEOUT_MS }, async (run) => {
      // Another one, to which it was sent before, does not speak for the address that it has now.
      const webhook = await run(`SELECT FROM webhooks WHERE id = $1 AND url = $2 FOR NO KEY UPDATE`, [
        webhook_id,
        url,
      ]);
      if (webhook.rowCount === 0) return;
      const { rows } = await run<{ is_hopeless: boolean }>(FAILING, [webhook_id, rest]);
      const reason = status === GONE ? 'gone' : rows[0]?.is_hopeless ? 'failing' : null;
      if (!reason && isLast) await run(NOTHING_LEFT, [webhook_id]);
      if (!reason) return;
      const disabled = await run(
        `UPDATE webhooks SET is_active = false, disabled_reason = $2 WHERE id = $1 AND is_active`,
        [webhook_id, reason],
      );
      if (disabled.rowCount === 0) return;
      await record(asQueries(run), ACTOR, {
        action: 'webhook.disable',
        resource: 'webhook',
        resource_id: webhook_id,
        details: { reason, delivery_id: id },
      });
    });
  }
}

const FAILING = `
  UPDATE webhook_sending SET failing_since = coalesce(failing_since, clock_timestamp()),
    rests_until = coalesce(clock_timestamp() + make_interval(secs => $2), rests_until)
  WHERE webhook_id = $1
  RETURNING failing_since < now() - interval '${DAYS} days' AS is_hopeless`;

/** Where a message is given up and none is left to be sent, days begin in which nothing fails. */
const NOTHING_LEFT = `
  UPDATE webhook_sending SET failing_since = NULL
  WHERE webhook_id = $1
    AND NOT EXISTS (SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND due_at IS NOT NULL)`;

/** A rest that was asked for while this one was on its way holds on. */
const begin = (webhookId: number) => ({
  name: 'webhooks-begin',
  text: `UPDATE webhook_sending SET failing_since = NULL,
      rests_until = CASE WHEN rests_until > clock_timestamp() THEN rests_until END
    WHERE webhook_id = $1`,
  values: [webhookId],
});
