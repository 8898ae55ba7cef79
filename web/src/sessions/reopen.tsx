import { unwrap } from '@recense/client';
import { useState } from 'preact/hooks';
import { api, patient } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';

interface ReopenProps {
  id: number;
  onClose: () => void;
  onDone: () => void;
}

/** The reason is in the session's report for ever. */
export function Reopen({ id, onClose, onDone }: ReopenProps) {
  const [reason, setReason] = useState('');
  const { run, isBusy, error, errors } = useAction(async () => {
    const params = { path: { id } };
    // A large one takes its time, as it does to be closed.
    await unwrap(api.POST('/api/v1/inventories/{id}/reopen', { params, body: { reason }, fetch: patient }));
    onDone();
  });
  return (
    <Dialog title={t('session.reopen')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput
          label={t('session.reason')}
          name="reason"
          hint={t('session.reason.hint')}
          value={reason}
          onInput={setReason}
          more={{ maxLength: 500, required: true }}
          {...(errors.reason && { errors: errors.reason })}
        />
        <Problem error={error} known={['reason']} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t('session.reopen')}
        </button>
      </form>
    </Dialog>
  );
}
