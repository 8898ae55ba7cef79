import type { InventoryDto, ProgressGroupDto, PurchaseDto } from '@recense/client';
import { Pack } from '../shared/pack.js';
import { readPlaces } from '../shared/places.js';
import type { Places } from '../shared/places.js';
import { database } from '../shared/store.js';
import type { Thing } from '../shared/store.js';

/** More nobody reads on a phone. */
const SHOWN = 200;
/** Of a larger inventory only who scans keeps all that there is. */
const KEPT = 50_000;

/** Of the list, or of the pack, which knows less. */
export type Row = Pick<PurchaseDto, 'id' | 'code'> & {
  article: { name: string };
  location?: { path: string } | null;
  serial_number?: string | null;
};

type Grouping = 'location' | 'category';

/** What is missing is looked for in cellars: whoever has opened the page searches there without a network. */
export async function keepForOffline({ id, status, progress }: InventoryDto): Promise<void> {
  if (status === 'closed' || progress.total > KEPT || !navigator.onLine) return;
  const pack = new Pack(id);
  await pack.restore();
  await pack.renew(() => undefined, new AbortController().signal);
  await readPlaces();
}

/** What is missing by the pack that the phone has; null where it has none. */
export async function missingInPack(
  session: number,
  search: string,
  by: Grouping,
  group: number | null,
): Promise<Row[] | null> {
  const kept = await readPack(session);
  if (!kept) return null;
  const { things, places } = kept;
  const wanted = fold(search.trim());
  const rows: Row[] = [];
  for (const { id, code, aliases, article, category, location_id } of things) {
    if (rows.length === SHOWN) break;
    if (!fold([code, ...aliases, article.name].join(' ')).includes(wanted)) continue;
    const isIn =
      group === null ||
      (by === 'category'
        ? category?.id === group
        : location_id !== null && (places?.contains(group, location_id) ?? false));
    if (isIn) rows.push({ id, code, article, location: places?.get(location_id) ?? null });
  }
  return rows;
}

/** As the service groups them; null where there is no pack. */
export async function groupsInPack(session: number, by: Grouping): Promise<ProgressGroupDto[] | null> {
  const kept = await readPack(session);
  if (!kept) return null;
  const groups = new Map<number | null, ProgressGroupDto>();
  for (const { category, location_id } of kept.things) {
    const of = by === 'category' ? category : kept.places?.above(location_id, 1);
    const key = of?.id ?? null;
    const total = (groups.get(key)?.total ?? 0) + 1;
    groups.set(key, { key, name: of?.name ?? null, scanned: 0, total, percentage: 0 });
  }
  return [...groups.values()];
}

async function readPack(session: number): Promise<{ things: Thing[]; places: Places | undefined } | null> {
  try {
    const db = await database();
    if (!(await db.get('packs', session))) return null;
    const places = await readPlaces().catch(() => undefined);
    const things = await db.getAllFromIndex('things', 'session_id', session);
    return { things: things.filter(({ expected, scanned_at }) => expected && scanned_at === null), places };
  } catch {
    return null;
  }
}

/** Accents and case make no difference, as in the service. */
const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
