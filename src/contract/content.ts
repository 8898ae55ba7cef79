/** What `format` makes of an answer. */
export const TABLE_TYPES = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;
export const PDF_TYPE = 'application/pdf';

/** What an answer is, beside JSON. */
export interface Content {
  /** Where `format` makes it a table, `csv` or `xlsx`: what the first looks like; and whether `pdf` makes it pages. */
  tables?: { csv?: string; pages?: boolean };
  /** Of an answer that is CSV and nothing else: what it looks like. */
  table?: string;
  /** The media types of an answer that is a file and nothing else. */
  files?: string[];
}

const text = { type: 'string' } as const;
const binary = { schema: { type: 'string', format: 'binary' } } as const;

/** As the document has it; `schema` is that of its JSON. */
export function contentOf(schema: object, { tables, table, files }: Content): Record<string, object> {
  if (files)
    return Object.fromEntries(files.map((type) => [type, type === 'text/plain' ? { schema: text } : binary]));
  if (table !== undefined) return { [TABLE_TYPES.csv]: { schema: text, example: table } };
  if (!tables) return { 'application/json': { schema } };
  return {
    'application/json': { schema },
    [TABLE_TYPES.csv]: { schema: text, ...(tables.csv !== undefined && { example: tables.csv }) },
    [TABLE_TYPES.xlsx]: binary,
    ...(tables.pages && { [PDF_TYPE]: binary }),
  };
}
