import { unwrap } from '@recense/client';
import type { ProgressGroupDto } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../shared/router.js';
import { api, isOnline } from '../shared/api.js';
import { number } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { href, query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { TextInput } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Empty, Shown } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { groupsInPack, keepForOffline, missingInPack } from './offline.js';
import type { Row } from './offline.js';
import './missing.css';

const GROUPINGS = ['location', 'category'] as const;
type Grouping = (typeof GROUPINGS)[number];

/** What an inventory has not found yet: by place and category, and by name. */
export function Missing({ id }: PageProps) {
  const by: Grouping = query.value.get('by') === 'category' ? 'category' : 'location';
  const group = query.value.get('group');
  const [search, setSearch] = useState('');
  useEffect(() => {
    // It is only for later, when there may be no network.
    unwrap(api.GET('/api/v1/inventories/{id}', { params: { path: { id } } }))
      .then(keepForOffline)
      .catch(() => undefined);
  }, [id]);
  const groups = useLoad(async () => {
    try {
      return await orKept(`missing ${id} by ${by}`, () => readGroups(id, by));
    } catch (error) {
      const known = await groupsInPack(id, by);
      if (!known) throw error;
      return known;
    }
  }, [id, by, isOnline.value]);
  const filter = group === null ? {} : { [`${by}_id`]: Number(group) };
  const load = async (cursor: string) => {
    const params = {
      path: { id },
      query: { cursor, per_page: 50, ...(search.trim() && { search: search.trim() }), ...filter },
    };
    const kept = `missing ${id} ${JSON.stringify(params.query)}`;
    try {
      return await orKept(kept, () => unwrap(api.GET('/api/v1/inventories/{id}/unscanned', { params })));
    } catch (error) {
      const rows = await missingInPack(id, search, by, group === null ? null : Number(group));
      if (!rows) throw error;
      return { data: rows, meta: { next_cursor: null } };
    }
  };
  return (
    <Screen title={t('missing')} back={{ href: href(`/sessions/${id}`), label: t('session.back') }}>
      <TextInput label={t('search')} type="search" value={search} onInput={setSearch} />
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
      <Shown of={groups}>{(data) => <Groups groups={data} chosen={group} by={by} />}</Shown>
      <List
        label={t('missing')}
        empty={t('missing.none')}
        on={[id, by, group, search, isOnline.value]}
        load={load}
        row={card}
      />
    </Screen>
  );
}

/** Those in which something is missing. */
async function readGroups(id: number, by: Grouping): Promise<ProgressGroupDto[]> {
  const query = { by, ...(by === 'location' && { depth: 1 }) };
  const params = { path: { id }, query };
  const { data } = await unwrap(api.GET('/api/v1/inventories/{id}/progress', { params }));
  return data.filter(({ scanned, total }) => (total ?? 0) > scanned);
}

const card = ({ id, code, article, location, serial_number: serial }: Row) => (
  <a class="card thing" href={href(`/register/${id}`)}>
    <strong>{code}</strong> <span>{article.name}</span>
    <span class="hint">{[location?.path, serial].filter(Boolean).join(' · ')}</span>
  </a>
);

function Groups({ groups, chosen, by }: { groups: ProgressGroupDto[]; chosen: string | null; by: Grouping }) {
  const left = groups.reduce((sum, { scanned, total }) => sum + (total ?? 0) - scanned, 0);
  if (left === 0) return <Empty>{t('missing.none')}</Empty>;
  return (
    <details class="groups" open={chosen !== null}>
      <summary>{t(`missing.groups.${by}`, { count: left })}</summary>
      <ul>
        <li>
          <button type="button" aria-pressed={chosen === null} onClick={() => setQuery({ group: undefined })}>
            {t('missing.all')} <span class="numeric">{number(left)}</span>
          </button>
        </li>
        {groups
          .filter(({ key }) => key !== null)
          .map(({ key, name, scanned, total }) => (
            <li key={String(key)}>
              <button
                type="button"
                aria-pressed={chosen === String(key)}
                onClick={() => setQuery({ group: String(key) })}
              >
                {name} <span class="numeric">{number((total ?? 0) - scanned)}</span>
              </button>
            </li>
          ))}
      </ul>
    </details>
  );
}
