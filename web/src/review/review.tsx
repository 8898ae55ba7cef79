import type { FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { unwrap } from '@recense/client';
import type { PageProps } from '../shared/router.js';
import { api, isProblem } from '../shared/api.js';
import { number, sessionName } from '../shared/format.js';
import { useLoad, useReturn } from '../shared/load.js';
import { href, query, setQuery } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Problem } from '../shared/ui/form.js';
import { Notice, Shown } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import type { Decide, FindingsProps } from './findings.js';
import { Late } from './late.js';
import { takeSaid } from './link-new.js';
import type { Said } from './link-new.js';
import { MisplacedThings } from './misplaced.js';
import { Unexpected } from './unexpected.js';
import { UnknownCodes } from './unknown-codes.js';

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
  const [said, setSaid] = useState<Said>(takeSaid);
  const params = { path: { id } };
  const session = useLoad(() => unwrap(api.GET('/api/v1/inventories/{id}', { params })), [id, times]);
  const decide: Decide = async (decision, done) => {
    setSaid({});
    try {
      await decision();
      setSaid({ done });
    } catch (refused) {
      const isPast = isProblem(refused) && [404, 409].includes(refused.problem.status);
      if (!isPast) throw refused;
      setSaid({ refused });
    }
    setTimes((before) => before + 1);
  };
  const findings = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (times > 0) findings.current?.focus({ preventScroll: true }); // the button that had it is gone
  }, [times]);
  const counts = useLoad(() => countAll(id), [id, times]);
  useReturn(() => {
    session.reload();
    counts.reload();
  });
  // Without the one nothing can be decided, without the other it is not said how much is left.
  const failed = [session, counts].find(({ error }) => error !== undefined);
  const List = PARTS[part];
  return (
    <Screen
      title={t('review')}
      back={{
        href: href(`/sessions/${id}`),
        label: session.data ? sessionName(session.data) : t('session.back'),
      }}
    >
      {failed && <Shown<unknown> of={failed}>{() => null}</Shown>}
      {session.data?.status === 'closed' && <Notice tone="attention">{t('review.closed')}</Notice>}
      <div class="choice" role="group" aria-label={t('review')}>
        {NAMES.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={part === one}
            onClick={() => {
              setSaid({});
              setQuery({ part: one });
            }}
          >
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
      <div role="status">{said.done && <p>{said.done}</p>}</div>
      <Problem error={said.refused} />
      <div ref={findings} tabIndex={-1} role="region" aria-label={t(`review.${part}`)}>
        <List
          key={part}
          id={id}
          isAll={isAll}
          times={times}
          isOpen={session.data?.status === 'open'}
          decide={decide}
        />
      </div>
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
