import { unwrap } from '@recense/client';
import type { PurchaseDetailDto } from '@recense/client';
import { useState } from 'preact/hooks';
import { can } from '../shared/account.js';
import { api } from '../shared/api.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Select, TextInput, useAction } from '../shared/ui/form.js';
import { Notice } from '../shared/ui/parts.js';
import { REASONS, word } from './facts.js';
import { numbersOf } from './numbers.js';
import { Stale, holds, useSend } from './stale.js';

interface ChangeProps {
  purchase: PurchaseDetailDto;
  tag: string;
  onChange: () => void;
  isDeleted: boolean;
  onDeleted: (isDeleted: boolean) => void;
}

/** What takes a thing out of the register, and back. */
export function Change({ purchase, tag, onChange, isDeleted, onDeleted }: ChangeProps) {
  const [asks, setAsks] = useState<'dispose' | 'delete'>();
  const path = { id: purchase.id };
  const send = useSend(purchase.id);
  const undo = useAction(async () => {
    const params = { path, header: { 'If-Match': tag } };
    await send(
      () => unwrap(api.POST('/api/v1/purchases/{id}/dispose/undo', { params })),
      ({ disposal }) => disposal === null,
    );
    onChange();
  });
  const remove = useAction(async () => {
    await unwrap(api.DELETE('/api/v1/purchases/{id}', { params: { path, header: { 'If-Match': tag } } }));
    setAsks(undefined);
    onDeleted(true);
  });
  const restore = useAction(async () => {
    await unwrap(api.POST('/api/v1/purchases/{id}/restore', { params: { path } }));
    onDeleted(false);
    onChange();
  });
  return (
    <section class="part" aria-label={t('thing.out')}>
      {isDeleted && (
        <Notice tone="attention">
          <p>{t('thing.deleted')}</p>
          <button type="button" onClick={() => void restore.run()}>
            {t('thing.restore')}
          </button>
        </Notice>
      )}
      {!isDeleted && (
        <div class="actions">
          {can('purchases.dispose') &&
            (purchase.disposal ? (
              <button type="button" disabled={undo.isBusy} onClick={() => void undo.run()}>
                {t('dispose.undo')}
              </button>
            ) : (
              <button type="button" onClick={() => setAsks('dispose')}>
                {t('dispose')}
              </button>
            ))}
          {can('purchases.delete') && (
            <button type="button" class="danger" onClick={() => setAsks('delete')}>
              {t('thing.delete')}
            </button>
          )}
        </div>
      )}
      <Stale error={undo.error ?? restore.error} />
      {asks === 'dispose' && (
        <Dispose
          id={purchase.id}
          tag={tag}
          send={send}
          onClose={() => setAsks(undefined)}
          onDone={() => {
            setAsks(undefined);
            onChange();
          }}
        />
      )}
      {asks === 'delete' && (
        <Dialog title={t('thing.delete')} onClose={() => setAsks(undefined)}>
          <p>{t('thing.delete.sure', { code: purchase.code })}</p>
          <button type="button" class="danger" disabled={remove.isBusy} onClick={() => void remove.run()}>
            {t('thing.delete')}
          </button>
          <Stale error={remove.error} />
        </Dialog>
      )}
    </section>
  );
}

interface DisposeProps {
  id: number;
  tag: string;
  send: ReturnType<typeof useSend>;
  onClose: () => void;
  onDone: () => void;
}

const today = (): string => new Date().toLocaleDateString('sv'); // as the API writes days

function Dispose({ id, tag, send, onClose, onDone }: DisposeProps) {
  const [date, setDate] = useState(today);
  const [reason, setReason] = useState<(typeof REASONS)[number]>('sold');
  const [proceeds, setProceeds] = useState('');
  const [note, setNote] = useState('');
  const { run, isBusy, error, errors } = useAction(async () => {
    const params = { path: { id }, header: { 'If-Match': tag } };
    const body = { date, reason, proceeds: null, note: note || null, ...numbersOf({ proceeds }) };
    await send(
      () => unwrap(api.POST('/api/v1/purchases/{id}/dispose', { params, body })),
      ({ disposal }) => disposal !== null && holds(disposal, body),
    );
    onDone();
  });
  const wrong = (name: string) => (errors[name] ? { errors: errors[name] } : {});
  return (
    <Dialog title={t('dispose')} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <TextInput
          label={t('dispose.day')}
          type="date"
          value={date}
          onInput={setDate}
          more={{ required: true, max: today() }}
          {...wrong('date')}
        />
        <Select
          label={t('dispose.reason')}
          value={reason}
          options={REASONS.map((one) => [one, word('reason', REASONS, one)])}
          onChange={(value) => setReason(value as typeof reason)}
          {...wrong('reason')}
        />
        <TextInput
          label={t('dispose.proceeds')}
          value={proceeds}
          onInput={setProceeds}
          more={{ inputMode: 'decimal' }}
          {...wrong('proceeds')}
        />
        <TextInput label={t('dispose.note')} value={note} onInput={setNote} {...wrong('note')} />
        <Stale error={error} known={['date', 'reason', 'proceeds', 'note']} />
        <button type="submit" class="primary" disabled={isBusy}>
          {t('dispose')}
        </button>
      </form>
    </Dialog>
  );
}
