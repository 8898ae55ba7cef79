/** Without nulls, which take longer to read. */
export type PackedRow = [
  id: string,
  code: string,
  /** As JSON, as are those that may be null. */
  aliases: string,
  articleId: string,
  article: string,
  categoryId: string,
  category: string,
  locationId: string,
  isExpected: 't' | 'f',
  /** In milliseconds, or empty, as is the next. */
  scannedAt: string,
  deletedAt: string,
];

const milliseconds = (instant: string) =>
  `coalesce(((extract(epoch FROM ${instant}) * 1000)::bigint)::text, '')`;

const packed = (purchases: string, aliases: string) => `
  SELECT p.id, p.code, coalesce(k.aliases::text, '[]'), a.id, a.name, coalesce(c.id::text, 'null'), coalesce(c.name, ''),
    coalesce(p.location_id::text, 'null'), l.purchase_id IS NOT NULL,
    ${milliseconds('coalesce(l.scanned_at, x.scanned_at)')}, ${milliseconds('p.deleted_at')}
  FROM ${purchases}
  JOIN articles a ON a.id = p.article_id
  LEFT JOIN categories c ON c.id = a.category_id
  LEFT JOIN inventory_lines l ON l.inventory_id = $1 AND l.purchase_id = p.id
  LEFT JOIN inventory_unexpected x ON x.inventory_id = $1 AND x.purchase_id = p.id
  LEFT JOIN ${aliases}`;

/** All at once, or of the few that have changed each by itself. */
const ALIASES = `(
    SELECT own.purchase_id, json_agg(own.alias ORDER BY own.alias) AS aliases
    FROM purchase_codes own JOIN purchases labelled ON labelled.id = own.purchase_id
    WHERE own.alias IS NOT NULL AND own.code_key <> labelled.code_key GROUP BY 1
  ) k ON k.purchase_id = p.id`;
const ALIASES_OF_EACH = `LATERAL (
    SELECT json_agg(own.alias ORDER BY own.alias) AS aliases FROM purchase_codes own
    WHERE own.purchase_id = p.id AND own.alias IS NOT NULL AND own.code_key <> p.code_key
  ) k ON true`;

/** Every live purchase, as a phone needs it to answer a scan. */
export const PACKED = `${packed('purchases p', ALIASES)} WHERE p.deleted_at IS NULL`;

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

/** After a session was opened again everything may be expected otherwise: all of it, with what was deleted since $2. */
export const REOPENED = `${packed('purchases p', ALIASES)} WHERE p.deleted_at IS NULL OR p.updated_at >= $2`;
