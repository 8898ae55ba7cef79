import { unwrap } from '@recense/client';
import type { CreatePurchaseDto } from '@recense/client';
import { useRef, useState } from 'preact/hooks';
import { linkNew } from '../review/link-new.js';
import { can } from '../shared/account.js';
import { api } from '../shared/api.js';
import { useKey } from '../shared/key.js';
import { useLoad } from '../shared/load.js';
import { href, leaveFor, query } from '../shared/router.js';
import type { PageProps } from '../shared/router.js';
import { t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { TextInput, useAction } from '../shared/ui/form.js';
import { Shown } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { forget, useUnsaved } from '../shared/unsaved.js';
import { Create, creating } from './create.js';
import { readFields } from './facts.js';
import { references } from './finders.js';
import { numbersOf, written } from './numbers.js';
import { OwnFields, sentOf, typedOf } from './own-fields.js';
import type { Own } from './own-fields.js';
import { Pick } from './pick.js';
import { readPurchase } from './seen.js';
import type { Seen } from './seen.js';
import { Stale, holds, useSend } from './stale.js';
import './register.css';

/** Those that are written; what is empty is sent as null. */
const TEXTS: [name: string, text: TextKey, type: 'text' | 'lines' | 'date' | 'number'][] = [
  ['assigned_to', 'thing.assigned.words', 'text'],
  ['code', 'thing.code', 'text'],
  ['purchase_date', 'thing.bought', 'date'],
  ['purchase_price', 'thing.price', 'number'],
  ['in_service_date', 'thing.in-service', 'date'],
  ['warranty_end_date', 'thing.warranty', 'date'],
  ['serial_number', 'thing.serial', 'text'],
  ['epc', 'thing.epc', 'text'],
  ['gs1', 'thing.gs1', 'text'],
  ['notes', 'thing.notes', 'lines'],
];
const REFERENCES = ['article_id', 'location_id', 'supplier_id', 'assigned_tier_id'] as const;
type Refs = Record<(typeof REFERENCES)[number], number | null>;

const today = (): string => new Date().toLocaleDateString('sv'); // as the API writes days

/** The unknown code that a new thing is entered for, as the review says it in the address. */
function askedBy(): { session: number; code: number } | undefined {
  const [session, code] = ['session', 'unknown'].map((name) => Number(query.value.get(name)));
  return session && code ? { session, code } : undefined;
}

export function NewThing() {
  const asked = askedBy();
  const back = asked
    ? { href: href(`/review/${asked.session}`), label: t('review') }
    : { href: href('/register'), label: t('register') };
  return (
    <Screen title={t('register.new')} back={back}>
      <Form />
    </Screen>
  );
}

export function EditThing({ id }: PageProps) {
  const seen = useLoad(() => readPurchase(id), [id]);
  return (
    <Screen title={t('thing.edit')} back={{ href: href(`/register/${id}`), label: t('thing') }}>
      <Shown of={seen}>{(one) => <Form seen={one} />}</Shown>
    </Screen>
  );
}

function Form({ seen }: { seen?: Seen }) {
  const before = seen?.purchase;
  const [texts, setTexts] = useState<Record<string, string>>(() => textsOf(seen));
  const [refs, setRefs] = useState<Refs>({
    article_id: before?.article_id ?? null,
    location_id: before?.location_id ?? null,
    supplier_id: before?.supplier_id ?? null,
    assigned_tier_id: before?.assigned_tier_id ?? null,
  });
  const [own, setOwn] = useState<Own>(() => ({ ...before?.fields }));
  const filled = [texts, refs, own];
  const first = useRef(filled);
  useUnsaved(filled.some((part, at) => part !== first.current[at]));
  const fields = useLoad(readFields, []);
  const keyFor = useKey();
  const send = useSend(before?.id);
  const {
    run,
    isBusy,
    error,
    errors: told,
  } = useAction(async () => {
    const numbers = numbersOf({
      purchase_price: texts.purchase_price!,
      ...typedOf(fields.data ?? [], own),
    });
    const body = bodyOf(texts, numbers.purchase_price ?? null, refs, sentOf(own, numbers), seen);
    if (seen) {
      const params = { path: { id: seen.purchase.id }, header: { 'If-Match': seen.tag } };
      await send(
        () => unwrap(api.PATCH('/api/v1/purchases/{id}', { params, body })),
        (now) => holds(now, body),
      );
      forget();
      return leaveFor(`/register/${seen.purchase.id}`);
    }
    const params = { header: { 'Idempotency-Key': keyFor(body) } };
    const { id, code } = await unwrap(
      api.POST('/api/v1/purchases', { params, body: body as CreatePurchaseDto }),
    );
    const asked = askedBy();
    if (asked) await linkNew(asked.session, asked.code, { id, code });
    forget();
    leaveFor(asked ? `/review/${asked.session}` : `/register/${id}`);
  });
  const errors = atFields(told);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run();
      }}
    >
      <div class="grid">
        {REFERENCES.filter((of) => can(references[of].permission)).map((of) => (
          <Pick
            key={of}
            of={of}
            id={refs[of]}
            errors={errors[of]}
            onPick={(found) => setRefs((all) => ({ ...all, [of]: found?.id ?? null }))}
            {...(of !== 'assigned_tier_id' &&
              can(creating[of]) && {
                create: (name, done) => <Create of={of} name={name} onMade={done} />,
              })}
          />
        ))}
        {TEXTS.map(([name, text, type]) => (
          <TextInput
            key={name}
            name={name}
            label={t(text)}
            type={type === 'date' ? type : 'text'}
            {...(type === 'lines' && { rows: 3 })}
            value={texts[name]!}
            onInput={(value) => setTexts((all) => ({ ...all, [name]: value }))}
            more={{
              required: name === 'purchase_date',
              ...(type === 'number' && { inputMode: 'decimal' }),
            }}
            {...(name === 'code' && !seen && { hint: t('thing.code.hint') })}
            {...(name === 'gs1' && { hint: t('thing.gs1.hint') })}
            {...(errors[name] && { errors: errors[name] })}
          />
        ))}
        <OwnFields
          fields={fields.data?.filter(({ is_active }) => is_active) ?? []}
          values={own}
          errors={errors}
          onChange={setOwn}
        />
      </div>
      <Stale
        error={error}
        known={[
          ...REFERENCES,
          ...TEXTS.map(([name]) => name),
          ...Object.keys(told).filter((name) => name.startsWith('gs1.')),
          ...(fields.data ?? []).map(({ key }) => `fields.${key}`),
        ]}
      />
      <button type="submit" class="primary" disabled={isBusy}>
        {t('save')}
      </button>
    </form>
  );
}

