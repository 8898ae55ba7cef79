import { toScanResultDto } from '../scans/scans.dto.js';
import type { ScanOutcome } from '../scans/scans.dto.js';

/** Of the demo organisation. */
const scan = {
  code: '0004521',
  scanned_at: new Date('2026-10-15T08:30:00Z'),
  purchase: { id: 1, code: '0004521', article: { id: 13, name: 'HP EliteBook 840 G7' } },
};

const example = (summary: string, outcome: Partial<ScanOutcome> & Pick<ScanOutcome, 'reason'>) => ({
  summary,
  value: toScanResultDto({ ...scan, ...outcome }, 'fr'),
});

/** Each outcome of a scan; the examples of the fields would show a first scan in all of them. */
export const SCAN_EXAMPLES = {
  recorded: example('success: recorded now', { reason: 'recorded' }),
  'already-scanned': example('warning: scanned before in this session', {
    reason: 'already-scanned',
    first_scan: { at: scan.scanned_at, by: { id: 7, name: 'Compte de démonstration' } },
  }),
  'unknown-code': example('error: no purchase has the code', {
    reason: 'unknown-code',
    code: '4006381333931',
    purchase: null,
  }),
  'session-closed': example('error: the session is closed', { reason: 'session-closed' }),
};
