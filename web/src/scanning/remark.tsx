import { useState } from 'preact/hooks';
import { CONDITIONS } from '../shared/store.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Field, Problem, TextInput, useAction } from '../shared/ui/form.js';
import type { Scanning } from './scanning.js';
import { verdictOn } from './verdict.js';
import type { Read } from './verdict.js';

interface RemarkProps {
  scanning: Scanning;
  read: Read;
  onClose: () => void;
}

/** In what condition a thing was found, a note, a photo. */
export function Remark({ scanning, read, onClose }: RemarkProps) {
  const [condition, setCondition] = useState(read.fields.condition);
  const [note, setNote] = useState(read.fields.note ?? '');
  const [photo, setPhoto] = useState<File | null>(null);
  const { run, isBusy, error } = useAction(async () => {
    await scanning.amend(
      read,
      { ...(condition && { condition }), ...((note.trim() || read.fields.note) && { note: note.trim() }) },
      photo,
    );
    onClose();
  });
  return (
    <Dialog title={t('named', { name: t('scan.remark'), value: verdictOn(read).code })} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <fieldset class="conditions">
          <legend>{t('scan.condition')}</legend>
          {CONDITIONS.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="condition"
                value={one}
                checked={condition === one}
                onChange={() => setCondition(one)}
              />
              {t(`condition.${one}`)}
            </label>
          ))}
        </fieldset>
        <TextInput
          label={t('scan.note')}
          name="note"
          rows={3}
          value={note}
          onInput={setNote}
          more={{ maxLength: 500 }}
        />
        <Field label={t('scan.photo')}>
          {(props) => (
            <input
              {...props}
              type="file"
              accept="image/jpeg,image/png,image/webp"
              capture="environment"
              onChange={(event) => setPhoto(event.currentTarget.files?.[0] ?? null)}
            />
          )}
        </Field>
        <Problem error={error} />
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy}>
            {t('save')}
          </button>
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
