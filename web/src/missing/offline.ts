import { readPlaces } from '../shared/places.js';
import { database } from '../shared/store.js';
import type { Row } from './missing.js';

/** More nobody reads on a phone. */
const SHOWN = 200;

/** What is missing by the pack that the phone has; null where it has none. */
export async function missingInPack(
  session: number,
  search: string,
  by: 'location' | 'category',
  group: number | null,
): Promise<Row[] | null> {
  try {
    const db = await database();
    if (!(await db.get('packs', session))) return null;
    const places = await readPlaces().catch(() => undefined);
    const wanted = search.trim().toLocaleLowerCase();
    const rows: Row[] = [];
    for (const thing of await db.getAllFromIndex('things', 'session_id', session)) {
      const { id, code, aliases, article, category, location_id, expected, scanned_at } = thing;
      if (!expected || scanned_at !== null || rows.length === SHOWN) continue;
      const texts = [code, ...aliases, article.name].join(' ').toLocaleLowerCase();
      if (!texts.includes(wanted)) continue;
      const isIn =
        group === null ||
        (by === 'category'
          ? category?.id === group
          : location_id !== null && (places?.contains(group, location_id) ?? false));
      if (isIn) rows.push({ id, code, article, location: places?.get(location_id) ?? null });
    }
    return rows;
  } catch {
    return null;
  }
}
