import type { ComponentChildren } from 'preact';
import type { Loaded } from '../load.js';
import { number, percent } from '../format.js';
import { t } from '../texts.js';
import { Problem } from './form.js';

/** One colour for each outcome, with a shape and a word beside it. */
export type Tone = 'good' | 'attention' | 'bad' | 'plain';
const SHAPES: Record<Tone, string> = { good: '✓', attention: '▲', bad: '✕', plain: '●' };

export const Shape = ({ tone }: { tone: Tone }) => (
  <span class={`shape shape-${tone}`} aria-hidden="true">
    {SHAPES[tone]}
  </span>
);

export const Tag = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <span class={`tag tag-${tone}`}>
    <Shape tone={tone} /> {children}
  </span>
);

export const Notice = ({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) => (
  <div class={`notice notice-${tone === 'bad' ? 'error' : tone}`} role="status">
    {children}
  </div>
);

/** How much of a session has been found. */
export function Progress({
  scanned,
  total,
  percentage,
}: {
  scanned: number;
  total: number;
  percentage: number;
}) {
  const text = `${number(scanned)} / ${number(total)} (${percent(percentage)})`;
  return (
    <div class="progress">
      <progress max={Math.max(total, 1)} value={scanned} aria-label={t('progress')} />
      <span>{text}</span>
    </div>
  );
}

/** What was loaded, or that it is being loaded, or why it could not be. */
export function Shown<Data>({
  of,
  children,
}: {
  of: Loaded<Data>;
  children: (data: Data) => ComponentChildren;
}) {
  const { data, error, isLoading, reload } = of;
  return (
    <>
      {error !== undefined && (
        <>
          <Problem error={error} />
          <button type="button" onClick={reload}>
            {t('again')}
          </button>
        </>
      )}
      {isLoading && data === undefined && <p role="status">{t('loading')}</p>}
      {data !== undefined && children(data)}
    </>
  );
}

export const Empty = ({ children }: { children: ComponentChildren }) => <p class="empty">{children}</p>;
