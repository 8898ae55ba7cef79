import { unwrap } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../shared/router.js';
import { api, isOnline } from '../shared/api.js';
import { sessionName } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { href, query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { List } from '../shared/ui/list.js';
import { Screen } from '../shared/ui/screen.js';
import { Search } from '../shared/ui/search.js';
import { Groups } from './groups.js';
import { SHOWN, keepForOffline, missingInPack } from './offline.js';
import type { Grouping, Row } from './offline.js';
import './missing.css';

interface Page {
  data: Row[];
  meta: { next_cursor?: string | null };
  /** Of the pack: not all of it is shown. */
  isCut?: boolean;
}

const GROUPINGS: Grouping[] = ['location', 'category'];

/** What an inventory has not found yet: by place and category, and by name. */
export function Missing({ id }: PageProps) {
  const by: Grouping = query.value.get('by') === 'category' ? 'category' : 'location';
  const group = Number(query.value.get('group')) || null;
  const search = query.value.get('search') ?? '';
  const { data: session } = useLoad(
    () =>
      orKept(`session ${id}`, () =>
        unwrap(api.GET('/api/v1/inventories/{id}', { params: { path: { id } } })),
      ),
    [id],
  );
  useEffect(() => {
    const ending = new AbortController();
    // It is only for later, when there may be no network.
    if (session) keepForOffline(session, ending.signal).catch(() => undefined);
    return () => ending.abort();
  }, [session]);
  const on = [id, by, group, search, isOnline.value];
  const list = JSON.stringify(on);
  /** The list of which not all is shown. */
  const [cut, setCut] = useState<string>();
  const filter = group === null ? {} : { [`${by}_id`]: group };
  const load = async (cursor: string) => {
    const params = {
      path: { id },
      query: { cursor, per_page: 50, ...(search && { search }), ...filter },
    };
    const kept = `missing ${id} ${JSON.stringify(params.query)}`;
    const page = await orKept<Page>(
      kept,
      () => unwrap(api.GET('/api/v1/inventories/{id}/unscanned', { params })),
      async () => {
        const found = cursor === '' ? await missingInPack(id, search, by, group) : null; // it has no pages
        return found ? { data: found.rows, meta: {}, isCut: found.isCut } : undefined;
      },
    );
    setCut((before) => (page.isCut ? list : before === list ? undefined : before));
    return page;
  };
  return (
    <Screen
      title={t('missing')}
      back={{ href: href(`/sessions/${id}`), label: session ? sessionName(session) : t('session.back') }}
    >
      <Search />
      <div class="choice" role="group" aria-label={t('missing.by')}>
        {GROUPINGS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={by === one}
            onClick={() => setQuery({ by: one, group: undefined })}
          >
            {t(`missing.by.${one}`)}
          </button>
        ))}
      </div>
      <Groups key={by} id={id} by={by} group={group} isOnline={isOnline.value} />
      <List label={t('missing')} empty={t('missing.none')} on={on} load={load} row={card} />
      {cut === list && <p class="hint">{t('missing.more', { count: SHOWN })}</p>}
    </Screen>
  );
}

const card = ({ id, code, article, location, serial_number: serial }: Row) => (
  <a class="card thing" href={href(`/register/${id}`)}>
    <strong>{code}</strong> <span>{article.name}</span>
    <span class="hint">{[location?.path, serial].filter(Boolean).join(' · ')}</span>
  </a>
);
