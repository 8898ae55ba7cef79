import type { ProgressGroupDto } from '@recense/client';
import { number, percent } from '../shared/format.js';
import { count, t } from '../shared/texts.js';

/** So many fit on a wall; the others are told in one line. */
const SHOWN = 8;

interface BarsProps {
  title: string;
  groups: ProgressGroupDto[];
  /** What stands for those without a name. */
  none: string;
}

/** What is furthest behind comes first; of people, who has scanned most. */
export function Bars({ title, groups, none }: BarsProps) {
  const most = Math.max(1, ...groups.map(({ scanned }) => scanned));
  const shareOf = ({ scanned, total }: ProgressGroupDto): number =>
    total === null ? scanned / most : scanned / Math.max(1, total);
  const sorted = [...groups].sort((a, b) =>
    a.total === null ? b.scanned - a.scanned : shareOf(a) - shareOf(b) || (b.total ?? 0) - a.total,
  );
  return (
    <section class="bars">
      <h2>{title}</h2>
      {groups.length === 0 && <p class="hint">{t('board.nothing')}</p>}
      <ul>
        {sorted.slice(0, SHOWN).map((group) => (
          <li key={String(group.key)}>
            <span class="bars-name">{group.name ?? none}</span>
            <span class="bars-figure">
              {group.total === null ? number(group.scanned) : percent(group.percentage)}
            </span>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
              <rect class="bars-all" width="100" height="4" rx="1" />
              <rect class="bars-done" width={100 * shareOf(group)} height="4" rx="1" />
            </svg>
          </li>
        ))}
      </ul>
      {sorted.length > SHOWN && <p class="hint">{count('board.more', sorted.length - SHOWN)}</p>}
    </section>
  );
}

/** Scans by the hour, of the last hours in which there were some. */
const HOURS = 24;

export function Hours({ groups }: { groups: ProgressGroupDto[] }) {
  const last = groups.slice(-HOURS);
  const most = Math.max(1, ...last.map(({ scanned }) => scanned));
  const total = last.reduce((sum, { scanned }) => sum + scanned, 0);
  return (
    <svg
      class="hours"
      viewBox={`0 0 ${HOURS * 10} 60`}
      preserveAspectRatio="none"
      role="img"
      aria-label={count('board.hours', total)}
    >
      {last.map(({ key, scanned }, at) => {
        const height = (58 * scanned) / most;
        return <rect key={String(key)} x={at * 10 + 1} y={60 - height} width="8" height={height} />;
      })}
    </svg>
  );
}
