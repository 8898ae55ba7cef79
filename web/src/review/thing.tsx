import type { ScannedPurchaseDto } from '@recense/client';
import { href } from '../shared/router.js';

/** The label and the name of a thing, leading to its card. */
export const Thing = ({ of: { id, code, article } }: { of: ScannedPurchaseDto }) => (
  <p>
    <a href={href(`/register/${id}`)}>
      <strong>{code}</strong>
    </a>{' '}
    {article.name}
  </p>
);
