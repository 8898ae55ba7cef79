import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { time } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Tag } from '../shared/ui/parts.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Remark } from './remark.js';
import { wordOf } from './result.js';
import type { Read, Scanning } from './scanning.js';

/** What has changed something at the service, and can be taken back there. */
const RECORDED = ['recorded', 'misplaced', 'out-of-scope', 'disposed'];

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
          <li key={read.clientId} class="card" data-client-id={read.clientId} data-state={read.state}>
            <div class="read-head">
              <Tag tone={read.state === 'undone' ? 'plain' : read.verdict.tone}>
                {read.state === 'undone' ? t('verdict.undone') : wordOf(read.verdict)}
              </Tag>
              <span class="hint">{time(new Date(read.at).toISOString())}</span>
              {read.state === 'waiting' && <span class="hint">{t('scan.unsent')}</span>}
              {read.state === 'aside' && <a href="/app/queue">{t('scan.aside')}</a>}
            </div>
            <p>
              <strong>{read.verdict.code}</strong> {read.verdict.name}
            </p>
            {read.verdict.expected && (
              <p class="hint">{t('verdict.expected', { place: read.verdict.expected })}</p>
            )}
            {(read.fields.condition ?? read.fields.note) && (
              <p class="hint">
                {[read.fields.condition && t(`condition.${read.fields.condition}`), read.fields.note]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            )}
            {RECORDED.includes(read.verdict.reason) && ['waiting', 'done'].includes(read.state) && (
              <div class="actions">
                {read.verdict.reason === 'misplaced' && can('purchases.update') && (
                  <button type="button" class="primary" onClick={() => void run(() => scanning.move(read))}>
                    {t('scan.move')}
                  </button>
                )}
                <button type="button" onClick={() => setRemarked(read)}>
                  {t('scan.remark')}
                </button>
                <button type="button" onClick={() => void run(() => scanning.undo(read))}>
                  {t('scan.undo')}
                </button>
              </div>
            )}
          </li>
        ))}
      </ul>
      {remarked && <Remark scanning={scanning} read={remarked} onClose={() => setRemarked(undefined)} />}
    </section>
  );
}
