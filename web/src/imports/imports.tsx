import { unwrap } from '@recense/client';
import type { ImportProgressDto } from '@recense/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Field, Problem, Select, useAction } from '../shared/ui/form.js';
import { List } from '../shared/ui/list.js';
import { Screen } from '../shared/ui/screen.js';
import { Earlier, EarlierRow } from './earlier.js';
import { useFollowed } from './followed.js';
import './imports.css';
import { ImportOptions } from './options.js';
import { Outcome } from './outcome.js';
import { isRunning, runImport } from './running.js';
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
  const { seen, isLost, follower, forget } = useFollowed();
  const [opened, setOpened] = useState<ImportProgressDto>();
  const [times, setTimes] = useState(0);
  const ending = useRef(new AbortController());
  useEffect(() => () => ending.current.abort(), []);

  const { run, isBusy, error, errors } = useAction(async (isDry: boolean) => {
    if (!file) return;
    forget();
    const query = { ...options, dry_run: isDry };
    try {
      await runImport(kind, file, query, follower, ending.current.signal);
    } finally {
      setTimes((before) => before + 1); // also where the answer was lost, since the file may have arrived
    }
  });
  const isReady = seen?.status === 'checked' && seen.error_count === 0;
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
      {seen && (
        <section class="card import-outcome" aria-labelledby="outcome">
          <h2 id="outcome">{seen.file}</h2>
          <Outcome of={seen} isLost={isLost} />
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
          row={(one: ImportProgressDto) => <EarlierRow one={one} onOpen={() => setOpened(one)} />}
        />
        {opened && (
          <Earlier
            one={opened}
            onClose={() => {
              setOpened(undefined);
              if (isRunning(opened)) setTimes((before) => before + 1); // it may have ended since the list was read
            }}
          />
        )}
      </section>
    </Screen>
  );
}

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
            // The same one may be chosen again, once it was mended.
            onClick={({ currentTarget }) => (currentTarget.value = '')}
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
