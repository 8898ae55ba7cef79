import { unwrap } from '@recense/client';
import type { MisplacedDto } from '@recense/client';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Tag } from '../shared/ui/parts.js';
import type { FindingsProps } from './findings.js';
import { Thing } from './thing.js';

export function MisplacedThings({ id, isAll, times, isOpen, decide }: FindingsProps) {
  const { run, isBusy, error } = useAction(async (how: 'move' | 'ignore', purchase: number) => {
    const params = { path: { id, purchase_id: purchase } };
    await (how === 'move'
      ? decide(
          () => unwrap(api.POST('/api/v1/inventories/{id}/misplaced/{purchase_id}/move', { params })),
          t('review.outcome.moved'),
        )
      : decide(
          () => unwrap(api.POST('/api/v1/inventories/{id}/misplaced/{purchase_id}/ignore', { params })),
          t('review.outcome.ignored'),
        ));
  });
  const row = ({ purchase, expected, found, at, by, resolved }: MisplacedDto) => (
    <div class="card">
      <Thing of={purchase} />
      <p>{t('review.found', { found: found.path, expected: expected.path })}</p>
      <p class="hint">{t('review.scanned', { at: instant(at), by: by.name })}</p>
      {resolved && (
        <p>
          <Tag tone="good">
            {t(resolved.how === 'moved' ? 'review.outcome.moved' : 'review.outcome.ignored')}
          </Tag>{' '}
          <span class="hint">
            {resolved.by.name}, {instant(resolved.at)}
          </span>
        </p>
      )}
      {!resolved && isOpen && (
        <div class="actions">
          <button
            type="button"
            class="primary"
            disabled={isBusy}
            onClick={() => void run('move', purchase.id)}
          >
            {t('review.move')}
          </button>
          <button type="button" disabled={isBusy} onClick={() => void run('ignore', purchase.id)}>
            {t('review.ignore')}
          </button>
        </div>
      )}
    </div>
  );
  return (
    <>
      <Problem error={error} />
      <List
        label={t('review.misplaced')}
        empty={t('review.empty')}
        on={[id, isAll]}
        renewed={times}
        load={(cursor) =>
          unwrap(
            api.GET('/api/v1/inventories/{id}/misplaced', {
              params: { path: { id }, query: { cursor, per_page: 50, ...(!isAll && { resolved: false }) } },
            }),
          )
        }
        row={row}
      />
    </>
  );
}
