import { unwrap } from '@recense/client';
import type { InventoryDto } from '@recense/client';
import { can } from '../shared/account.js';
import { api } from '../shared/api.js';
import { day, instant, sessionName } from '../shared/format.js';
import { orKept, useLoad, useReturn } from '../shared/load.js';
import { href } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Empty, Progress, Shown, Tag } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { AsOf } from './as-of.js';

/** Of those that are open, and of those that are closed: more are nobody's business on a phone. */
const SHOWN = 200;

export function Sessions() {
  const sessions = useLoad(() => orKept('sessions', openFirst), []);
  useReturn(sessions.reload);
  return (
    <Screen
      title={t('sessions')}
      actions={
        can('inventories.create') && (
          <a class="button" href={href('/sessions/new')}>
            {t('open')}
          </a>
        )
      }
    >
      <AsOf shown={[sessions]} onAgain={sessions.reload} />
      <Shown of={sessions}>
        {({ data }) =>
          data.length === 0 ? <Empty>{t('sessions.none')}</Empty> : <ul class="list">{data.map(card)}</ul>
        }
      </Shown>
    </Screen>
  );
}

/** The newest first, of either. */
async function openFirst(): Promise<{ data: InventoryDto[] }> {
  const read = async (status: 'open' | 'closed') => {
    const query = { status, per_page: SHOWN, sort: '-id' } as const;
    return (await unwrap(api.GET('/api/v1/inventories', { params: { query } }))).data as InventoryDto[];
  };
  const [open, closed] = await Promise.all([read('open'), read('closed')]);
  const ids = new Set(open.map(({ id }) => id));
  return { data: [...open, ...closed.filter(({ id }) => !ids.has(id))] }; // one may have been closed meanwhile
}

const card = (session: InventoryDto) => (
  <li key={session.id} class="card">
    <h2 id={`session-${session.id}`}>
      <a href={href(`/sessions/${session.id}`)}>{sessionName(session)}</a>
    </h2>
    <p>
      <Tag tone={session.status === 'open' ? 'good' : 'plain'}>{t(`session.${session.status}`)}</Tag>{' '}
      {session.status === 'open' ? day(session.inventory_date) : instant(session.closed_at)}
    </p>
    <Progress {...session.progress} />
    {session.status === 'open' && (
      <p class="actions">
        {can('inventories.scan') && (
          <a
            class="button primary"
            href={href(`/scan/${session.id}`)}
            aria-describedby={`session-${session.id}`}
          >
            {t('session.scan')}
          </a>
        )}
        <a class="button" href={href(`/missing/${session.id}`)} aria-describedby={`session-${session.id}`}>
          {t('session.missing')}
        </a>
      </p>
    )}
  </li>
);
