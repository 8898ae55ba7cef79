import type { InventoryDto } from '@recense/client';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { PageProps } from '../shared/router.js';
import { day, instant, moment, number, percent, sessionName } from '../shared/format.js';
import { href } from '../shared/router.js';
import { recall, remember } from '../shared/store.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { Problem } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import { Bars, Hours } from './bars.js';
import './board.css';
import { forecast } from './forecast.js';
import { Live } from './live.js';

type Theme = 'system' | 'light' | 'dark';
const THEMES: Theme[] = ['system', 'light', 'dark'];

/** For the wall: how far a session is, live. */
export function Board({ id }: PageProps) {
  const live = useMemo(() => new Live(id), [id]);
  const [theme, setTheme] = useState<Theme>('system');
  useEffect(() => {
    live.start();
    void recall<Theme>('board-theme').then((kept) => kept && setTheme(kept));
    return () => live.end();
  }, [live]);
  const choose = async (): Promise<void> => {
    const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
    await remember('board-theme', next); // what is shown stays, also where the page is loaded anew at once
    setTheme(next);
  };
  const session = live.session.value;
  const name = session ? sessionName(session) : t('board');
  // The title that comes once it is loaded gets it from the one before.
  useEffect(() => document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${name} – Recense`;
  }, [name]);
  return (
    <div class={`board board-${theme}`}>
      <header class="board-head">
        <a href={href(`/sessions/${id}`)}>{t('session.back')}</a>
        <button type="button" onClick={() => void choose()}>
          {t(`board.theme.${theme}`)}
        </button>
        {document.fullscreenEnabled && (
          <button type="button" onClick={() => void toggleFullScreen()}>
            {t('board.full')}
          </button>
        )}
      </header>
      <main id="main">
        <Problem error={live.error.value} />
        {session ? (
          <Shown live={live} session={session} />
        ) : (
          <div role="status">
            <h1 class="hint" tabIndex={-1}>
              {t(headingOf(live))}
            </h1>
          </div>
        )}
      </main>
    </div>
  );
}

function headingOf({ error, isLost }: Live): TextKey {
  if (error.value) return 'board';
  return isLost.value ? 'board.unreachable' : 'loading';
}

function Shown({ live, session }: { live: Live; session: InventoryDto }) {
  const { progress } = session;
  const { location = [], category = [], user = [], hour = [] } = live.groups.value;
  return (
    <>
      <div class="board-title">
        <h1 tabIndex={-1}>{sessionName(session)}</h1>
        <Tag tone={session.status === 'open' ? 'good' : 'plain'}>{t(`session.${session.status}`)}</Tag>
        <span role="status">
          <Freshness live={live} />
        </span>
      </div>
      <section class="board-figures" aria-label={t('progress')}>
        {progress.total > 0 && (
          <>
            <p class="board-percent">{percent(progress.percentage)}</p>
            <p class="board-count">
              {number(progress.scanned)} / {number(progress.total)}
            </p>
            <progress max={progress.total} value={progress.scanned} aria-label={t('progress')} />
          </>
        )}
        <p class="board-pace">{paceOf(session, live.pace.value)}</p>
        <Hours groups={hour} />
      </section>
      <div class="board-groups">
        <Bars title={t('board.location')} groups={location} none={t('board.location.none')} />
        <Bars title={t('board.category')} groups={category} none={t('board.category.none')} />
        <Bars title={t('board.user')} groups={user} none="–" />
      </div>
      <section class="board-latest" aria-labelledby="latest">
        <h2 id="latest">{t('board.latest')}</h2>
        <ol>
          {live.latest.value.map(({ id, scanned_at, purchase, scanned_by, location: place }) => (
            <li key={id}>
              <span class="hint">{moment(scanned_at)}</span> <strong>{purchase.code}</strong>{' '}
              {purchase.article.name}{' '}
              <span class="hint">{[scanned_by.name, place?.path].filter(Boolean).join(' · ')}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function Freshness({ live }: { live: Live }) {
  const at = live.answered.value;
  if (live.isLost.value && at !== undefined)
    return <Tag tone="bad">{t('board.lost', { time: moment(new Date(at).toISOString()) })}</Tag>;
  return live.isThere.value ? (
    <Tag tone="good">{t('board.live')}</Tag>
  ) : (
    <Tag tone="attention">{t('board.asking')}</Tag>
  );
}

function paceOf({ status, closed_at, progress, inventory_date }: InventoryDto, perHour: number): string {
  if (status === 'closed') return t('board.closed', { at: instant(closed_at) });
  if (progress.total === 0) return t('board.none');
  if (progress.scanned >= progress.total) return t('board.done');
  const end = forecast(progress, perHour, Date.now());
  return end === null
    ? t('board.idle', { day: day(inventory_date) })
    : count('board.pace', perHour, { end: instant(new Date(end).toISOString()) });
}

async function toggleFullScreen(): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await document.documentElement.requestFullscreen();
}
