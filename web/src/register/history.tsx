import { unwrap } from '@recense/client';
import type { HistoryEntryDto } from '@recense/client';
import { api } from '../shared/api.js';
import { day, instant } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { List } from '../shared/ui/list.js';
import { REASONS, word } from './facts.js';

const KINDS = [
  'created',
  'changed',
  'moved',
  'disposed',
  'disposal_undone',
  'deleted',
  'restored',
  'attached',
  'attachment_changed',
  'detached',
  'scanned',
  'scan_undone',
  'scanned_late',
];
const FIELDS: Record<string, TextKey> = {
  code: 'thing.code',
  article_id: 'thing.article',
  location_id: 'thing.place',
  supplier_id: 'thing.supplier',
  purchase_date: 'thing.bought',
  purchase_price: 'thing.price',
  in_service_date: 'thing.in-service',
  warranty_end_date: 'thing.warranty',
  serial_number: 'thing.serial',
  assigned_to: 'thing.assigned',
  assigned_tier_id: 'thing.assigned',
  notes: 'thing.notes',
  disposed_on: 'dispose.day',
  disposal_reason: 'dispose.reason',
  disposal_proceeds: 'dispose.proceeds',
  disposal_note: 'dispose.note',
  name: 'attachments.name',
};
const CONDITIONS = ['good', 'damaged', 'unusable'];

const read = async (id: number, cursor: string, size: number, kind?: 'scanned') => {
  const query = { cursor, per_page: size, ...(kind && { kind }) };
  const page = await unwrap(api.GET('/api/v1/purchases/{id}/history', { params: { path: { id }, query } }));
  return page as { data: HistoryEntryDto[]; meta: { next_cursor: string | null } };
};
const READ = 20;

const readFirst = (id: number) => orKept(`history:${id}`, () => read(id, '', READ));

/** The last time that somebody scanned it, however long ago and in whichever session. */
export function LastSeen({ id }: { id: number }) {
  const { data } = useLoad(() => orKept(`seen:${id}`, () => read(id, '', 1, 'scanned')), [id]);
  if (!data) return null;
  const [scan] = data.data;
  return (
    <p class="last-seen">
      <strong>{t('thing.seen')}</strong>{' '}
      {scan
        ? [instant(scan.at), scan.user?.name, scan.scan?.location?.path].filter(Boolean).join(' · ')
        : t('thing.seen.never')}
    </p>
  );
}

/** What happened to a thing, the latest first. */
export function History({ id, on }: { id: number; on: string }) {
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <List
        load={(cursor) => (cursor === '' ? readFirst(id) : read(id, cursor, READ))}
        on={[id, on]}
        empty={t('history.none')}
        label={t('history')}
        row={entry}
      />
    </section>
  );
}

const entry = (one: HistoryEntryDto) => (
  <div class="entry">
    <p>
      <strong>{word('history', KINDS, one.kind)}</strong>{' '}
      <span class="hint">{[instant(one.at), one.user?.name].filter(Boolean).join(' · ')}</span>
    </p>
    {details(one).map((line) => (
      <p key={line}>{line}</p>
    ))}
  </div>
);

function details({ move, attachment, inventory, scan, changes, kind }: HistoryEntryDto): string[] {
  const lines: (string | null | undefined)[] = [
    inventory && t('session.year', { year: String(inventory.year) }),
    move && `${move.from?.path ?? '–'} → ${move.to?.path ?? '–'}`,
    attachment?.name,
    scan?.location?.path,
    scan?.condition && word('condition', CONDITIONS, scan.condition),
    scan?.note,
  ];
  if (kind !== 'created')
    for (const [field, change] of Object.entries(changes ?? {})) {
      const { from, to } = change as { from?: unknown; to?: unknown };
      const name = FIELDS[field] ? t(FIELDS[field]) : field;
      lines.push(`${name}: ${said(field, from)} → ${said(field, to)}`);
    }
  return lines.filter((line): line is string => Boolean(line));
}

function said(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'disposal_reason') return word('reason', REASONS, value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : value;
}
