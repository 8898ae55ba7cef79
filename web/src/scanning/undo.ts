import { cleanCode } from '../../../src/purchases/code.js';
import { takeBack } from '../shared/afterwards.js';
import type { Scanned } from '../shared/afterwards.js';
import { keyOf } from '../shared/codes.js';
import type { Pack } from '../shared/pack.js';
import { keptScans } from '../shared/scans.js';
import { isOfAnother } from '../shared/verdicts.js';
import { verdictOn } from './verdict.js';
import type { Read } from './verdict.js';

/** What is to be done afterwards for a read. */
export const scannedOf = ({ client_id, user_id, session_id, result, text }: Read): Scanned => ({
  client_id,
  user_id,
  session_id,
  scan_id: result?.scan_id ?? null,
  code: text,
});

/** What is said of it, which is not for the scan of somebody else; photos are. */
export const remarkOf = (read: Read): Scanned => {
  const { result, user_id } = read;
  const isRefused = result && isOfAnother(result, user_id);
  return { ...scannedOf(read), ...(isRefused && { scan_id: null, refused: result.reason }) };
};

/**
 * Takes a read back, here and at the service, which may have it already. What was read of the same thing since and still
 * waits goes with it: else that would be recorded instead, and move what it was to move.
 * @param shown the reads that are known, newest first
 * @returns those that were taken back
 */
export async function undo(read: Read, shown: Read[], pack: Pack): Promise<Read[]> {
  const repeats = await repeatsOf(read, pack);
  await takeBack([scannedOf(read), ...repeats]);
  const ids = new Set(repeats.map(({ client_id }) => client_id));
  const again = shown.filter(({ client_id }) => ids.has(client_id));
  const { purchaseId } = verdictOn(read);
  if (purchaseId !== undefined) {
    const before = again.findLast(({ movedFrom }) => movedFrom !== undefined)?.movedFrom;
    if (before !== undefined) await pack.mark(purchaseId, { location_id: before });
    await pack.settle(purchaseId, null);
  }
  return [read, ...again];
}

/** What was noted of a thing for a read that was not recorded; of a read of long ago only its thing may be known. */
export async function putBack(pack: Pack, read?: Read, purchaseId?: number): Promise<void> {
  const id = read?.guess.purchaseId ?? purchaseId;
  if (id === undefined) return;
  if (read?.movedFrom !== undefined) await pack.mark(id, { location_id: read.movedFrom });
  // Else it was scanned before, which is still so.
  if (read?.isFirst ?? read?.guess.reason !== 'already-scanned') await pack.settle(id, null);
}

/** What this device has read of the same thing since, and not sent. */
async function repeatsOf(read: Read, pack: Pack): Promise<Scanned[]> {
  const { user_id, session_id, at } = read;
  const purchaseId = verdictOn(read).purchaseId ?? pack.find(read.text)?.id;
  const key = keyOf(cleanCode(read.text));
  const isSame = (code: string): boolean => {
    const thing = pack.find(code);
    return thing && purchaseId !== undefined ? thing.id === purchaseId : keyOf(cleanCode(code)) === key;
  };
  const kept = await keptScans(user_id);
  return kept
    .filter(({ inventory_id, order, result, errors }) => {
      const isWaiting = result === undefined && errors === undefined;
      return isWaiting && inventory_id === session_id && order > at;
    })
    .filter(({ item }) => isSame(item.code))
    .map(({ client_id, item }) => ({ client_id, user_id, session_id, scan_id: null, code: item.code }));
}
