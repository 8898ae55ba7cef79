import { unwrap } from '@recense/client';
import type { PurchaseDetailDto } from '@recense/client';
import { api } from '../shared/api.js';

/** A purchase, and the version of it that was seen: who changes it says so. */
export interface Seen {
  purchase: PurchaseDetailDto;
  tag: string;
}

/** @throws ApiError */
export async function readPurchase(id: number): Promise<Seen> {
  const answer = api.GET('/api/v1/purchases/{id}', { params: { path: { id } } });
  const purchase = await unwrap(answer);
  return { purchase, tag: (await answer).response.headers.get('ETag') ?? '*' };
}
