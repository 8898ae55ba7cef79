/** The lines of session `$1`: as they were kept when it was closed, or as of now. */
export const linesOf = (isFrozen: boolean): string =>
  isFrozen ? `(SELECT * FROM inventory_frozen_lines WHERE inventory_id = $1)` : `session_lines($1)`;

/**
 * The session with which `i` is compared: of the same scope, opened last before it, and closed. What was closed after it
 * is none of that: a closed report would change with it.
 */
export const PREVIOUS = `
  SELECT o.id FROM inventories o
  WHERE o.deleted_at IS NULL AND o.closed_at <= coalesce(i.closed_at, now())
    AND (o.created_at, o.id) < (i.created_at, i.id)
    AND o.scope_location_ids IS NOT DISTINCT FROM i.scope_location_ids
    AND o.scope_category_ids IS NOT DISTINCT FROM i.scope_category_ids
  ORDER BY o.created_at DESC, o.id DESC LIMIT 1`;

export const CHANGES = ['newly_missing', 'missing_again', 'reappeared', 'bought', 'disposed'] as const;
export type ChangeName = (typeof CHANGES)[number];
/** Gross in euros. */
export type Changes = Record<ChangeName, { count: number; gross: number }>;

/** What came to a scope or left it may only have been moved. */
const IS_NEW = `(before.is_whole OR (
  SELECT greatest(q.created_at, j.at) >= before.closed_at
  FROM purchases q LEFT JOIN purchase_joins j ON j.purchase_id = q.id WHERE q.id = t.purchase_id))`;
const IS_GONE = `(before.is_whole OR (
  SELECT num_nonnulls(q.deleted_at, q.disposed_on) > 0 FROM purchases q WHERE q.id = p.purchase_id))`;

/** What was found and then disposed of while the previous session was open is in the comparison of that one. */
const WAS_TOLD = `(p.is_disposed AND EXISTS (
  SELECT FROM inventory_frozen_lines l WHERE l.inventory_id = before.previous AND l.purchase_id = p.purchase_id
    AND l.state IN ('scanned', 'missing')))`;

/** What of two sets of lines, `t` of this session and `p` of the previous one, is such a change. */
const IS: Record<ChangeName, string> = {
  newly_missing: `t.state = 'missing' AND p.state IS DISTINCT FROM 'missing'`,
  missing_again: `t.state = 'missing' AND p.state = 'missing'`,
  reappeared: `t.state IN ('scanned', 'unexpected') AND p.state = 'missing'`,
  bought: `t.state IN ('scanned', 'missing') AND coalesce(p.state, 'unexpected') = 'unexpected' AND ${IS_NEW}`,
  disposed: `p.state IN ('scanned', 'missing') AND (t.is_disposed OR (t.state IS NULL AND ${IS_GONE})) AND NOT ${WAS_TOLD}`,
};

/**
 * The `changes` of session `$1` since the previous one, `$2`. What is gone is worth what it was there. Most was found both
 * times, which is no change: left out before it is summed up, a million lines take 3.1 s rather than 4.1.
 */
export const compared = (lines: string, previous: string): string => `
  SELECT jsonb_build_object(${CHANGES.map(
    (name) => `'${name}', jsonb_build_object('count', count(*) FILTER (WHERE ${IS[name]}),
    'gross', coalesce(sum(coalesce(t.purchase_price, p.purchase_price)) FILTER (WHERE ${IS[name]}), 0))`,
  ).join(', ')}) AS changes
  FROM ${lines} t FULL JOIN ${previous.replace('$1', '$2')} p ON p.purchase_id = t.purchase_id
  CROSS JOIN (
    SELECT b.closed_at, num_nonnulls(b.scope_location_ids, b.scope_category_ids) = 0 AS is_whole,
      (f.comparison ->> 'session')::integer AS previous
    FROM inventories b LEFT JOIN inventory_frozen f ON f.inventory_id = b.id WHERE b.id = $2
  ) before
  WHERE t.state IS DISTINCT FROM 'scanned' OR p.state IS DISTINCT FROM 'scanned' OR t.is_disposed`;
