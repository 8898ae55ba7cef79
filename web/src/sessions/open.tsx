import { unwrap } from '@recense/client';
import { useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { readCategories } from '../shared/categories.js';
import { useKey } from '../shared/key.js';
import { useLoad } from '../shared/load.js';
import { readPlaces } from '../shared/places.js';
import { go, href } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Shown } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { Choices } from './choices.js';

const today = (): string => new Date().toLocaleDateString('sv'); // as the API writes days

/** A new inventory: of everything, or of some places and categories. */
export function OpenSession() {
  const [label, setLabel] = useState('');
  const [date, setDate] = useState(today());
  const [locations, setLocations] = useState<number[]>([]);
  const [categories, setCategories] = useState<number[]>([]);
  const keyFor = useKey();
  const choices = useLoad(async () => {
    const [places, found] = await Promise.all([readPlaces(), readCategories()]);
    return {
      places: places.all.filter(({ is_active }) => is_active).map(({ id, path }) => ({ id, name: path })),
      categories: found,
    };
  }, []);
  const { run, isBusy, error, errors } = useAction(async () => {
    const body = {
      year: Number(date.slice(0, 4)),
      inventory_date: date,
      ...(label.trim() && { label }),
      ...(locations.length > 0 && { location_ids: locations }),
      ...(categories.length > 0 && { category_ids: categories }),
    };
    const params = { header: { 'Idempotency-Key': keyFor(body) } };
    const session = await unwrap(api.POST('/api/v1/inventories', { params, body }));
    go(`/sessions/${session.id}`);
  });
  const wrong = [...(errors.inventory_date ?? []), ...(errors.year ?? [])]; // that of the day
  return (
    <Screen title={t('open')} back={{ href: href('/'), label: t('sessions') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput
          label={t('open.label')}
          name="label"
          value={label}
          onInput={setLabel}
          more={{ maxLength: 255 }}
          {...(errors.label && { errors: errors.label })}
        />
        <TextInput
          label={t('open.date')}
          name="inventory_date"
          type="date"
          hint={t('open.date.hint')}
          value={date}
          onInput={setDate}
          more={{ required: true }}
          {...(wrong.length > 0 && { errors: wrong })}
        />
        <Shown of={choices}>
          {(found) => (
            <>
              <Choices
                legend={t('open.locations')}
                hint={t('open.locations.hint')}
                options={found.places}
                chosen={locations}
                onChange={setLocations}
              />
              <Choices
                legend={t('open.categories')}
                hint={t('open.categories.hint')}
                options={found.categories}
                chosen={categories}
                onChange={setCategories}
              />
            </>
          )}
        </Shown>
        <Problem error={error} known={['label', 'inventory_date', 'year']} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t('open')}
        </button>
      </form>
    </Screen>
  );
}
