import { unwrap } from '@recense/client';
import type { FieldDto, HistoryEntryDto } from '@recense/client';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { CONDITIONS } from '../shared/store.js';
import { t } from '../shared/texts.js';
import { List } from '../shared/ui/list.js';
import { changesOf } from './changes.js';
import { readFields, word } from './facts.js';

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
  const fields = useLoad(readFields, []).data ?? [];
  return (
    <section class="part" aria-labelledby="history">
      <h2 id="history">{t('history')}</h2>
      <List
        load={(cursor) => (cursor === '' ? readFirst(id) : read(id, cursor, READ))}
        on={[id, on]}
        empty={t('history.none')}
        label={t('history')}
        row={(one) => <Entry one={one} fields={fields} />}
      />
    </section>
  );
}

function Entry({ one, fields }: { one: HistoryEntryDto; fields: FieldDto[] }) {
  return (
    <div class="entry">
      <p>
        <strong>{word('history', KINDS, one.kind)}</strong>{' '}
        <span class="hint">{[instant(one.at), one.user?.name].filter(Boolean).join(' · ')}</span>
      </p>
      {[...details(one), ...changesOf(one, fields)].map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  );
}

function details({ move, attachment, inventory, scan }: HistoryEntryDto): string[] {
  const lines: (string | null | undefined)[] = [
    inventory && t('session.year', { year: String(inventory.year) }),
    move && `${move.from?.path ?? '–'} → ${move.to?.path ?? '–'}`,
    attachment?.name,
    scan?.location?.path,
    scan?.condition && word('condition', CONDITIONS, scan.condition),
    scan?.note,
  ];
  return lines.filter((line): line is string => Boolean(line));
}
