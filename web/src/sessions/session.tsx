import { unwrap } from '@recense/client';
import type { InventoryDto, ReportDto } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import type { PageProps } from '../shared/router.js';
import { can } from '../shared/account.js';
import { AS_FILE, api } from '../shared/api.js';
import { download } from '../shared/download.js';
import { day, instant, money, number, sessionName } from '../shared/format.js';
import { orKept, useLoad, useReturn } from '../shared/load.js';
import { href } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Progress, Shown, Tag } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { AsOf } from './as-of.js';
import { Close } from './close.js';
import { Reopen } from './reopen.js';

const FIGURES = ['expected', 'scanned', 'missing', 'misplaced', 'unexpected'] as const;
const COUNTS = ['unknown', 'late'] as const;
const FORMATS = ['pdf', 'xlsx', 'csv'] as const;

/** One inventory: how far it is, what was found, and what whoever runs it may do. */
export function Session({ id }: PageProps) {
  const path = { id };
  const session = useLoad(
    () => orKept(`session ${id}`, () => unwrap(api.GET('/api/v1/inventories/{id}', { params: { path } }))),
    [id],
  );
  const report = useLoad(
    async () =>
      can('reports.view')
        ? orKept(`report ${id}`, () =>
            unwrap(api.GET('/api/v1/inventories/{id}/report', { params: { path } })),
          )
        : undefined,
    [id],
  );
  const [asked, setAsked] = useState<'close' | 'reopen'>();
  const renew = (): void => {
    session.reload();
    report.reload();
  };
  useReturn(renew);
  const close = (): void => setAsked(undefined);
  // However a dialog was closed: what it asked for may have been done though its answer was lost.
  useEffect(() => (asked ? renew : undefined), [asked]);
  // Its dialog may have been left long before.
  const done = (): void => {
    close();
    renew();
  };
  const found = session.data;
  return (
    <Screen
      title={found ? sessionName(found) : t('session')}
      back={{ href: href('/'), label: t('sessions') }}
    >
      <AsOf shown={[session, report]} onAgain={renew} />
      <Shown of={{ ...session, reload: renew }}>
        {(data) => (
          <>
            <About session={data} />
            <p class="actions">
              {data.status === 'open' && can('inventories.scan') && (
                <a class="button primary" href={href(`/scan/${id}`)}>
                  {t('session.scan')}
                </a>
              )}
              <a class="button" href={href(`/missing/${id}`)}>
                {t('session.missing')}
              </a>
              {can('inventories.review') && (
                <a class="button" href={href(`/review/${id}`)}>
                  {t('review')}
                </a>
              )}
              <a class="button" href={href(`/board/${id}`)}>
                {t('board')}
              </a>
              {data.status === 'open' && can('inventories.close') && (
                <button type="button" onClick={() => setAsked('close')}>
                  {t('session.close')}
                </button>
              )}
              {data.status === 'closed' && can('inventories.reopen') && (
                <button type="button" onClick={() => setAsked('reopen')}>
                  {t('session.reopen')}
                </button>
              )}
            </p>
          </>
        )}
      </Shown>
      {found && can('reports.view') && <Shown of={report}>{(data) => data && <Figures of={data} />}</Shown>}
      {can('reports.view') && <Files id={id} />}
      {asked === 'close' && <Close id={id} onClose={close} onDone={done} />}
      {asked === 'reopen' && <Reopen id={id} onClose={close} onDone={done} />}
    </Screen>
  );
}

function About({ session }: { session: InventoryDto }) {
  const { status, scope, inventory_date, opened_by, closed_at, closed_by, reopened, progress } = session;
  const named = [...(scope?.locations ?? []), ...(scope?.categories ?? [])].map(({ name }) => name);
  return (
    <section class="card" aria-label={t('session.about')}>
      <p>
        <Tag tone={status === 'open' ? 'good' : 'plain'}>{t(`session.${status}` as 'session.open')}</Tag>{' '}
        {t('session.date', { day: day(inventory_date), by: opened_by.name })}
      </p>
      <Progress {...progress} />
      <p>{named.length === 0 ? t('session.everything') : t('session.scope', { names: named.join(', ') })}</p>
      {closed_at && <p>{t('session.closed-by', { at: instant(closed_at), by: closed_by?.name ?? '–' })}</p>}
      {reopened.map(({ at, by, reason }) => (
        <p key={at} class="hint">
          {t('session.reopened', { at: instant(at), by: by.name, reason })}
        </p>
      ))}
    </section>
  );
}

/** The figures of the report: as of now, or as they were frozen. */
function Figures({ of: { figures } }: { of: ReportDto }) {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">{t('session.figures')}</h2>
      <div class="scrolls" tabIndex={0} role="group" aria-labelledby="figures">
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col" class="numeric">
                {t('figure.count')}
              </th>
              <th scope="col" class="numeric">
                {t('figure.net')}
              </th>
            </tr>
          </thead>
          <tbody>
            {FIGURES.map((name) => (
              <tr key={name}>
                <th scope="row">{t(`figure.${name}`)}</th>
                <td class="numeric">{number(figures[name].count)}</td>
                <td class="numeric">{money(figures[name].net)}</td>
              </tr>
            ))}
            {COUNTS.map((name) => (
              <tr key={name}>
                <th scope="row">{t(`figure.${name}`)}</th>
                <td class="numeric">{number(figures[name].count)}</td>
                <td class="numeric">
                  {figures[name].open > 0 && t('figure.open', { count: figures[name].open })}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Files({ id }: { id: number }) {
  const { run, isBusy, error } = useAction((format: (typeof FORMATS)[number]) =>
    download(
      api.GET('/api/v1/inventories/{id}/report', {
        params: { path: { id }, query: { format } },
        ...AS_FILE,
      }),
      `report.${format}`,
    ),
  );
  return (
    <section aria-labelledby="files">
      <h2 id="files">{t('session.report')}</h2>
      <Problem error={error} />
      <p class="actions">
        {FORMATS.map((format) => (
          <button key={format} type="button" disabled={isBusy} onClick={() => void run(format)}>
            {t(`report.${format}`)}
          </button>
        ))}
      </p>
    </section>
  );
}
