import { unwrap } from '@recense/client';
import type { UnknownCodeDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';

export interface DecisionProps {
  session: number;
  code: UnknownCodeDto;
  onClose: () => void;
  onDone: () => void;
}

export function Dismiss({ session, code, onClose, onDone }: DecisionProps) {
  const [reason, setReason] = useState('');
  const { run, isBusy, error, errors } = useAction(async () => {
    await unwrap(
      api.POST('/api/v1/inventories/{id}/unknown-codes/{uid}/dismiss', {
        params: { path: { id: session, uid: code.id } },
        body: { reason },
      }),
    );
    onDone();
  });
  return (
    <Dialog title={`${t('review.dismiss')}: ${code.cleaned}`} onClose={onClose}>
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
