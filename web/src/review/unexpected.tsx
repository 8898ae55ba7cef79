import { unwrap } from '@recense/client';
import type { UnexpectedDto } from '@recense/client';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { List } from '../shared/ui/list.js';
import { Tag } from '../shared/ui/parts.js';
import type { FindingsProps } from './findings.js';
import { Thing } from './thing.js';

/** Things that were found though nobody expected them: to be known, there is nothing to decide. */
export function Unexpected({ id, times }: FindingsProps) {
  const row = ({ purchase, reason, scanned_at, scanned_by, location, note }: UnexpectedDto) => (
    <div class="card">
      <Thing of={purchase} />
      <p>
        <Tag tone="attention">
          {reason === 'disposed' || reason === 'out-of-scope' ? t(`review.reason.${reason}`) : reason}
        </Tag>{' '}
        {location?.path}
      </p>
      <p class="hint">
        {t('review.scanned', { at: instant(scanned_at), by: scanned_by.name })} {note}
      </p>
    </div>
  );
  return (
    <List
      label={t('review.unexpected')}
      empty={t('review.empty')}
      on={[id]}
      renewed={times}
      load={(cursor) =>
        unwrap(
          api.GET('/api/v1/inventories/{id}/unexpected', {
            params: { path: { id }, query: { cursor, per_page: 50 } },
          }),
        )
      }
      row={row}
    />
  );
}
