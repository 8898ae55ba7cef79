import type { ScanFields, ScanResultDto } from '@recense/client';
import type { Places } from '../shared/places.js';
import type { StoredRead, Thing } from '../shared/store.js';
import type { Tone } from '../shared/ui/parts.js';
import { sentenceOf } from '../shared/verdicts.js';

/** What a scan means to who holds the phone. */
export interface Verdict {
  tone: Tone;
  /** As the service says it, such as `recorded`; `misplaced` where it was recorded and belongs elsewhere. */
  reason: string;
  /** The label, or what was read. */
  code: string;
  purchaseId?: number;
  name?: string;
  /** Where it belongs, if that is elsewhere. */
  expectedId?: number;
  expected?: string;
  /** When and by whom it was scanned first. */
  at?: string;
  by?: string;
  disposedOn?: string;
  /** The service's own sentence, of a reason that this page does not know. */
  message?: string;
}

/** One read of a code, with what is known of it. */
export interface Read extends StoredRead {
  /** What was read, as it was. */
  text: string;
  /** What the phone has said by itself. */
  guess: Verdict;
  fields: ScanFields;
  hasPhoto: boolean;
  /** Whether the thing was not known to be scanned before; of old reads it is not known. */
  isFirst?: boolean;
  /** Of one that was to move something: where that belonged before. */
  movedFrom?: number | null;
}

interface Circumstances {
  code: string;
  thing: Thing | undefined;
  /** Where the phone is. */
  placeId: number | null;
  places: Places;
  isOpen: boolean;
  /** Whether it is to belong here from now on. */
  isMoved?: boolean;
}

/** What the phone says by itself, as the service would with what the phone knows. */
export function judge({ code, thing, placeId, places, isOpen, isMoved }: Circumstances): Verdict {
  if (!isOpen) return { tone: 'bad', reason: 'session-closed', code };
  if (!thing) return { tone: 'bad', reason: 'unknown-code', code };
  const verdict: Verdict = {
    tone: 'attention',
    reason: 'recorded',
    code: thing.code,
    purchaseId: thing.id,
    name: thing.article.name,
  };
  if (isMoved) return { ...verdict, tone: 'good', reason: 'moved' };
  const isElsewhere =
    placeId !== null && thing.location_id !== null && !places.areRelated(placeId, thing.location_id);
  if (isElsewhere) {
    verdict.expectedId = thing.location_id!;
    verdict.expected = places.get(thing.location_id)?.path ?? '';
  }
  if (thing.scanned_at) return { ...verdict, reason: 'already-scanned', at: thing.scanned_at };
  if (thing.disposed_on !== undefined)
    return { ...verdict, reason: 'disposed', disposedOn: thing.disposed_on };
  if (!thing.expected) return { ...verdict, reason: 'out-of-scope' };
  return isElsewhere ? { ...verdict, reason: 'misplaced' } : { ...verdict, tone: 'good' };
}

const TONES: Record<ScanResultDto['status'], Tone> = { success: 'good', warning: 'attention', error: 'bad' };

/** What is no failure of a scan that was to move something. */
const MOVED = ['recorded', 'already-scanned'];

/** What the service has said. */
export function verdictOf(result: ScanResultDto, isMoved = false): Verdict {
  const { status, reason, purchase, code, first_scan: first, disposed_on, expected_location } = result;
  const isElsewhere =
    result.misplaced === true && expected_location !== null && expected_location !== undefined;
  const verdict: Verdict = {
    tone: TONES[status],
    reason,
    code: purchase?.code ?? code,
    ...(purchase && { purchaseId: purchase.id, name: purchase.article.name }),
    ...(first && { at: first.at, by: first.by.name }),
    ...(disposed_on !== undefined && { disposedOn: disposed_on }),
    ...(isElsewhere && { expectedId: expected_location.id, expected: expected_location.path }),
    ...(!sentenceOf(reason) && { message: result.message }),
  };
  if (isMoved && MOVED.includes(reason)) {
    const { code, purchaseId, name } = verdict;
    return { tone: 'good', reason: 'moved', code, purchaseId: purchaseId!, name: name! };
  }
  return isElsewhere && reason === 'recorded'
    ? { ...verdict, tone: 'attention', reason: 'misplaced' }
    : verdict;
}

/** What is known of a read: what the service says, once it has. */
export function verdictOn({ result, errors, guess, fields }: Read): Verdict {
  if (errors) return { ...guess, tone: 'bad', reason: 'not-taken' };
  return result ? verdictOf(result, fields.move) : guess;
}
