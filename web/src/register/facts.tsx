import { unwrap } from '@recense/client';
import type { FieldDto, PurchaseDto } from '@recense/client';
import type { ComponentChildren } from 'preact';
import { can } from '../shared/account.js';
import { api } from '../shared/api.js';
import { day, money, number } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { href } from '../shared/router.js';
import { t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { Notice, Tag } from '../shared/ui/parts.js';
import { Picture } from './picture.js';

/** Fields of one's own that purchases have; none for who may not see them. */
export const readFields = (): Promise<FieldDto[]> =>
  can('reference.view')
    ? orKept('fields:purchase', async () => {
        const query = { applies_to: 'purchase', per_page: 200 } as const;
        return (await unwrap(api.GET('/api/v1/fields', { params: { query } }))).data;
      })
    : Promise.resolve([]);

/** What the service may say in more words one day is shown as it says it. */
export const word = (prefix: string, known: readonly string[], value: string): string =>
  known.includes(value) ? t(`${prefix}.${value}` as TextKey) : value;

export const REASONS = ['sold', 'scrapped', 'lost', 'stolen', 'donated', 'returned'] as const;

/** Whether it is there, and how long its warranty lasts. */
export function State({ purchase: { disposal, warranty } }: { purchase: PurchaseDto }) {
  if (disposal) return <Tag tone="attention">{word('reason', REASONS, disposal.reason)}</Tag>;
  if (warranty.status === 'active')
    return <Tag tone="good">{t('thing.warranty.until', { day: day(warranty.end_date) })}</Tag>;
  return <Tag>{t('thing.there')}</Tag>;
}

/** What it is called, and what it is. */
type Fact = [name: string, value: ComponentChildren];

/** Those that are known. */
export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** What stands in the register about a thing. */
export function Facts({ purchase }: { purchase: PurchaseDto & { net_book_value: number | null } }) {
  const fields = useLoad(readFields, []);
  const { article, disposal } = purchase;
  const facts: Fact[] = [
    [t('thing.code'), <strong>{purchase.code}</strong>],
    [t('thing.place'), purchase.location?.path],
    [t('thing.reference'), article.reference],
    [t('thing.brand'), article.brand?.name],
    [t('thing.category'), article.category?.name],
    [t('thing.serial'), purchase.serial_number],
    [t('thing.supplier'), purchase.supplier?.name],
    [t('thing.bought'), day(purchase.purchase_date)],
    [t('thing.price'), purchase.purchase_price === null ? null : money(purchase.purchase_price)],
    [t('thing.value'), purchase.net_book_value === null ? null : money(purchase.net_book_value)],
    [t('thing.in-service'), day(purchase.in_service_date)],
    [t('thing.warranty'), purchase.warranty_end_date && day(purchase.warranty_end_date)],
    [t('thing.assigned'), [purchase.assigned_tier?.name, purchase.assigned_to].filter(Boolean).join(' · ')],
    [t('thing.epc'), purchase.epc],
    [t('thing.gs1'), purchase.gs1.join(', ')],
    [t('thing.notes'), purchase.notes],
    ...Object.entries(purchase.fields as Record<string, unknown>).map(([key, value]): Fact => {
      const field = fields.data?.find((one) => one.key === key);
      return [field?.name ?? key, ownValue(value, field)];
    }),
  ];
  return (
    <>
      <p>
        <State purchase={purchase} />
      </p>
      {disposal && (
        <Notice tone="attention">
          {t('thing.disposed', {
            day: day(disposal.date),
            reason: word('reason', REASONS, disposal.reason),
          })}{' '}
          {disposal.proceeds !== null && t('thing.proceeds', { amount: money(disposal.proceeds) })}{' '}
          {disposal.note}
        </Notice>
      )}
      <div class="facts-and-photo">
        {purchase.photo_url && (
          <Picture url={purchase.photo_url} alt={t('thing.photo.of', { name: article.name })} size="1280" />
        )}
        <FactList facts={facts} />
      </div>
      {can('articles.view') && (
        <p>
          <a href={href(`/register?article_id=${article.id}`)}>{t('thing.others')}</a>
        </p>
      )}
    </>
  );
}

export function ownValue(value: unknown, field?: FieldDto): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (typeof value === 'number') return number(value);
  return field?.type === 'date' ? day(String(value)) : String(value);
}
