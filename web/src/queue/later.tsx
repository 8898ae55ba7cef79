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
            {row.refused !== undefined && (
              <>
                <p>{reasonOf(row.refused)}</p>
                <div class="actions">
                  <button type="button" onClick={() => void run()}>
                    {t('again')}
                  </button>
                  {'photo' in row.what && <SavePhoto photo={row.what.photo} code={row.code} />}
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

const SavePhoto = ({ photo, code }: { photo: Blob; code: string }) => (
  <button type="button" onClick={() => offer(photo, `${code.replace(/[^\w-]+/g, '_')}.jpg`)}>
    {t('queue.export')}
  </button>
);
