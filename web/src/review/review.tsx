import type { FunctionComponent } from 'preact';
import { useState } from 'preact/hooks';
import { unwrap } from '@recense/client';
import type { PageProps } from '../shared/router.js';
import { api } from '../shared/api.js';
import { number } from '../shared/format.js';
import { useLoad } from '../shared/load.js';
import { href, query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Screen } from '../shared/ui/screen.js';
import { Late } from './late.js';
import { MisplacedThings } from './misplaced.js';
import { Unexpected } from './unexpected.js';
import { UnknownCodes } from './unknown-codes.js';

/** What a list of findings is told: of which session, whether all, and what to do when something was decided. */
export interface FindingsProps {
  id: number;
  isAll: boolean;
  /** Counts the decisions, after each of which lists are read anew. */
  times: number;
  onDecided: () => void;
}

const PARTS = {
  unknown: UnknownCodes,
  misplaced: MisplacedThings,
  unexpected: Unexpected,
  late: Late,
} satisfies Record<string, FunctionComponent<FindingsProps>>;
type Part = keyof typeof PARTS;
const NAMES = Object.keys(PARTS) as Part[];

/** What somebody has to decide on before an inventory is closed, and after. */
export function Review({ id }: PageProps) {
  const asked = query.value.get('part') as Part;
  const part = NAMES.includes(asked) ? asked : 'unknown';
  const [isAll, setAll] = useState(false);
  const [times, setTimes] = useState(0);
  const counts = useLoad(() => countAll(id), [id, times]);
  const List = PARTS[part];
  return (
    <Screen title={t('review')} back={{ href: href(`/sessions/${id}`), label: t('session.back') }}>
      <div class="choice" role="group" aria-label={t('review')}>
        {NAMES.map((one) => (
          <button key={one} type="button" aria-pressed={part === one} onClick={() => setQuery({ part: one })}>
            {t(`review.${one}`)} {counts.data && <span class="numeric">{number(counts.data[one])}</span>}
          </button>
        ))}
      </div>
      {part !== 'unexpected' && (
        <label class="check">
          <input type="checkbox" checked={!isAll} onChange={() => setAll(!isAll)} />
          {t('review.only-open')}
        </label>
      )}
      <List key={part} id={id} isAll={isAll} times={times} onDecided={() => setTimes(times + 1)} />
    </Screen>
  );
}

/** How many of each wait for a decision. */
async function countAll(id: number): Promise<Record<Part, number>> {
  const path = { id };
  const [unknown, misplaced, unexpected, late] = await Promise.all([
    unwrap(
      api.GET('/api/v1/inventories/{id}/unknown-codes', {
        params: { path, query: { per_page: 1, status: 'open' } },
      }),
    ),
    unwrap(
      api.GET('/api/v1/inventories/{id}/misplaced', {
        params: { path, query: { per_page: 1, resolved: false } },
      }),
    ),
    unwrap(api.GET('/api/v1/inventories/{id}/unexpected', { params: { path, query: { per_page: 1 } } })),
    unwrap(
      api.GET('/api/v1/inventories/{id}/late-scans', {
        params: { path, query: { per_page: 1, status: 'waiting' } },
      }),
    ),
  ]);
  const totalOf = ({ meta }: { meta: { total?: number } }): number => meta.total ?? 0;
  return {
    unknown: totalOf(unknown),
    misplaced: totalOf(misplaced),
    unexpected: totalOf(unexpected),
    late: totalOf(late),
  };
}
