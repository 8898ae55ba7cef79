import { CLIENT_ID, OTHER_CLIENT_ID, toScanResultDto, toScanResultsDto } from '../scans/scans.dto.js';
import type { ScanOutcome } from '../scans/scans.dto.js';

/** Of the demo organisation: the first of its open session. */
export const SCAN_ID = 3748;

const scan = {
  code: '0004521',
  scanned_at: new Date('2026-10-15T08:30:00Z'),
  scan_id: SCAN_ID,
  purchase: { id: 1, code: '0004521', article: { id: 13, name: 'HP EliteBook 840 G7' } },
};

const example = (summary: string, outcome: Partial<ScanOutcome> & Pick<ScanOutcome, 'reason'>) => ({
  summary,
  value: toScanResultDto({ ...scan, ...outcome }, 'fr'),
});

/** Of a batch of one. */
export const BATCH_EXAMPLE = toScanResultsDto(
  [{ ...scan, reason: 'recorded', client_id: OTHER_CLIENT_ID }],
  'fr',
);

/** Each outcome of a scan; the examples of the fields would show a first scan in all of them. */
export const SCAN_EXAMPLES = {
  recorded: example('success: recorded now', { reason: 'recorded', client_id: CLIENT_ID }),
  'already-scanned': example('warning: scanned before in this session', {
    reason: 'already-scanned',
    first_scan: { at: scan.scanned_at, by: { id: 7, name: 'Compte de démonstration' } },
  }),
  'unknown-code': example('error: no purchase has the code', {
    reason: 'unknown-code',
    code: '4006381333931',
    purchase: null,
    scan_id: null,
  }),
  'client-id-reused': example('error: the client_id was sent before with another code', {
    reason: 'client-id-reused',
    client_id: CLIENT_ID,
    code: '4006381333931',
    purchase: null,
    scan_id: null,
  }),
  undone: example('error: sent again after it was undone', {
    reason: 'undone',
    client_id: CLIENT_ID,
    scan_id: null,
  }),
  'session-closed': example('error: the session is closed', { reason: 'session-closed', scan_id: null }),
};
