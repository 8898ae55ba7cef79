import type { ComponentChildren } from 'preact';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, useAction } from '../shared/ui/form.js';

interface ConfirmProps {
  title: string;
  children: ComponentChildren;
  onConfirm: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before anything is lost. */
export function Confirm({ title, children, onConfirm, onClose }: ConfirmProps) {
  const { run, isBusy, error } = useAction(async () => {
    await onConfirm();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <Problem error={error} />
      <div class="actions">
        <button type="button" class="danger" disabled={isBusy} onClick={() => void run()}>
          {title}
        </button>
        <button type="button" onClick={onClose}>
          {t('cancel')}
        </button>
      </div>
    </Dialog>
  );
}
