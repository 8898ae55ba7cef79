import { unwrap } from '@recense/client';
import { api } from '../shared/api.js';
import { money, percent } from '../shared/format.js';
import { orKept, useLoad } from '../shared/load.js';
import { t } from '../shared/texts.js';
import { Empty, Shown } from '../shared/ui/parts.js';
import { word } from './facts.js';

/** What a thing is worth, year by year; read anew when it has changed, which `on` tells. */
export function Amortization({ id, on }: { id: number; on: string }) {
  const amortization = useLoad(
    () =>
      orKept(`amortization:${id}`, () =>
        unwrap(api.GET('/api/v1/purchases/{id}/amortization', { params: { path: { id } } })),
      ),
    [id, on],
  );
  return (
    <details class="part">
      <summary>
        <h2>{t('amortization')}</h2>
      </summary>
      <Shown of={amortization}>
        {({ schedule, method, rate }) =>
          schedule.length === 0 ? (
            <Empty>{t('amortization.none')}</Empty>
          ) : (
            <>
              <p>
                {method && word('amortization', ['linear', 'declining'], method)}
                {rate !== null && `, ${percent(rate * 100)}`}
              </p>
              <div class="wide-table" role="group" tabIndex={0} aria-label={t('amortization')}>
                <table>
                  <thead>
                    <tr>
                      <th scope="col">{t('amortization.year')}</th>
                      <th scope="col" class="numeric">
                        {t('amortization.annuity')}
                      </th>
                      <th scope="col" class="numeric">
                        {t('amortization.accumulated')}
                      </th>
                      <th scope="col" class="numeric">
                        {t('amortization.closing')}
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {schedule.map((year) => (
                      <tr key={year.fiscal_year}>
                        <th scope="row">{year.fiscal_year}</th>
                        <td class="numeric">{money(year.annuity)}</td>
                        <td class="numeric">{money(year.accumulated)}</td>
                        <td class="numeric">{money(year.closing)}</td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </>
          )
        }
      </Shown>
    </details>
  );
}
