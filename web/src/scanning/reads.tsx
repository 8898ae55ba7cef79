import { useState } from 'preact/hooks';
import { later } from '../shared/afterwards.js';
import { moment } from '../shared/format.js';
import { href } from '../shared/router.js';
import { t } from '../shared/texts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Tag } from '../shared/ui/parts.js';
import { Remark } from './remark.js';
import { mayMove, wordOf } from './result.js';
import type { Scanning } from './scanning.js';
import { verdictOn } from './verdict.js';
import type { Read } from './verdict.js';

/** What has changed something at the service, and can be taken back there. */
const RECORDED = ['recorded', 'misplaced', 'out-of-scope', 'disposed'];

/** What the service may have recorded, as far as the phone knows; also by a read that has moved something. */
function isRecorded(read: Read): boolean {
  if (read.state === 'waiting') return RECORDED.concat('kept').includes(verdictOn(read).reason);
  return read.state === 'done' && RECORDED.includes(read.result?.reason ?? '');
}

/** The last reads, newest first: each can be undone, moved, or told more of. */
export function Reads({ scanning, reads }: { scanning: Scanning; reads: Read[] }) {
  const [remarked, setRemarked] = useState<Read>();
  const { run, error } = useAction((work: () => Promise<void>) => work());
  return (
    <section aria-labelledby="reads">
      <h2 id="reads">{t('scan.last')}</h2>
      <Problem error={error} />
      {reads.length === 0 && <p class="hint">{t('scan.last.none')}</p>}
      <ul class="list reads">
        {reads.map((read) => (
          <li
            key={read.client_id}
            class="card"
            tabIndex={-1}
            data-client-id={read.client_id}
            data-state={read.state}
          >
            <Known read={read} />
            {(isRecorded(read) || mayMove(read, reads)) && (
              <div class="actions">
                {mayMove(read, reads) && (
                  <button type="button" class="primary" onClick={() => void run(() => scanning.move(read))}>
                    {t('scan.move')}
                  </button>
                )}
                {isRecorded(read) && (
                  <>
                    <button type="button" onClick={() => setRemarked(read)}>
                      {t('scan.remark')}
                    </button>
                    <button type="button" onClick={() => void run(() => scanning.undo(read))}>
                      {t('scan.undo')}
                    </button>
                  </>
                )}
              </div>
            )}
          </li>
        ))}
      </ul>
      {remarked && <Remark scanning={scanning} read={remarked} onClose={() => setRemarked(undefined)} />}
    </section>
  );
}

/** Of what was told of it, or that it was taken back. */
const isRefused = (clientId: string): boolean =>
  later.value.some(({ client_id, refused }) => client_id === clientId && refused !== undefined);

function Known({ read }: { read: Read }) {
  const { client_id, state, at, fields, hasPhoto } = read;
  const verdict = verdictOn(read);
  const remarks = [
    fields.condition && t(`condition.${fields.condition}`),
    fields.note,
    hasPhoto && t('scan.photo'),
  ];
  return (
    <>
      <div class="read-head">
        <Tag tone={state === 'undone' ? 'plain' : verdict.tone}>
          {state === 'undone' ? t('verdict.undone') : wordOf(verdict)}
        </Tag>
        <span class="hint">{moment(new Date(at).toISOString())}</span>
        {state === 'waiting' && <span class="hint">{t('scan.unsent')}</span>}
        {(state === 'aside' || isRefused(client_id)) && <a href={href('/queue')}>{t('scan.aside')}</a>}
      </div>
      <p>
        <strong>{verdict.code}</strong> {verdict.name}
      </p>
      {verdict.expected && <p class="hint">{t('verdict.expected', { place: verdict.expected })}</p>}
      {remarks.some(Boolean) && <p class="hint">{remarks.filter(Boolean).join(' · ')}</p>}
    </>
  );
}
