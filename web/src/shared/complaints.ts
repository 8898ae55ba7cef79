import { t } from './texts.js';
import type { TextKey } from './texts.js';

/** What may be wrong with a scan beside its code. */
const FIELDS: Record<string, TextKey> = {
  location_id: 'scan.field.location_id',
  move: 'scan.field.move',
  condition: 'scan.field.condition',
  note: 'scan.field.note',
  scanned_at: 'scan.field.scanned_at',
};

/** A scan is one without these, too. */
export const isLeft = (field: string): boolean => field in FIELDS;

export const fieldName = (field: string): string => t(FIELDS[field] ?? 'queue.code');

/** What is wrong with a scan, a sentence for each field. */
export const complaints = (errors: Record<string, string[]>): string[] =>
  Object.entries(errors).map(([field, texts]) =>
    isLeft(field) ? t('named', { name: fieldName(field), value: texts.join(' ') }) : texts.join(' '),
  );
