import { unwrap } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import { AS_FILE, api, errorsOf } from '../shared/api.js';
import { download } from '../shared/download.js';
import { useLoad } from '../shared/load.js';
import { query, setQuery } from '../shared/router.js';
import { count, t } from '../shared/texts.js';
import { Problem, Select, TextInput, useAction } from '../shared/ui/form.js';
import { Screen } from '../shared/ui/screen.js';
import './labels.css';

const SHEETS = ['l7160', 'l4731', 'l7636', '62mm', 'custom'] as const;
const SYMBOLS = ['qr', 'datamatrix', 'code128'] as const;
/** Measures of one's own begin with those of L7160, by the names of the API. */
const MEASURES = {
  width: '63.5',
  height: '38.1',
  columns: '3',
  rows: '7',
  left: '7.25',
  top: '15.15',
  pitch_x: '66',
  pitch_y: '38.1',
};
const CUSTOM = Object.keys(MEASURES) as (keyof typeof MEASURES)[];
/** What of the address says how labels look; all else of it says of which things they are. */
const LOOKS = ['sheet', 'symbol', 'skip', 'dpi', 'dx', 'dy', 'own_field', ...CUSTOM, 'of'];

/** Labels of what was chosen in the register, of what its filters leave, or of places. */
export function Labels() {
  const asked = query.value;
  const isPlaces = asked.get('of') === 'places';
  const text = (name: string): string => asked.get(name) ?? '';
  const isCustom = text('sheet') === 'custom';
  // Measures that were entered are kept while another sheet is looked at, which takes none.
  const without: string[] = isCustom ? ['of'] : ['of', ...CUSTOM];
  const looks = Object.fromEntries(
    [...asked].filter(([name]) => LOOKS.includes(name) && !without.includes(name)),
  );
  const which = isPlaces ? {} : Object.fromEntries([...asked].filter(([name]) => !LOOKS.includes(name)));
  const ids = text('ids');
  const path = isPlaces ? '/api/v1/locations/labels' : '/api/v1/purchases/labels';
  const print = (more: Record<string, unknown>) =>
    api.GET(path, { params: { query: { ...which, ...looks, ...more } }, ...AS_FILE });
  const saving = useAction((format: 'pdf' | 'zpl') => download(print({ format }), `labels.${format}`));
  const first = useLoad(() => firstOf(isPlaces, ids, which), [isPlaces, ids, JSON.stringify(which)]);
  const preview = useLoad(
    async () =>
      first.data === undefined ? undefined : await unwrap(print({ ids: String(first.data), format: 'png' })),
    [first.data, JSON.stringify(looks), isPlaces],
  );
  const error = saving.error ?? preview.error ?? first.error;
  const errors = errorsOf(error);
  const set = (name: string) => (value: string) => setQuery({ [name]: value });
  const number = ids === '' ? undefined : ids.split(',').length;
  return (
    <Screen title={t('nav.labels')}>
      <div class="choice" role="group" aria-label={t('labels.of')}>
        <button type="button" aria-pressed={!isPlaces} onClick={() => setQuery({ of: undefined })}>
          {t('labels.of.things')}
        </button>
        <button type="button" aria-pressed={isPlaces} onClick={() => setQuery({ of: 'places' })}>
          {t('labels.of.places')}
        </button>
      </div>
      <p>
        {isPlaces
          ? t('labels.all.places')
          : number === undefined
            ? t('labels.all')
            : count('labels.chosen', number)}
      </p>
      <div class="grid">
        <Select
          label={t('labels.sheet')}
          value={text('sheet') || 'l7160'}
          options={SHEETS.map((one): [string, string] => [one, t(`labels.sheet.${one}`)])}
          onChange={(sheet) => setQuery({ ...(sheet === 'custom' && !CUSTOM.some(text) && MEASURES), sheet })}
        />
        <Select
          label={t('labels.symbol')}
          value={text('symbol') || 'qr'}
          options={SYMBOLS.map((one): [string, string] => [one, t(`labels.symbol.${one}`)])}
          onChange={set('symbol')}
        />
        <TextInput
          label={t('labels.skip')}
          type="number"
          value={text('skip')}
          onInput={set('skip')}
          more={{ min: 0 }}
          {...(errors.skip && { errors: errors.skip })}
        />
        <Select
          label={t('labels.dpi')}
          value={text('dpi') || '300'}
          options={[
            ['203', '203'],
            ['300', '300'],
          ]}
          onChange={set('dpi')}
        />
        {isCustom &&
          CUSTOM.map((name) => (
            <TextInput
              key={name}
              label={t(`labels.${name}`)}
              type="number"
              value={text(name)}
              onInput={set(name)}
              more={{ min: 0, step: 'any' }}
              {...(errors[name] && { errors: errors[name] })}
            />
          ))}
      </div>
      <Problem error={error} known={['skip', ...CUSTOM]} />
      <Preview picture={preview.data} />
      <p class="hint">{t('labels.scale')}</p>
      <p class="actions">
        <button type="button" class="primary" disabled={saving.isBusy} onClick={() => void saving.run('pdf')}>
          {t('labels.pdf')}
        </button>
        <button type="button" disabled={saving.isBusy} onClick={() => void saving.run('zpl')}>
          {t('labels.zpl')}
        </button>
      </p>
    </Screen>
  );
}

/** The thing or place whose label is shown. */
async function firstOf(isPlaces: boolean, ids: string, which: object): Promise<number | undefined> {
  if (!isPlaces && ids !== '') return Number(ids.split(',')[0]);
  const query = { ...which, per_page: 1 };
  const { data } = await (isPlaces
    ? unwrap(api.GET('/api/v1/locations', { params: { query } }))
    : unwrap(api.GET('/api/v1/purchases', { params: { query } })));
  return (data as { id: number }[])[0]?.id;
}

function Preview({ picture }: { picture: Blob | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!picture) return;
    const made = URL.createObjectURL(picture);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [picture]);
  return url ? <img class="label-preview" src={url} alt={t('labels.preview')} /> : null;
}
