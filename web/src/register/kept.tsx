import { useLoad } from '../shared/load.js';
import { keptPlaces } from '../shared/places.js';
import { database } from '../shared/store.js';
import { t } from '../shared/texts.js';
import { Notice } from '../shared/ui/parts.js';
import { FactList } from './facts.js';

/** Of a thing that was never looked at with a network: what this device keeps of it for scanning. */
export function Kept({ id }: { id: number }) {
  const kept = useLoad(() => readKept(id), [id]);
  if (!kept.data) return null;
  const { thing, place } = kept.data;
  return (
    <>
      <Notice>{t('thing.kept')}</Notice>
      <FactList
        facts={[
          [t('thing.code'), <strong>{thing.code}</strong>],
          [t('thing.article'), thing.article.name],
          [t('thing.category'), thing.category?.name],
          [t('thing.place'), place?.path],
        ]}
      />
    </>
  );
}

/** By the inventory that was opened last, of those whose things are kept. */
async function readKept(id: number) {
  const db = await database();
  for (const session of (await db.getAllKeys('packs')).reverse()) {
    const thing = await db.get('things', [session, id]);
    if (thing) return { thing, place: (await keptPlaces())?.get(thing.location_id) };
  }
  return null;
}
