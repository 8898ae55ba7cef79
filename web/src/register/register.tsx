import { unwrap } from '@recense/client';
import type { paths, PurchaseDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { AS_FILE, api } from '../shared/api.js';
import { download } from '../shared/download.js';
import { orKept } from '../shared/load.js';
import { href, query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Problem, Select, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Screen } from '../shared/ui/screen.js';
import { Search } from '../shared/ui/search.js';
import { State } from './facts.js';
import { Filters, filtersOf } from './filters.js';
import './register.css';

type Query = NonNullable<paths['/api/v1/purchases']['get']['parameters']['query']>;

const SHOWN = 50;
/** As many as an address takes. */
const CHOSEN = 500;

/** What the organisation has: looked for, chosen for labels, saved as a file. */
export function Register() {
  const [chosen, setChosen] = useState<number[]>([]);
  const wanted = { ...filtersOf(query.value), ...sorted() } as Query;
  const address = new URLSearchParams(filtersOf(query.value)).toString();
  const save = useAction((format: 'csv' | 'xlsx') => {
    const params = { query: { ...wanted, format } };
    return download(api.GET('/api/v1/purchases', { params, ...AS_FILE }), `purchases.${format}`);
  });
  const choose = (id: number, on: boolean): void =>
    setChosen((before) => (on ? [...before, id].slice(0, CHOSEN) : before.filter((one) => one !== id)));
  const labels = chosen.length > 0 ? `ids=${chosen.join()}` : address;
  return (
    <Screen
      title={t('register')}
      actions={
        can('purchases.create') && (
          <a class="button primary" href={href('/register/new')}>
            {t('register.new')}
          </a>
        )
      }
    >
      <Search hint={t('register.hint')} />
      <Filters />
      <Select
        label={t('register.sort')}
        value={query.value.get('sort') ?? ''}
        options={[
          ['', t('register.sort.oldest')],
          ['-created_at', t('register.sort.newest')],
          ['code', t('register.sort.code')],
          ['-purchase_date', t('register.sort.date')],
          ['-purchase_price', t('register.sort.price')],
        ]}
        onChange={(sort) => setQuery({ sort: sort || undefined })}
      />
      <div class="actions register-actions">
        {(['csv', 'xlsx'] as const).map((format) => (
          <button key={format} type="button" disabled={save.isBusy} onClick={() => void save.run(format)}>
            {t(`register.${format}`)}
          </button>
        ))}
        <a class="button" href={href(`/labels${labels && `?${labels}`}`)}>
          {chosen.length > 0 ? t('register.labels.chosen', { count: chosen.length }) : t('register.labels')}
        </a>
      </div>
      <Problem error={save.error} />
      <List
        load={(cursor) => read(wanted, cursor)}
        on={[JSON.stringify(wanted)]}
        empty={t('register.none')}
        label={t('register')}
        row={(purchase: PurchaseDto) => (
          <Row purchase={purchase} isChosen={chosen.includes(purchase.id)} onChoose={choose} />
        )}
      />
    </Screen>
  );
}

const sorted = () => {
  const sort = query.value.get('sort');
  return sort ? { sort } : {};
};

const read = (wanted: Query, cursor: string) => {
  const call = () =>
    unwrap(api.GET('/api/v1/purchases', { params: { query: { ...wanted, cursor, per_page: SHOWN } } }));
  return cursor === '' ? orKept(`register:${JSON.stringify(wanted)}`, call) : call();
};

interface RowProps {
  purchase: PurchaseDto;
  isChosen: boolean;
  onChoose: (id: number, on: boolean) => void;
}

const Row = ({ purchase, isChosen, onChoose }: RowProps) => (
  <div class="card thing">
    <label class="check">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(purchase.id, event.currentTarget.checked)}
      />
      <span class="unseen">{t('register.choose', { code: purchase.code })}</span>
    </label>
    <div>
      <a href={href(`/register/${purchase.id}`)}>
        <strong>{purchase.code}</strong> {purchase.article.name}
      </a>
      <p>{purchase.location?.path ?? t('register.nowhere')}</p>
    </div>
    <State purchase={purchase} />
  </div>
);
