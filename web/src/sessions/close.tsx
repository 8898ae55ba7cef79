import { unwrap } from '@recense/client';
import type { ReportDto } from '@recense/client';
import { api, patient } from '../shared/api.js';
import { number } from '../shared/format.js';
import { useLoad } from '../shared/load.js';
import { href } from '../shared/router.js';
import { waiting } from '../shared/scans.js';
import { count, t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, useAction } from '../shared/ui/form.js';
import { Notice, Shown } from '../shared/ui/parts.js';

interface CloseProps {
  id: number;
  onClose: () => void;
  onDone: () => void;
}

/** What closing leaves undecided is told before it is done. */
export function Close({ id, onClose, onDone }: CloseProps) {
  const params = { path: { id } };
  const left = useLoad(async () => {
    const some = { ...params, query: { per_page: 1 } };
    const [report, misplaced] = await Promise.all([
      unwrap(api.GET('/api/v1/inventories/{id}/report', { params })) as Promise<ReportDto>,
      unwrap(
        api.GET('/api/v1/inventories/{id}/misplaced', {
          params: { ...some, query: { per_page: 1, resolved: false } },
        }),
      ),
    ]);
    const { missing, unknown, late } = report.figures;
    return {
      missing: missing.count,
      unknown: unknown.open,
      misplaced: misplaced.meta.total ?? 0,
      late: late.open,
    };
  }, [id]);
  const { run, isBusy, error } = useAction(async () => {
    // A large one takes its time to be frozen, as a file does to be sent.
    await unwrap(api.POST('/api/v1/inventories/{id}/close', { params, fetch: patient }));
    onDone();
  });
  return (
    <Dialog title={t('session.close')} onClose={onClose}>
      {waiting.value.count > 0 && (
        <Notice tone="attention">{count('queue.waiting', waiting.value.count)}</Notice>
      )}
      <Shown of={left}>
        {(figures) => (
          <dl class="left">
            {Object.entries(figures).map(([name, value]) => (
              <div key={name}>
                <dt>{t(`left.${name}` as 'left.missing')}</dt>
                <dd>{number(value)}</dd>
              </div>
            ))}
          </dl>
        )}
      </Shown>
      <p>{t('session.close.text')}</p>
      <p>
        <a href={href(`/review/${id}`)}>{t('session.close.review')}</a>
      </p>
      <Problem error={error} />
      <div class="actions">
        <button type="button" class="primary" disabled={isBusy} onClick={() => void run()}>
          {t('session.close')}
        </button>
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  );
}
