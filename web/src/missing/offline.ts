import type { InventoryDto, ProgressGroupDto, PurchaseDto } from '@recense/client';
import { fold } from '../shared/fold.js';
import { Pack } from '../shared/pack.js';
import { readPlaces } from '../shared/places.js';
import type { Places } from '../shared/places.js';
import { database } from '../shared/store.js';
import type { Thing } from '../shared/store.js';

/** More nobody reads on a phone. */
export const SHOWN = 200;
/** Of a larger inventory only who scans keeps all that there is. */
const KEPT = 50_000;

/** Of the list, or of the pack, which knows less. */
export type Row = Pick<PurchaseDto, 'id' | 'code'> & {
  article: { name: string };
  location?: { path: string } | null;
  serial_number?: string | null;
};

/** By what the missing are shown together. */
export type Grouping = 'location' | 'category';

/** What is missing is looked for in cellars: whoever has opened the page searches there without a network. */
export async function keepForOffline(
  { id, status, progress }: InventoryDto,
  signal: AbortSignal,
): Promise<void> {
  if (status === 'closed' || progress.total > KEPT || !navigator.onLine) return;
  await new Pack(id).renew(() => undefined, signal);
  await readPlaces();
}

/** What is missing by the pack that the phone has, cut where that is much; null where it has none. */
export async function missingInPack(
  session: number,
  search: string,
  by: Grouping,
  group: number | null,
): Promise<{ rows: Row[]; isCut: boolean } | null> {
  const kept = await readPack(session);
  if (!kept) return null;
  const { things, places } = kept;
  const wanted = fold(search.trim());
  const rows: Row[] = [];
  for (const { id, code, aliases, article, category, location_id } of things) {
    if (!fold([code, ...aliases, article.name].join(' ')).includes(wanted)) continue;
    const isIn =
      group === null ||
      (by === 'category'
        ? category?.id === group
        : location_id !== null && (places?.contains(group, location_id) ?? false));
    if (!isIn) continue;
    if (rows.length === SHOWN) return { rows, isCut: true };
    rows.push({ id, code, article, location: places?.get(location_id) ?? null });
  }
  return { rows, isCut: false };
}

/** As the service groups them, of a place by those right in it; null where there is no pack. */
export async function groupsInPack(
  session: number,
  by: Grouping,
  inside: number | null,
): Promise<ProgressGroupDto[] | null> {
  const kept = await readPack(session, { andFound: true });
  if (!kept) return null;
  const { things, places } = kept;
  const depth = inside === null ? 0 : (places?.get(inside)?.depth ?? 0) + 1;
  const groups = new Map<number | null, ProgressGroupDto>();
  for (const { category, location_id, scanned_at } of things) {
    if (inside !== null && !(location_id !== null && places?.contains(inside, location_id))) continue;
    const of = by === 'category' ? category : places?.above(location_id, depth);
    const key = of?.id ?? null;
    const { scanned, total } = groups.get(key) ?? { scanned: 0, total: 0 };
    groups.set(key, {
      key,
      name: of?.name ?? null,
      scanned: scanned + Number(scanned_at !== null),
      total: (total ?? 0) + 1,
      percentage: null,
    });
  }
  return [...groups.values()].sort(
    (a, b) => Number(a.key === null) - Number(b.key === null) || compare(a, b),
  );
}

const compare = (a: ProgressGroupDto, b: ProgressGroupDto): number =>
  (a.name ?? '').localeCompare(b.name ?? '');

/** What is expected, without what was found unless that is asked for. */
async function readPack(
  session: number,
  { andFound = false } = {},
): Promise<{ things: Thing[]; places: Places | undefined } | null> {
  try {
    const db = await database();
    if (!(await db.get('packs', session))) return null;
    const places = await readPlaces().catch(() => undefined);
    const things = await db.getAllFromIndex('things', 'session_id', session);
    return {
      things: things.filter(({ expected, scanned_at }) => expected && (andFound || scanned_at === null)),
      places,
    };
  } catch {
    return null;
  }
}
