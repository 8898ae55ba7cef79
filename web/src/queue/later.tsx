import { useState } from 'preact/hooks';
import { GONE, forgetLater, retryLater } from '../shared/afterwards.js';
import { offer } from '../shared/download.js';
import type { Afterwards } from '../shared/store.js';
import { count, t } from '../shared/texts.js';
import type { TextKey } from '../shared/texts.js';
import { useAction } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import { sentenceOf } from '../shared/verdicts.js';
import { Confirm } from './confirm.js';

const nameOf = ({ what }: Afterwards): TextKey => {
  if ('photo' in what) return 'queue.later.photo';
  return 'undo' in what ? 'queue.later.undo' : 'queue.later.change';
};

/** The condition and the note of a change. */
const saidIn = ({ what }: Afterwards): string[] => {
  if (!('change' in what)) return [];
  const { condition, note } = what.change;
  return [...(condition ? [t(`condition.${condition}`)] : []), ...(note ? [note] : [])];
};

/** A reason that the page has words for, or a sentence of the service. */
function reasonOf(refused: string): string {
  const key = refused === GONE ? 'queue.later.gone' : sentenceOf(refused);
  return key ? t(key) : refused;
}

/** Photos, remarks and undone scans that wait for their scan or the network, or that the service has refused. */
export function Later({ rows }: { rows: Afterwards[] }) {
  const [discarded, setDiscarded] = useState<Afterwards>();
  const { run } = useAction(retryLater);
  return (
    <section aria-labelledby="later">
      <h2 id="later">{count('queue.later', rows.length)}</h2>
      <ul class="list">
        {rows.map((row) => (
          <li key={row.id} class="card">
            <p>
              <Tag tone={row.refused === undefined ? 'plain' : 'bad'}>{t(nameOf(row))}</Tag>{' '}
              <strong>{row.code}</strong>
            </p>
            {saidIn(row).map((said) => (
              <p key={said} class="lines">
                {said}
              </p>
            ))}
            {row.refused !== undefined && (
              <>
                <p>{reasonOf(row.refused)}</p>
                <div class="actions">
                  <button type="button" onClick={() => void run()}>
                    {t('again')}
                  </button>
                  {!('undo' in row.what) && (
                    <button type="button" onClick={() => save(row)}>
                      {t('queue.export')}
                    </button>
                  )}
                  <button type="button" class="danger" onClick={() => setDiscarded(row)}>
                    {t('queue.discard')}
                  </button>
                </div>
              </>
            )}
          </li>
        ))}
      </ul>
      {discarded && (
        <Confirm
          title={t('queue.discard')}
          onConfirm={() => forgetLater(({ id }) => id === discarded.id)}
          onClose={() => setDiscarded(undefined)}
        >
          <p>{t('queue.later.sure', { what: t(nameOf(discarded)), code: discarded.code })}</p>
        </Confirm>
      )}
    </section>
  );
}

/** A photo as it is; of a change what was said, of which code. */
function save(row: Afterwards): void {
  const name = row.code.replace(/[^\w-]+/g, '_');
  if ('photo' in row.what) return offer(row.what.photo, `${name}.jpg`);
  const text = [row.code, ...saidIn(row), ''].join('\n');
  offer(new Blob([text], { type: 'text/plain;charset=utf-8' }), `${name}.txt`);
}
