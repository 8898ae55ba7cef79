import { unwrap } from '@recense/client';
import { useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { useKey } from '../shared/key.js';
import { t } from '../shared/texts.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import type { Found } from './finders.js';
import { Pick } from './pick.js';

export type Creatable = 'article_id' | 'supplier_id' | 'location_id';

export const creating: Record<Creatable, string> = {
  article_id: 'articles.create',
  supplier_id: 'suppliers.create',
  location_id: 'locations.manage',
};

interface CreateProps {
  of: Creatable;
  name: string;
  onMade: (made: Found) => void;
}

/** A new article, supplier or place, without leaving the form that needs it. */
export function Create({ of, name: given, onMade }: CreateProps) {
  const [name, setName] = useState(given);
  const [reference, setReference] = useState('');
  const [below, setBelow] = useState<number | null>(null);
  const keyFor = useKey();
  const { run, isBusy, error, errors } = useAction(async () => {
    const headerOf = (body: object) => ({ 'Idempotency-Key': keyFor(body) });
    const second = reference.trim() || null;
    if (of === 'location_id') {
      const body = { name, code: second, parent_id: below };
      const params = { header: headerOf(body) };
      const made = await unwrap(api.POST('/api/v1/locations', { params, body }));
      onMade({ id: made.id, name: made.path });
    } else if (of === 'supplier_id') {
      const body = { name, reference: second };
      const params = { header: headerOf(body) };
      onMade(await unwrap(api.POST('/api/v1/suppliers', { params, body })));
    } else {
      const body = { name, reference: second, category_id: below };
      const params = { header: headerOf(body) };
      onMade(await unwrap(api.POST('/api/v1/articles', { params, body })));
    }
  });
  const second = of === 'location_id' ? 'code' : 'reference';
  return (
    <div>
      <TextInput
        label={t('create.name')}
        value={name}
        onInput={setName}
        {...(errors.name && { errors: errors.name })}
      />
      <TextInput
        label={t(of === 'location_id' ? 'thing.code' : 'thing.reference')}
        value={reference}
        onInput={setReference}
        {...(errors[second] && { errors: errors[second] })}
      />
      {of === 'article_id' && (
        <Pick of="category_id" id={below} onPick={(found) => setBelow(found?.id ?? null)} />
      )}
      {of === 'location_id' && (
        <Pick of="location_id" id={below} onPick={(found) => setBelow(found?.id ?? null)} />
      )}
      <Problem error={error} known={['name', second]} />
      <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
        {t('create')}
      </button>
    </div>
  );
}
