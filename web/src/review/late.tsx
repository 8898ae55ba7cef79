import { unwrap } from '@recense/client';
import type { LateScanDto } from '@recense/client';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Tag } from '../shared/ui/parts.js';
import type { FindingsProps } from './findings.js';
import { Thing } from './thing.js';

/** Scans that came after the closing; they are decided upon while the inventory is open again. */
export function Late({ id, isAll, times, isOpen, decide }: FindingsProps) {
  const { run, isBusy, error } = useAction(async (how: 'accept' | 'refuse', late: number) => {
    const params = { path: { id, late_id: late } };
    await (how === 'accept'
      ? decide(
          () => unwrap(api.POST('/api/v1/inventories/{id}/late-scans/{late_id}/accept', { params })),
          t('review.outcome.accepted'),
        )
      : decide(
          () => unwrap(api.POST('/api/v1/inventories/{id}/late-scans/{late_id}/refuse', { params })),
          t('review.outcome.refused'),
        ));
  });
  const row = ({
    id: late,
    purchase,
    code,
    device_scanned_at,
    scanned_by,
    location,
    status,
    decided,
  }: LateScanDto) => (
    <div class="card">
      {purchase ? <Thing of={purchase} /> : <strong>{code}</strong>}
      <p class="hint">
        {t('review.scanned', { at: instant(device_scanned_at), by: scanned_by.name })} {location?.path}
      </p>
      {status === 'waiting' && isOpen && (
        <div class="actions">
          <button type="button" class="primary" disabled={isBusy} onClick={() => void run('accept', late)}>
            {t('review.accept')}
          </button>
          <button type="button" disabled={isBusy} onClick={() => void run('refuse', late)}>
            {t('review.refuse')}
          </button>
        </div>
      )}
      {status !== 'waiting' && (
        <p>
          <Tag tone={status === 'accepted' ? 'good' : 'plain'}>
            {t(status === 'accepted' ? 'review.outcome.accepted' : 'review.outcome.refused')}
          </Tag>{' '}
          {decided && (
            <span class="hint">
              {decided.by.name}, {instant(decided.at)}
            </span>
          )}
        </p>
      )}
    </div>
  );
  return (
    <>
      <Problem error={error} />
      <List
        label={t('review.late')}
        empty={t('review.empty')}
        on={[id, isAll]}
        renewed={times}
        load={(cursor) =>
          unwrap(
            api.GET('/api/v1/inventories/{id}/late-scans', {
              params: { path: { id }, query: { cursor, per_page: 50, ...(!isAll && { status: 'waiting' }) } },
            }),
          )
        }
        row={row}
      />
    </>
  );
}
