import { unwrap } from '@recense/client';
import type { UnknownCodeDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { href } from '../shared/router.js';
import { count, t } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Tag } from '../shared/ui/parts.js';
import { Dismiss } from './dismiss.js';
import { LinkTo } from './link.js';
import type { FindingsProps } from './findings.js';

/** Codes that were read and hang on nothing that is known: linked to a thing, entered as a new one, or dismissed. */
export function UnknownCodes({ id, isAll, times, isOpen, decide }: FindingsProps) {
  const [asked, setAsked] = useState<{ what: 'link' | 'dismiss'; code: UnknownCodeDto }>();
  const { run, isBusy, error } = useAction(async (uid: number) => {
    const params = { path: { id, uid } };
    await decide(
      () => unwrap(api.POST('/api/v1/inventories/{id}/unknown-codes/{uid}/reopen', { params })),
      t('review.outcome.reopened'),
    );
  });
  const row = (code: UnknownCodeDto) => (
    <div class="card">
      <p>
        <strong>{code.cleaned}</strong>
      </p>
      <p class="hint">
        {count('review.seen', code.times, { at: instant(code.first_seen.at), by: code.first_seen.by.name })}
        {code.locations.map(({ path }) => ` · ${path}`).join('')}
      </p>
      {code.notes.length > 0 && <p>{code.notes.join(' · ')}</p>}
      {code.deleted_purchase && <p>{t('review.was', { name: code.deleted_purchase.article.name })}</p>}
      {code.status === 'open' && isOpen && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => setAsked({ what: 'link', code })}>
            {t('review.link')}
          </button>
          {can('purchases.create') && (
            <a class="button" href={hrefOfNew(id, code)}>
              {t('review.create')}
            </a>
          )}
          <button type="button" onClick={() => setAsked({ what: 'dismiss', code })}>
            {t('review.dismiss')}
          </button>
        </div>
      )}
      {code.resolution && (
        <p>
          <Tag tone="good">{outcomeOf(code)}</Tag>{' '}
          <span class="hint">
            {code.resolution.by.name}, {instant(code.resolution.at)}
          </span>
        </p>
      )}
      {code.status === 'dismissed' && isOpen && (
        <button type="button" disabled={isBusy} onClick={() => void run(code.id)}>
          {t('review.reopen')}
        </button>
      )}
    </div>
  );
  return (
    <>
      <Problem error={error} />
      <List
        label={t('review.unknown')}
        empty={t('review.empty')}
        on={[id, isAll]}
        renewed={times}
        load={(cursor) =>
          unwrap(
            api.GET('/api/v1/inventories/{id}/unknown-codes', {
              params: { path: { id }, query: { cursor, per_page: 50, ...(!isAll && { status: 'open' }) } },
            }),
          )
        }
        row={row}
      />
      {asked?.what === 'link' && (
        <LinkTo session={id} code={asked.code} decide={decide} onClose={() => setAsked(undefined)} />
      )}
      {asked?.what === 'dismiss' && (
        <Dismiss session={id} code={asked.code} decide={decide} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

/** Where a thing is entered that the code then hangs on. */
const hrefOfNew = (session: number, { id, cleaned }: UnknownCodeDto): string =>
  href(`/register/new?code=${encodeURIComponent(cleaned)}&session=${session}&unknown=${id}`);

const outcomeOf = ({ status, resolution }: UnknownCodeDto): string =>
  status === 'linked'
    ? t('review.outcome.linked', { code: resolution?.purchase?.code ?? '' })
    : t('review.outcome.dismissed', { reason: resolution?.reason ?? '' });
