import { AT_ONCE } from '../database/at-once.js';

/** A message whose turn it is, and what it takes to send it. */
export interface Due {
  id: number;
  webhook_id: number;
  message_id: string;
  event: string;
  subject: string | null;
  body: string;
  url: string;
  secret: string;
  /** Those of before that still sign. */
  old_secrets: string[];
  failures: number;
  /** Whether the last message for the webhook was not taken, or it asked to be left alone. */
  is_failing: boolean;
  /** By the clock of the database, whatever that of the instance says. */
  taken_at: Date;
}

/** How long one who sends has it for himself; whoever ends before that has it sent by another. */
const LEASE = '60 seconds';
const MAY_BE_SENT = `d.due_at <= clock_timestamp() AND (w.is_active OR d.event = 'webhook.ping')
      AND coalesce(s.rests_until <= clock_timestamp(), true)`;

/** The secrets of a webhook before its own, each with the end of its time, the last one first. */
export const OLD_SECRETS = `jsonb_build_array(jsonb_build_object('secret', s.previous_secret, 'until', s.previous_until)) || s.earlier`;
export const STILL_SIGNS = `(old ->> 'until')::timestamptz > clock_timestamp()`;

/** As instants are kept, of which a half would be rounded up: due in the next half millisecond, seen by the next turn. */
export const NOW = `date_trunc('milliseconds', clock_timestamp())`;

/** Who has something to be sent. */
export const toWhom = {
  name: 'webhooks-to-whom',
  text: `
    SELECT w.id FROM webhooks w JOIN webhook_sending s ON s.webhook_id = w.id
    WHERE EXISTS (SELECT FROM webhook_deliveries d WHERE d.webhook_id = w.id AND ${MAY_BE_SENT})`,
};

/** Takes the message of a webhook that has been due for longest, for as long as the lease. No row: there is none. */
export const take = (webhookId: number) => ({
  name: 'webhooks-take',
  text: `
    UPDATE webhook_deliveries taken SET due_at = clock_timestamp() + interval '${LEASE}'
    FROM (
      SELECT d.id, w.url, s.secret,
        ARRAY(SELECT old ->> 'secret' FROM jsonb_array_elements(${OLD_SECRETS}) old WHERE ${STILL_SIGNS}) AS old_secrets,
        s.failing_since IS NOT NULL OR s.rests_until IS NOT NULL AS is_failing
      FROM webhook_deliveries d
      JOIN webhooks w ON w.id = d.webhook_id
      JOIN webhook_sending s ON s.webhook_id = d.webhook_id
      WHERE d.webhook_id = $1 AND ${MAY_BE_SENT}
      ORDER BY d.due_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED
    ) d
    WHERE taken.id = d.id AND ${AT_ONCE}
    RETURNING d.*, taken.webhook_id, taken.message_id, taken.event, taken.subject, taken.body,
      taken.failures, clock_timestamp() AS taken_at`,
  values: [webhookId],
});

/** What came of a try; a null wait for the next ends the message. No row: it was ended otherwise meanwhile. */
export const note = (
  id: number,
  status: string,
  wait: number | null,
  tried: object,
  answer: string | null,
) => ({
  name: 'webhooks-note',
  text: `
    UPDATE webhook_deliveries
    SET status = $2::text, failures = failures + CASE $2::text WHEN 'delivered' THEN 0 ELSE 1 END,
      due_at = clock_timestamp() + make_interval(secs => $3), answer = $5, updated_at = change_instant(),
      tries = CASE WHEN jsonb_array_length(tries) < 20 THEN tries ELSE tries - 0 END || $4::jsonb
    WHERE id = $1 AND status = 'waiting' AND ${AT_ONCE} RETURNING id`,
  values: [id, status, wait, JSON.stringify([tried]), answer],
});

/**
 * The next one of a subject, after one has ended: in a statement of its own, which sees all that was added meanwhile. Read
 * from that one on: of those before, thousands may have ended, and the index still has them until a vacuum.
 */
export const next = (webhookId: number, subject: string, ended: number) => ({
  name: 'webhooks-next',
  text: `
    UPDATE webhook_deliveries SET due_at = ${NOW}
    WHERE ${AT_ONCE} AND due_at IS NULL AND id = (
      SELECT id FROM webhook_deliveries WHERE webhook_id = $1 AND subject = $2 AND status = 'waiting' AND id > $3
      ORDER BY id LIMIT 1)`,
  values: [webhookId, subject, ended],
});

/** The same of all subjects, where whoever had ended one came to his own end before he could say so. */
export const nextOfAll = {
  name: 'webhooks-next-of-all',
  text: `
    UPDATE webhook_deliveries SET due_at = ${NOW} WHERE due_at IS NULL AND id IN (
      SELECT DISTINCT ON (webhook_id, subject) id FROM webhook_deliveries
      WHERE status = 'waiting' AND subject IS NOT NULL ORDER BY webhook_id, subject, id)`,
};
