import type { ImportDto, ImportProgressDto } from '@recense/client';
import { useId } from 'preact/hooks';
import { AS_FILE, api } from '../shared/api.js';
import { download } from '../shared/download.js';
import { fieldName } from '../shared/field-names.js';
import { number } from '../shared/format.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import type { Tone } from '../shared/ui/parts.js';
import { isRunning } from './running.js';

/** More are in the file of errors. */
const ERRORS_SHOWN = 50;

const STATES: Record<string, [Tone, TextKey]> = {
  checking: ['plain', 'imports.state.checking'],
  checked: ['good', 'imports.state.checked'],
  writing: ['plain', 'imports.state.writing'],
  done: ['good', 'imports.state.done'],
  refused: ['bad', 'imports.state.refused'],
  failed: ['bad', 'imports.state.failed'],
};

export function ImportState({ status }: { status: string }) {
  const [tone, key] = STATES[status] ?? ['plain', undefined];
  return <Tag tone={tone}>{key ? t(key) : status}</Tag>;
}

interface OutcomeProps {
  /** In full, or as a list of imports has it. */
  of: ImportDto | ImportProgressDto;
  /** The service cannot be reached. */
  isLost: boolean;
}

/** How far an import is, or what came of it. */
export const Outcome = ({ of, isLost }: OutcomeProps) => (
  <>
    <div role="status">
      <Counts of={of} />
      {isLost && <p>{t(isRunning(of) ? 'imports.lost' : 'queue.why.offline')}</p>}
    </div>
    {'columns' in of && !isRunning(of) && <Details of={of} />}
  </>
);

function Counts({ of }: { of: ImportProgressDto }) {
  const { status, dry_run: isDry, rows, detail } = of;
  return (
    <>
      <p>
        <ImportState status={status} />{' '}
        {isRunning(of)
          ? t('imports.read', { read: rows.read, checked: rows.checked })
          : [
              count(isDry ? 'imports.would' : 'imports.rows.new', rows.inserted),
              count('imports.rows.changed', rows.updated),
              count('imports.rows.unchanged', rows.unchanged),
            ].join(', ')}
      </p>
      {isRunning(of) && rows.read > 0 && (
        <progress max={rows.read} value={rows.checked} aria-label={t('progress')} />
      )}
      {detail && <p>{detail}</p>}
    </>
  );
}

/** The columns as they were understood, and what is wrong, line by line. */
function Details({ of: { id, columns, errors, error_count: errorCount } }: { of: ImportDto }) {
  const [errorsId, columnsId] = [useId(), useId()]; // that of another import may be on the page too
  const { run, error } = useAction(() =>
    download(
      api.GET('/api/v1/imports/{id}/errors.csv', { params: { path: { id } }, ...AS_FILE }),
      'errors.csv',
    ),
  );
  return (
    <>
      {errorCount > 0 && (
        <div>
          <h3 id={errorsId}>{count('imports.errors', errorCount)}</h3>
          <div class="scrolls" tabIndex={0} role="region" aria-labelledby={errorsId}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('imports.line')}</th>
                  <th scope="col">{t('imports.column')}</th>
                  <th scope="col">{t('imports.value')}</th>
                  <th scope="col">{t('imports.message')}</th>
                </tr>
              </thead>
              <tbody>
                {errors.slice(0, ERRORS_SHOWN).map(({ line, column, value, message }, at) => (
                  <tr key={at}>
                    <td class="numeric">{number(line)}</td>
                    <td>{column}</td>
                    <td>{value}</td>
                    <td>{message}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <Problem error={error} />
          <button type="button" onClick={() => void run()}>
            {t('imports.errors.download')}
          </button>
        </div>
      )}
      {columns.length > 0 && (
        <div>
          <h3 id={columnsId}>{t('imports.columns')}</h3>
          <div class="scrolls" tabIndex={0} role="region" aria-labelledby={columnsId}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('imports.column')}</th>
                  <th scope="col">{t('imports.field')}</th>
                </tr>
              </thead>
              <tbody>
                {columns.map(({ column, field }) => (
                  <tr key={column}>
                    <td>{column}</td>
                    <td>{field ? fieldName(field) : <span class="hint">{t('imports.left-out')}</span>}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </div>
      )}
    </>
  );
}
