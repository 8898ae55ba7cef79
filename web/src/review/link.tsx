import { unwrap } from '@recense/client';
import type { PurchaseDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { api, isProblem } from '../shared/api.js';
import { Viewfinder } from '../shared/camera/viewfinder.js';
import { useLoad } from '../shared/load.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Empty } from '../shared/ui/parts.js';
import type { DecisionProps } from './dismiss.js';

const SHOWN = 10;
/** One more says that there are more. */
const ASKED = SHOWN + 1;

/** The thing on which a code hangs is found by its label, by camera, hand scanner or typed, or by its name. */
export function LinkTo({ session, code, decide, onClose }: DecisionProps) {
  const [search, setSearch] = useState('');
  /** Anew with each read: the last one counts, also where one before it is being looked for. */
  const [asked, setAsked] = useState<{ text: string }>();
  const finding = useLoad(async () => (asked ? find(asked.text.trim()) : undefined), [asked]);
  const found = finding.isLoading || finding.error !== undefined ? undefined : finding.data;
  const read = (text: string): void => {
    setSearch(text);
    setAsked({ text });
  };
  const linking = useAction(async (thing: { id: number; code: string }) => {
    const params = { path: { id: session, uid: code.id } };
    const body = { purchase_id: thing.id };
    await decide(
      () => unwrap(api.POST('/api/v1/inventories/{id}/unknown-codes/{uid}/link', { params, body })),
      t('review.outcome.linked', { code: thing.code }),
    );
    onClose();
  });
  return (
    <Dialog title={t('named', { name: t('review.link'), value: code.cleaned })} onClose={onClose}>
      <Viewfinder onRead={read} />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          read(search);
          // What a hand scanner types next takes its place.
          event.currentTarget.querySelector<HTMLInputElement>('[name=search]')?.select();
        }}
      >
        <TextInput
          label={t('review.link.code')}
          name="search"
          value={search}
          onInput={setSearch}
          more={{ required: true, autoComplete: 'off' }}
        />
        <button type="submit">{t('review.link.find')}</button>
      </form>
      <Problem error={finding.error ?? linking.error} />
      <div role="status">{found?.length === 0 && <Empty>{t('review.link.none')}</Empty>}</div>
      <ul class="list">
        {found?.slice(0, SHOWN).map((thing) => (
          <li key={thing.id} class="card">
            <p>
              <strong>{thing.code}</strong> {thing.article.name}
            </p>
            <button
              type="button"
              class="primary"
              disabled={linking.isBusy}
              onClick={() => void linking.run(thing)}
            >
              {t('review.link.this')}
            </button>
          </li>
        ))}
      </ul>
      {found && found.length > SHOWN && <p class="hint">{t('open.more')}</p>}
    </Dialog>
  );
}

/** What a scanner would find, else what has the text in its name or number. */
async function find(text: string): Promise<Pick<PurchaseDto, 'id' | 'code' | 'article'>[]> {
  try {
    return [await unwrap(api.GET('/api/v1/scan/{code}', { params: { path: { code: text } } }))];
  } catch (error) {
    if (!isProblem(error) || error.problem.status !== 404) throw error;
  }
  const query = { search: text, per_page: ASKED };
  return (await unwrap(api.GET('/api/v1/purchases', { params: { query } }))).data;
}
