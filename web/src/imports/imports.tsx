import { unwrap } from '@recense/client';
import type { ImportDto, ImportProgressDto } from '@recense/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Field, Problem, Select, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Screen } from '../shared/ui/screen.js';
import './imports.css';
import { ImportOptions } from './options.js';
import { Counts, Details, ImportState } from './outcome.js';
import { runImport } from './running.js';
import type { Kind, Options } from './running.js';

const KINDS: Kind[] = [
  'purchases',
  'articles',
  'suppliers',
  'locations',
  'brands',
  'categories',
  'amortization-categories',
  'equipments',
  'tiers',
];
const FORMATS = ['recense', 'list', 'snipe-it', 'shelf', 'homebox'] as const;

/** A file becomes rows: it is checked first, and written when its reader says so. */
export function Imports() {
  const [kind, setKind] = useState<Kind>('purchases');
  const [options, setOptions] = useState<Options>({});
  const [file, setFile] = useState<File>();
  const [progress, setProgress] = useState<ImportProgressDto>();
  const [outcome, setOutcome] = useState<ImportDto>();
  const [times, setTimes] = useState(0);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);

  const forget = (): void => {
    setOutcome(undefined);
    setProgress(undefined);
  };
  const { run, isBusy, error, errors } = useAction(async (isDry: boolean) => {
    if (!file) return;
    forget();
    const query = { ...options, dry_run: isDry };
    const found = await runImport(kind, file, query, setProgress, ending.current.signal);
    setOutcome(found);
    setTimes(times + 1);
  });
  const isReady = outcome?.status === 'checked' && outcome.error_count === 0;
  return (
    <Screen title={t('nav.imports')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run(true);
        }}
      >
        <fieldset disabled={isBusy}>
          <div class="grid">
            <Select
              label={t('imports.kind')}
              value={kind}
              options={KINDS.map((one) => [one, t(`imports.kind.${one}`)])}
              onChange={(value) => {
                setKind(value as Kind);
                setOptions({ ...options, format: undefined });
                forget();
              }}
            />
            {kind === 'purchases' && (
              <Select
                label={t('imports.format')}
                value={options.format ?? 'recense'}
                options={FORMATS.map((one) => [one, t(`imports.format.${one}`)])}
                onChange={(format) => {
                  setOptions({ ...options, format: format as Options['format'] });
                  forget();
                }}
              />
            )}
          </div>
          <Drop file={file} onFile={(chosen) => !isBusy && (setFile(chosen), forget())} />
          <ImportOptions
            kind={kind}
            options={options}
            errors={errors}
            onChange={(changed) => (setOptions(changed), forget())}
          />
        </fieldset>
        <Problem error={error} known={[]} />
        <div class="actions">
          <button type="submit" class={isReady ? '' : 'primary'} disabled={!file || isBusy}>
            {t('imports.check')}
          </button>
          {isReady && (
            <button type="button" class="primary" disabled={isBusy} onClick={() => void run(false)}>
              {t('imports.run')}
            </button>
          )}
        </div>
      </form>
      {progress && (
        <section class="card import-outcome" aria-labelledby="outcome">
          <h2 id="outcome">{progress.file}</h2>
          <div role="status">
            <Counts of={outcome ?? progress} />
          </div>
          {outcome && <Details of={outcome} />}
        </section>
      )}
      <section aria-labelledby="earlier">
        <h2 id="earlier">{t('imports.earlier')}</h2>
        <List
          label={t('imports.earlier')}
          empty={t('imports.none')}
          on={[times]}
          load={(cursor) =>
            unwrap(api.GET('/api/v1/imports', { params: { query: { cursor, per_page: 20, sort: '-id' } } }))
          }
          row={earlier}
        />
      </section>
    </Screen>
  );
}

const earlier = (one: ImportProgressDto) => (
  <div class="card">
    <p>
      <strong>{one.file}</strong> <ImportState status={one.status} />
    </p>
    <p class="hint">
      {t(`imports.kind.${one.kind as Kind}`)} · {instant(one.created_at)} · {one.created_by?.name ?? '–'}
    </p>
  </div>
);

/** A file may be dropped here, or chosen. */
function Drop({ file, onFile }: { file: File | undefined; onFile: (file: File) => void }) {
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`drop ${isOver ? 'drop-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const [dropped] = event.dataTransfer?.files ?? [];
        if (dropped) onFile(dropped);
      }}
    >
      <Field label={t('imports.file')} hint={t('imports.file.hint')}>
        {(props) => (
          <input
            {...props}
            type="file"
            accept=".csv,.tsv,.txt,.xlsx"
            onChange={(event) => {
              const [chosen] = event.currentTarget.files ?? [];
              if (chosen) onFile(chosen);
            }}
          />
        )}
      </Field>
      {file && <p>{file.name}</p>}
    </div>
  );
}
