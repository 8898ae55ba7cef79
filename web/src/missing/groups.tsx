import { unwrap } from '@recense/client';
import type { ProgressGroupDto } from '@recense/client';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { orKept, useLoad, useReturn } from '../shared/load.js';
import { readPlaces } from '../shared/places.js';
import { setQuery } from '../shared/router.js';
import { count, t } from '../shared/texts.js';
import { Shown } from '../shared/ui/parts.js';
import { groupsInPack } from './offline.js';
import type { Grouping } from './offline.js';

interface GroupsProps {
  id: number;
  by: Grouping;
  /** The place that was opened, or the category. */
  group: number | null;
  isOnline: boolean;
}

interface Found {
  /** The place that these lie in; null for all there are. */
  inside: number | null;
  /** The places around it and itself, the outermost first. */
  trail: { id: number; name: string }[];
  groups: ProgressGroupDto[];
}

const choose = (group: number | null): void => setQuery({ group: group?.toString() });

/** Where something is missing, with how much: a place is opened for those within it, a category chosen. */
export function Groups({ id, by, group, isOnline }: GroupsProps) {
  const [isOpen, setOpen] = useState(group !== null);
  const inside = by === 'location' ? group : null;
  const found = useLoad(() => find(id, by, inside), [id, by, inside, isOnline]);
  useReturn(found.reload);
  const trail = useRef<HTMLUListElement>(null);
  const shown = useRef(inside);
  useLayoutEffect(() => {
    if (!found.data || shown.current === found.data.inside) return;
    shown.current = found.data.inside;
    // The button that had the focus went with the places around.
    if (!document.activeElement?.matches('input'))
      trail.current?.querySelector<HTMLElement>('[aria-pressed=true]')?.focus();
  }, [found.data]);
  return (
    <Shown of={found}>
      {({ inside, trail: around, groups }) => {
        const left = groups.reduce((sum, one) => sum + leftOf(one), 0);
        if (left === 0 && inside === null) return null;
        return (
          <details class="groups" open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
            <summary>{count(`missing.groups.${by}`, left)}</summary>
            <ul ref={trail} aria-label={t('missing.trail')}>
              <Choice name={t('missing.all')} isChosen={group === null} onChoose={() => choose(null)} />
              {around.map((place) => (
                <Choice
                  key={place.id}
                  name={place.name}
                  isChosen={group === place.id}
                  onChoose={() => choose(place.id)}
                />
              ))}
            </ul>
            <ul class="groups-inside" aria-label={t(`missing.by.${by}`)}>
              {groups.filter(hasMissing).map((one) => {
                const key = one.key === null ? null : Number(one.key);
                return key === null || key === inside ? (
                  <li key={key} class="groups-rest">
                    {t(key === null ? `missing.without.${by}` : 'missing.here')} <Left of={one} />
                  </li>
                ) : (
                  <Choice
                    key={key}
                    name={one.name ?? ''}
                    of={one}
                    isChosen={group === key}
                    onChoose={() => choose(key)}
                  />
                );
              })}
            </ul>
          </details>
        );
      }}
    </Shown>
  );
}

interface ChoiceProps {
  name: string;
  of?: ProgressGroupDto;
  isChosen: boolean;
  onChoose: () => void;
}

const Choice = ({ name, of, isChosen, onChoose }: ChoiceProps) => (
  <li>
    <button type="button" aria-pressed={isChosen} onClick={onChoose}>
      {name} {of && <Left of={of} />}
    </button>
  </li>
);

const Left = ({ of }: { of: ProgressGroupDto }) => (
  <span class="numeric">{t('missing.of', { left: leftOf(of), total: of.total ?? 0 })}</span>
);

const leftOf = ({ scanned, total }: ProgressGroupDto): number => (total ?? 0) - scanned;
const hasMissing = (one: ProgressGroupDto): boolean => leftOf(one) > 0;

async function find(session: number, by: Grouping, inside: number | null): Promise<Found> {
  const groups = await readGroups(session, by, inside);
  if (inside === null) return { inside, trail: [], groups };
  const places = await readPlaces().catch(() => undefined); // who may not see them all still sees this one
  const name = groups.find(({ key }) => key === inside)?.name ?? t('missing.opened');
  return { inside, trail: places?.around(inside) ?? [{ id: inside, name }], groups };
}

async function readGroups(session: number, by: Grouping, inside: number | null): Promise<ProgressGroupDto[]> {
  const query = { by, ...(inside !== null && { location_id: inside }) };
  const params = { path: { id: session }, query };
  return orKept<ProgressGroupDto[]>(
    `missing ${session} by ${by} in ${inside}`,
    async () => (await unwrap(api.GET('/api/v1/inventories/{id}/progress', { params }))).data,
    async () => (await groupsInPack(session, by, inside)) ?? undefined,
  );
}
