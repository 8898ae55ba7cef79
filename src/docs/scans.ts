import { SCAN_EXAMPLE, SCAN_MESSAGES } from '../inventories/inventories.dto.js';

const { purchase: _, ...unmatched } = SCAN_EXAMPLE;

/** Each outcome of a scan, of the demo organisation; those of the fields would show a first scan in all of them. */
export const SCAN_EXAMPLES = {
  recorded: { summary: 'success: recorded now', value: SCAN_EXAMPLE },
  'already-scanned': {
    summary: 'warning: scanned before in this session',
    value: {
      ...SCAN_EXAMPLE,
      status: 'warning',
      message: SCAN_MESSAGES.warning,
      first_scan: { at: SCAN_EXAMPLE.scanned_at, by: { id: 7, name: 'Compte de démonstration' } },
    },
  },
  'unknown-code': {
    summary: 'error: no purchase has the code',
    value: {
      ...unmatched,
      status: 'error',
      message: SCAN_MESSAGES.unknown,
      code: '4006381333931',
      purchase: null,
    },
  },
  'session-closed': {
    summary: 'error: the session is closed',
    value: { ...SCAN_EXAMPLE, status: 'error', message: SCAN_MESSAGES.closed },
  },
};