function textsOf(seen?: Seen): Record<string, string> {
  if (!seen) {
    const empty = Object.fromEntries(TEXTS.map(([name]) => [name, '']));
    return { ...empty, purchase_date: today(), code: query.value.get('code') ?? '' };
  }
  const row = seen.purchase as unknown as Record<string, string | number | null>;
  const texts = Object.fromEntries(TEXTS.map(([name]) => [name, String(row[name] ?? '')]));
  const { gs1, purchase_price: price } = seen.purchase;
  return { ...texts, gs1: gs1.join(' '), purchase_price: price === null ? '' : written(price) };
}

/** What the service says of fields; of one of several codes it says which of them it is. */
const atFields = (errors: Record<string, string[]>): Record<string, string[]> => {
  const all = Object.entries(errors).filter(([name]) => /^gs1\b/.test(name));
  return all.length === 0 ? errors : { ...errors, gs1: all.flatMap(([, texts]) => texts) };
};

/** Of a thing that is there, only what is otherwise: what one may not see stays as it is. */
function bodyOf(
  { gs1, ...others }: Record<string, string>,
  price: number | null,
  refs: Refs,
  own: Own,
  seen?: Seen,
): object {
  const body: Record<string, unknown> = {
    ...refs,
    ...Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value.trim() || null])),
    purchase_price: price,
    gs1: gs1!.split(/\s+/).filter(Boolean),
  };
  const row = seen?.purchase as unknown as Record<string, unknown> | undefined;
  const isOtherwise = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(row?.[name] ?? (name === 'gs1' ? [] : null));
  const had = seen?.purchase.fields ?? {};
  const changed = Object.entries(own).filter(([key, value]) => (had[key] ?? null) !== value);
  return {
    ...Object.fromEntries(Object.entries(body).filter(isOtherwise)),
    ...(changed.length > 0 && { fields: Object.fromEntries(changed) }),
  };
}
