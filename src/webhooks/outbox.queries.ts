import { SHOWN, relationsBy } from '../scans/scan-entries.queries.js';
import { NOW } from './sender.queries.js';

/** What a change has left to be told, of one thing or of many. */
export interface Told {
  id: number;
  at: Date;
  event: string;
  inventory_id: number | null;
  /** Ids; of scans all that may be gone when it is told. */
  items: unknown[];
}

/** A message as it is sent, and whom it follows in order. */
export interface Message {
  event: string;
  subject: string;
  at: Date;
  body: string;
}

export const anythingToTell = {
  name: 'webhooks-anything-to-tell',
  text: 'SELECT EXISTS (SELECT FROM webhook_outbox) AS is_there',
};

/** One instance at a time, so that the order of the messages is that of the outbox. */
export const MY_TURN = `SELECT pg_try_advisory_xact_lock(hashtext('webhooks.outbox')) AS is_mine`;

/** The oldest, up to so many things: changes that follow from each other have ids in their order. */
export const OLDEST = `
  SELECT id, at, event, inventory_id, items FROM (
    SELECT *, sum(jsonb_array_length(items)) OVER (ORDER BY id) - jsonb_array_length(items) AS before
    FROM (SELECT * FROM webhook_outbox ORDER BY id LIMIT $1) o
  ) o WHERE before < $1 ORDER BY id`;

export const LISTENERS = `SELECT id FROM webhooks WHERE is_active ORDER BY id`;

/** Those that others wait for, held against whoever ends one of them, who then sees who is the next. */
export const HEADS = `
  SELECT FROM webhook_deliveries
  WHERE webhook_id = ANY ($1) AND subject = ANY ($2) AND status = 'waiting' AND due_at IS NOT NULL
  ORDER BY id FOR SHARE`;

/** A message for each webhook that asks for it. It is due at once unless another of its subject waits before it. */
export const QUEUE = `
  INSERT INTO webhook_deliveries (webhook_id, event, subject, body, created_at, due_at)
  SELECT w.id, m.event, m.subject, m.body, m.at, CASE
    WHEN row_number() OVER (PARTITION BY w.id, m.subject ORDER BY m.n) = 1 AND NOT EXISTS (
      SELECT FROM webhook_deliveries d
      WHERE d.webhook_id = w.id AND d.subject = m.subject AND d.status = 'waiting') THEN ${NOW} END
  FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) WITH ORDINALITY AS m (event, subject, body, at, n)
  JOIN webhooks w ON w.id = ANY ($1) AND w.events && ARRAY[m.event, '*']::varchar[]
  ORDER BY m.n, w.id`;

/** Scans as whoever follows a session reads them, also those that were undone since. In the order that was asked. */
export const scansToTell = (items: unknown[]) => ({
  name: 'webhooks-scans',
  text: `
    SELECT s.scan_id AS id, s.scanned_at, s.undone_at AS at, s.client_id, s.device_scanned_at, s.condition, s.note, s.source,
      s.location_id, s.purchase_id, ${SHOWN}
    FROM jsonb_array_elements($1) WITH ORDINALITY AS item (fields, n)
    CROSS JOIN LATERAL jsonb_to_record(item.fields) AS s (inventory_id integer, scan_id bigint, purchase_id integer,
      scanned_at timestamptz, scanned_by integer, undone_at timestamptz, undone_by integer, client_id uuid,
      device_scanned_at timestamptz, location_id integer, condition text, note text, source text)
    JOIN inventories i ON i.id = s.inventory_id ${relationsBy('coalesce(s.undone_by, s.scanned_by)')}
    ORDER BY item.n`,
  values: [JSON.stringify(items)],
});
