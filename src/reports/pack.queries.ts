const instant = (at: string) =>
  `to_json(to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text`;
const named = (row: string) => `concat('{"id":', ${row}.id, ',"name":', to_json(${row}.name), '}')`;

/** A line of a pack. PostgreSQL writes it, so that a million of them cost the service no more than sending them. */
const packed = (purchases: string, aliases: string, inRange = '') => `
  SELECT CASE WHEN p.deleted_at IS NOT NULL THEN concat('{"id":', p.id, ',"deleted_at":', ${instant('p.deleted_at')}, '}')
    ELSE concat('{"id":', p.id, ',"code":', to_json(p.code), ',"aliases":', coalesce(k.aliases::text, '[]'),
      ',"article":', ${named('a')}, ',"category":', CASE WHEN c.id IS NULL THEN 'null' ELSE ${named('c')} END,
      ',"location_id":', coalesce(p.location_id::text, 'null'),
      CASE WHEN p.disposed_on IS NOT NULL THEN concat(',"disposed_on":', to_json(p.disposed_on)) END,
      ',"expected":', CASE WHEN l.purchase_id IS NULL THEN 'false' ELSE 'true' END,
      ',"scanned_at":', coalesce(${instant('coalesce(l.scanned_at, x.scanned_at)')}, 'null'), '}') END
  FROM ${purchases}
  JOIN articles a ON a.id = p.article_id
  LEFT JOIN categories c ON c.id = a.category_id
  LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id ${inRange}
  LEFT JOIN inventory_unexpected x ON x.inventory_id = $1 AND x.purchase_id = p.id
  LEFT JOIN ${aliases}`;

/** Of many by one reading of the codes, or of the few that have changed each by itself. */
const ALIASES = `(
    SELECT own.purchase_id, json_agg(own.alias ORDER BY own.alias) AS aliases
    FROM purchase_codes own JOIN purchases labelled ON labelled.id = own.purchase_id
    WHERE own.purchase_id > $2 AND own.purchase_id <= $3 AND own.alias IS NOT NULL
      AND own.code_key <> labelled.code_key GROUP BY 1
  ) k ON k.purchase_id = p.id`;
const ALIASES_OF_EACH = `LATERAL (
    SELECT json_agg(own.alias ORDER BY own.alias) AS aliases FROM purchase_codes own
    WHERE own.purchase_id = p.id AND own.alias IS NOT NULL AND own.code_key <> p.code_key
  ) k ON true`;

const LINES_IN_RANGE = 'AND l.purchase_id > $2 AND l.purchase_id <= $3';

/** The last of the next $2 purchases after $1, and how many those are. */
export const NEXT = `
  SELECT max(id) AS last, count(*) AS count
  FROM (SELECT id FROM purchases WHERE id > $1 ORDER BY id LIMIT $2) next`;

/** Every live purchase after $2 up to $3, as a phone needs it to answer a scan. */
export const PACKED = `${packed('purchases p', ALIASES, LINES_IN_RANGE)} WHERE p.id > $2 AND p.id <= $3 AND p.deleted_at IS NULL`;

/** After a session was opened again everything may be expected otherwise: all of it, with what was deleted since $4. */
export const REOPENED = `${packed('purchases p', ALIASES, LINES_IN_RANGE)}
  WHERE p.id > $2 AND p.id <= $3 AND (p.deleted_at IS NULL OR p.updated_at >= $4)`;

/** Those of which a line may be otherwise since $2; deleted ones too. */
export const REPACKED = packed(
  `(
    SELECT id FROM purchases WHERE updated_at >= $2
    UNION SELECT purchase_id FROM inventory_lines
    WHERE inventory_id = $1 AND scanned_at >= $2 AND scan_id IS NOT NULL
    UNION SELECT purchase_id FROM inventory_lines
    WHERE inventory_id = $1 AND recorded_at >= $2 AND recorded_at IS NOT NULL
    UNION SELECT purchase_id FROM inventory_unexpected WHERE inventory_id = $1 AND recorded_at >= $2
    UNION SELECT purchase_id FROM inventory_undone_scans WHERE inventory_id = $1 AND undone_at >= $2
    UNION SELECT purchase_id FROM inventory_unknown_codes WHERE status = 'linked' AND changed_at >= $2
    UNION SELECT p.id FROM purchases p JOIN articles a ON a.id = p.article_id
    LEFT JOIN categories c ON c.id = a.category_id
    WHERE a.updated_at >= $2 OR c.updated_at >= $2
  ) changed JOIN purchases p ON p.id = changed.id`,
  ALIASES_OF_EACH,
);
