import type { QueuedScan } from '@recense/client';
import { complaints } from '../shared/complaints.js';
import { offer } from '../shared/download.js';
import { t } from '../shared/texts.js';
import { sentenceOf } from '../shared/verdicts.js';

const COLUMNS = [
  'code',
  'scanned_at',
  'inventory_id',
  'location_id',
  'move',
  'condition',
  'note',
  'source',
  'client_id',
  'problem',
] as const;

/** Why the service does not take it, in the language of the page where that has words for it; empty of one that only waits. */
export function problemOf({ result, errors }: QueuedScan): string {
  if (!result) return complaints(errors ?? {}).join(' ');
  const key = sentenceOf(result.reason);
  return key ? t(key) : result.message;
}

/** Quoted, and harmless in a spreadsheet, which runs what begins like a formula. */
function cell(value: unknown): string {
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
  return `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

export function saveAs(format: 'csv' | 'json', scans: QueuedScan[]): void {
  if (format === 'json')
    return offer(new Blob([JSON.stringify(scans, null, 2)], JSON_TYPE), 'recense-scans.json');
  const lines = scans.map((scan) => {
    const row: Record<string, unknown> = {
      ...scan.item,
      inventory_id: scan.inventory_id,
      client_id: scan.client_id,
      problem: problemOf(scan),
    };
    return COLUMNS.map((name) => cell(row[name])).join();
  });
  // The mark tells spreadsheets that it is UTF-8.
  offer(new Blob(['\uFEFF', [COLUMNS.join(), ...lines, ''].join('\r\n')], CSV_TYPE), 'recense-scans.csv');
}

const JSON_TYPE = { type: 'application/json' };
const CSV_TYPE = { type: 'text/csv' };
