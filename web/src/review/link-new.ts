import { unwrap } from '@recense/client';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';

/** What came of a decision. */
export interface Said {
  done?: string;
  refused?: unknown;
}

let said: Said = {};

/**
 * Links an unknown code to the thing that was entered for it. Whoever entered it is led back to the review, which tells
 * what came of it: the thing is there, whether or not it could be linked.
 */
export async function linkNew(
  session: number,
  code: number,
  thing: { id: number; code: string },
): Promise<void> {
  const params = { path: { id: session, uid: code } };
  const body = { purchase_id: thing.id };
  try {
    await unwrap(api.POST('/api/v1/inventories/{id}/unknown-codes/{uid}/link', { params, body }));
    said = { done: t('review.outcome.linked', { code: thing.code }) };
  } catch (refused) {
    said = { refused };
  }
}

/** What came of it, once. */
export function takeSaid(): Said {
  const taken = said;
  said = {};
  return taken;
}
