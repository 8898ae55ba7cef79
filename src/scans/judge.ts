import type { PurchaseLocationDto } from '../purchases/purchases.dto.js';
import { withDates } from './scans.dto.js';
import type { ScanOutcome, ScanReason } from './scans.dto.js';
import { MAX_UNDECIDED } from './scans.queries.js';
import type { Facts, ScanItem } from './look.queries.js';

/** What an item comes to, and what is to be kept of it. */
export interface Judged extends Omit<ScanItem, 'candidates' | 'move'> {
  answer: ScanOutcome;
  /** Whether anything is to be kept. */
  is_kept?: boolean;
  /** Where its scan is recorded. */
  target?: 'line' | 'unexpected';
  purchase_id?: number;
  /** Where it is not expected since it was disposed of. */
  disposed_on?: string;
  /** The item of the same message that records this purchase, itself perhaps. */
  first_n?: number;
  /** Whether it is answered like that one, since a reader only read its tag once more. */
  is_repeated?: boolean;
  /** The scan of a message before it, which it is answered like in the same way. */
  repeats?: number;
  is_unknown?: boolean;
  is_late?: boolean;
  /** Whether its message is answered the same from now on. */
  is_answered?: boolean;
  /** Where it was expected, if elsewhere. */
  expected_id?: number;
  /** Whether its purchase is now to be where it was found. */
  is_moved?: boolean;
}

/**
 * Judges scans in their order, each by itself, as if those before it were kept already. A message that was answered
 * before is answered the same; of several scans of one purchase the first counts, and what an RFID reader reads again is
 * answered like it.
 */
export function judge(items: ScanItem[], facts: Facts[]): Judged[] {
  const recording = new Map<number, Judged>();
  const sentAgain = new Map<number, ScanOutcome>();
  const moved = new Map<number, Facts['place']>();
  let late = 0;
  return items.map((item, at) => {
    const fact = since(moved, facts[at] as Facts);
    const { purchase, known } = fact;
    const said = (reason: ScanReason): ScanOutcome => {
      const found = item.location_id === undefined ? undefined : foundElsewhere(fact);
      return {
        reason,
        code: purchase ? (purchase.alias ?? purchase.code) : item.code,
        scanned_at: fact.asked_at,
        purchase: purchase && { id: purchase.id, code: purchase.code, article: purchase.article },
        scan_id: null,
        misplaced: found?.misplaced,
        expected_location: found?.expected_location,
      };
    };
    const end = (answer: ScanOutcome, more?: Partial<Judged>): Judged =>
      Object.assign(judgedOf(item, answer), more);
    if (known && !known.is_same) return end(said('client-id-reused'));
    if (known) {
      const again = withDates(known.answer);
      if (again.purchase && !again.first_scan) sentAgain.set(again.purchase.id, again);
      return end(again);
    }

    const is_answered = item.client_id !== undefined;
    const isLate =
      fact.closed_at !== null &&
      item.device_scanned_at !== undefined &&
      item.device_scanned_at < fact.closed_at &&
      (fact.late ?? 0) + late < MAX_UNDECIDED;
    if (isLate) late++;
    const purchase_id = purchase?.id;
    if (isLate) return end(said('late'), { is_kept: true, is_late: true, is_answered, purchase_id });
    if (fact.closed_at) return end(said('session-closed'));
    if (!purchase) return end(said('unknown-code'), { is_kept: true, is_unknown: true, is_answered });

    const is_moved = item.move === true && !purchase.is_deleted && purchase.place?.id !== item.location_id;
    if (is_moved) moved.set(purchase.id, fact.place);
    const kept = {
      purchase_id,
      is_answered,
      is_kept: is_answered || is_moved,
      is_moved: is_moved || undefined,
    };
    if (purchase.first) {
      const { scan_id, at: scanned_at, by } = purchase.first;
      const before = item.source === 'rfid' ? sentAgain.get(purchase.id) : undefined;
      if (before?.scan_id === scan_id) return end(before, { ...kept, repeats: scan_id });
      const first_scan = { at: scanned_at, by };
      return end({ ...said('already-scanned'), scan_id, scanned_at, first_scan }, kept);
    }
    const before = recording.get(purchase.id);
    if (before) {
      const is_repeated = item.source === 'rfid';
      const again = is_repeated ? before.answer : said('already-scanned');
      return end(again, { ...kept, is_kept: true, first_n: before.n, is_repeated });
    }
    const one = end(said(reasonOf(purchase)), kept);
    one.is_kept = true;
    one.first_n = item.n;
    one.target = purchase.is_expected ? 'line' : 'unexpected';
    if (one.answer.misplaced) one.expected_id = purchase.place?.id;
    if (one.answer.reason === 'disposed')
      one.disposed_on = one.answer.disposed_on = purchase.disposed_on as string;
    recording.set(purchase.id, one);
    return one;
  });
}

/** Field by field, since spreading objects of many shapes into each other is most of what judging them would cost. */
const judgedOf = (item: ScanItem, answer: ScanOutcome): Judged => ({
  n: item.n,
  code: item.code,
  cleaned: item.cleaned,
  client_id: item.client_id,
  device_scanned_at: item.device_scanned_at,
  location_id: item.location_id,
  condition: item.condition,
  note: item.note,
  source: item.source,
  answer,
});

/** Of a purchase that this session scans for the first time. */
function reasonOf({ is_expected, disposed_on }: NonNullable<Facts['purchase']>): ScanReason {
  if (is_expected) return 'recorded';
  return disposed_on ? 'disposed' : 'out-of-scope';
}

/** What is known of a scan, once those before it have moved purchases. */
function since(moved: Map<number, Facts['place']>, fact: Facts): Facts {
  const { purchase } = fact;
  const place = purchase && moved.get(purchase.id);
  return place ? { ...fact, purchase: { ...purchase, place } } : fact;
}

/** Elsewhere than where it belongs: neither of the two places lies in or below the other. */
function foundElsewhere({ purchase, place }: Facts): {
  misplaced: boolean;
  expected_location: PurchaseLocationDto | null;
} {
  const expected = purchase?.place ?? null;
  const isWithin =
    expected && place && (expected.lineage.includes(place.id) || place.lineage.includes(expected.id));
  return {
    misplaced: expected !== null && place !== null && !isWithin,
    expected_location: expected && { id: expected.id, name: expected.name, path: expected.path },
  };
}
