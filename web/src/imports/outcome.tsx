import type { ImportDto, ImportProgressDto } from '@recense/client';
import { AS_FILE, api } from '../shared/api.js';
import { download } from '../shared/download.js';
import { number } from '../shared/format.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import type { Tone } from '../shared/ui/parts.js';

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

/** How far it is, or what came of it. */
export function Counts({ of: { status, dry_run: isDry, rows, detail } }: { of: ImportProgressDto }) {
  return (
    <>
      <p>
        <ImportState status={status} />{' '}
        {status === 'checking' || status === 'writing'
          ? t('imports.read', { read: rows.read, checked: rows.checked })
          : t(isDry ? 'imports.would' : 'imports.rows', {
              inserted: rows.inserted,
              updated: rows.updated,
              unchanged: rows.unchanged,
            })}
      </p>
      {(status === 'checking' || status === 'writing') && rows.read > 0 && (
        <progress max={rows.read} value={rows.checked} aria-label={t('progress')} />
      )}
      {detail && <p>{detail}</p>}
    </>
  );
}

/** The columns as they were understood, and what is wrong, line by line. */
export function Details({ of: { id, columns, errors, error_count: errorCount } }: { of: ImportDto }) {
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
          <h3 id="errors">{count('imports.errors', errorCount)}</h3>
          <div class="scrolls" tabIndex={0} role="region" aria-labelledby="errors">
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
          <h3 id="columns">{t('imports.columns')}</h3>
          <div class="scrolls" tabIndex={0} role="region" aria-labelledby="columns">
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
                    <td>{field ?? <span class="hint">{t('imports.left-out')}</span>}</td>
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
