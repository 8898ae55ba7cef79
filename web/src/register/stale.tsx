import type { PurchaseDetailDto } from '@recense/client';
import { useRef } from 'preact/hooks';
import { isProblem } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Problem } from '../shared/ui/form.js';
import { readPurchase } from './seen.js';

const isStale = (error: unknown): error is object => isProblem(error) && error.problem.status === 412;

/** Those that came after a try whose answer was lost. */
const perhapsOwn = new WeakSet<object>();

/**
 * Sends a change of a thing. Where the answer to the try before was lost and the thing is now another than was seen, that
 * may be by the try before: it is read again, and where it is as it should be, all is done.
 */
export function useSend(id: number | undefined) {
  const isUnsure = useRef(false);
  return async (send: () => Promise<unknown>, isDone: (now: PurchaseDetailDto) => boolean): Promise<void> => {
    try {
      await send();
    } catch (error) {
      if (!isProblem(error)) isUnsure.current = true;
      if (!isUnsure.current || !isStale(error)) throw error;
      if (!isDone((await readPurchase(id!)).purchase)) {
        perhapsOwn.add(error);
        throw error;
      }
    }
    isUnsure.current = false;
  };
}

/** Whether what is to be there is there. */
export const holds = (now: object, wanted: object): boolean =>
  Object.entries(wanted).every(([name, value]) => {
    const there = (now as Record<string, unknown>)[name] ?? null;
    if (name === 'fields') return holds(there ?? {}, value as object);
    return JSON.stringify(there) === JSON.stringify(value);
  });

/** Where somebody else was quicker, or perhaps oneself, it says so rather than what the service calls it. */
export const Stale = ({ error, known = [] }: { error: unknown; known?: string[] }) =>
  isStale(error) ? (
    <div class="notice notice-error" role="alert">
      <p>{t(perhapsOwn.has(error) ? 'thing.stale.own' : 'thing.stale')}</p>
    </div>
  ) : (
    <Problem error={error} known={known} />
  );
