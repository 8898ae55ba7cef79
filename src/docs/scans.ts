import { CLIENT_ID, OTHER_CLIENT_ID, toScanResultDto, toScanResultsDto } from '../scans/scans.dto.js';
import type { ScanOutcome } from '../scans/scans.dto.js';
import { SCAN_ID } from './ids.js';

/** Of the demo organisation: the late scan that was refused. */
const REFUSED_CLIENT_ID = '44038568-4580-4540-8105-469386331365';

const scan = {
  code: '0004521',
  scanned_at: new Date('2026-10-15T08:30:00Z'),
  scan_id: SCAN_ID,
  purchase: { id: 1, code: '0004521', article: { id: 13, name: 'HP EliteBook 840 G7' } },
};

/** Where it belongs. */
const PLACE = { id: 5, name: 'Bureau 3', path: 'Antenne de Brest / Bureau 3' };

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
  recorded: example('success: recorded now, where it belongs', {
    reason: 'recorded',
    misplaced: false,
    expected_location: PLACE,
    client_id: CLIENT_ID,
  }),
  'already-scanned': example('warning: scanned before in this session', {
    reason: 'already-scanned',
    first_scan: { at: scan.scanned_at, by: { id: 7, name: 'Compte de démonstration' } },
  }),
  'out-of-scope': example('warning: the session does not expect it, and it belongs elsewhere', {
    reason: 'out-of-scope',
    misplaced: true,
    expected_location: PLACE,
  }),
  disposed: example('warning: it was disposed of', {
    reason: 'disposed',
    disposed_on: '2026-03-01',
    code: 'INV000006T',
    purchase: { id: 7, code: 'INV000006T', article: { id: 219, name: 'Bosch KTS 560' } },
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
    misplaced: false,
    expected_location: PLACE,
    client_id: CLIENT_ID,
    scan_id: null,
  }),
  'session-closed': example('error: the session is closed', { reason: 'session-closed', scan_id: null }),
  late: example('error: it was made before the closing, and waits for a decision', {
    reason: 'late',
    scan_id: null,
  }),
  refused: example('error: it came late and was refused', {
    reason: 'refused',
    client_id: REFUSED_CLIENT_ID,
    code: 'INV001874U',
    purchase: { id: 1934, code: 'INV001874U', article: { id: 168, name: 'Citroën C5 Aircross Hybrid' } },
    scan_id: null,
    misplaced: false,
    expected_location: { id: 35, name: 'Parking P1', path: 'Garage régional / Parking P1' },
  }),
};
