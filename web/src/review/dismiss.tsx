import { unwrap } from '@recense/client';
import type { UnknownCodeDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import type { FindingsProps } from './findings.js';

export interface DecisionProps {
  session: number;
  code: UnknownCodeDto;
  onClose: () => void;
  decide: FindingsProps['decide'];
}

export function Dismiss({ session, code, decide, onClose }: DecisionProps) {
  const [reason, setReason] = useState('');
  const { run, isBusy, error, errors } = useAction(async () => {
    const params = { path: { id: session, uid: code.id } };
    await decide(
      () =>
        unwrap(
          api.POST('/api/v1/inventories/{id}/unknown-codes/{uid}/dismiss', { params, body: { reason } }),
        ),
      t('review.outcome.dismissed', { reason }),
    );
    onClose();
  });
  return (
    <Dialog title={t('named', { name: t('review.dismiss'), value: code.cleaned })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput
          label={t('review.reason')}
          name="reason"
          value={reason}
          onInput={setReason}
          more={{ maxLength: 500, required: true }}
          {...(errors.reason && { errors: errors.reason })}
        />
        <Problem error={error} known={['reason']} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t('review.dismiss')}
        </button>
      </form>
    </Dialog>
  );
}
