import { idempotencyKey, unwrap } from '@recense/client';
import type { AttachmentDto, paths } from '@recense/client';
import { useRef, useState } from 'preact/hooks';
import { Confirm } from '../queue/confirm.js';
import { can } from '../shared/account.js';
import { AS_FILE, api, isProblem, patient } from '../shared/api.js';
import { download } from '../shared/download.js';
import { orKept, useLoad } from '../shared/load.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Empty, Shown } from '../shared/ui/parts.js';
import { Picture } from './picture.js';

type Upload = NonNullable<
  paths['/api/v1/purchases/{id}/attachments']['post']['requestBody']
>['content']['multipart/form-data'];

const TYPES = 'image/jpeg,image/png,image/webp,application/pdf';

/** Photos, invoices, manuals: to be seen, and to be kept by who may. */
export function Attachments({ id, onChange }: { id: number; onChange: () => void }) {
  const attachments = useLoad(
    () =>
      orKept(`attachments:${id}`, () =>
        unwrap(api.GET('/api/v1/purchases/{id}/attachments', { params: { path: { id } } })),
      ),
    [id],
  );
  const [chosen, setChosen] = useState<AttachmentDto>();
  const changed = (): void => {
    setChosen(undefined);
    attachments.reload();
    onChange();
  };
  return (
    <section class="part" aria-labelledby="attachments">
      <h2 id="attachments">{t('attachments')}</h2>
      <Shown of={attachments}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty>{t('attachments.none')}</Empty>
          ) : (
            <ul class="photos">
              {data.map((one) => (
                <li key={one.id}>
                  <button type="button" class="photo" onClick={() => setChosen(one)}>
                    {one.width !== null && <Picture url={one.url} alt="" size="320" />}
                    <span>{one.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {can('attachments.manage') && <Add id={id} onAdded={changed} />}
      {chosen && <Attachment of={chosen} onClose={() => setChosen(undefined)} onChange={changed} />}
    </section>
  );
}

function Add({ id, onAdded }: { id: number; onAdded: () => void }) {
  const camera = useRef<HTMLInputElement>(null);
  const files = useRef<HTMLInputElement>(null);
  /** Kept until it is sent, since what a camera takes is nowhere else; with a key, so that it is added once. */
  const [unsent, setUnsent] = useState<{ file: File; key: string }>();
  const { run, isBusy, error } = useAction(async (taken: { file: File; key: string }) => {
    const { file, key } = taken;
    setUnsent(taken);
    const form = new FormData();
    form.append('file', file);
    await unwrap(
      api.POST('/api/v1/purchases/{id}/attachments', {
        params: { path: { id }, header: { 'Idempotency-Key': key } },
        body: form as unknown as Upload,
        bodySerializer: (body) => body as unknown as FormData,
        fetch: patient,
      }),
    );
    setUnsent(undefined);
    onAdded();
  });
  const take = (input: HTMLInputElement): void => {
    const file = input.files?.[0];
    input.value = ''; // the same one may be chosen again
    if (file) void run({ file, key: idempotencyKey() });
  };
  return (
    <>
      <div class="actions">
        <button type="button" disabled={isBusy} onClick={() => camera.current?.click()}>
          {t('attachments.photo')}
        </button>
        <button type="button" disabled={isBusy} onClick={() => files.current?.click()}>
          {t('attachments.file')}
        </button>
      </div>
      <input
        ref={camera}
        hidden
        type="file"
        name="photo"
        accept="image/*"
        capture="environment"
        onChange={(event) => take(event.currentTarget)}
      />
      <input
        ref={files}
        hidden
        type="file"
        name="file"
        accept={TYPES}
        onChange={(event) => take(event.currentTarget)}
      />
      <p role="status">{isBusy && t('attachments.sending')}</p>
      <Problem error={error} />
      {unsent && error !== undefined && !isRefused(error) && (
        <p>
          {unsent.file.name}{' '}
          <button type="button" onClick={() => void run(unsent)}>
            {t('again')}
          </button>
        </p>
      )}
    </>
  );
}

/** What the service does not take, it does not take the next time either. */
const isRefused = (error: unknown): boolean =>
  isProblem(error) && [413, 415, 422].includes(error.problem.status);

interface AttachmentProps {
  of: AttachmentDto;
  onClose: () => void;
  onChange: () => void;
}

function Attachment({ of: { id, name, url, width, is_cover }, onClose, onChange }: AttachmentProps) {
  const [newName, setName] = useState(name);
  const path = { id };
  const save = useAction(() =>
    download(api.GET('/api/v1/attachments/{id}', { params: { path }, ...AS_FILE }), name),
  );
  const change = useAction(async (body: { name?: string; is_cover?: boolean }) => {
    await unwrap(api.PATCH('/api/v1/attachments/{id}', { params: { path }, body }));
    onChange();
  });
  const [isDeleting, setDeleting] = useState(false);
  const remove = async (): Promise<void> => {
    await unwrap(api.DELETE('/api/v1/attachments/{id}', { params: { path } }));
    onChange();
  };
  return (
    <Dialog title={name} onClose={onClose}>
      {width !== null && <Picture url={url} alt={name} size="1280" />}
      <p>
        <button type="button" onClick={() => void save.run()}>
          {t('attachments.save')}
        </button>
      </p>
      {can('attachments.manage') && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void change.run({ name: newName });
          }}
        >
          <TextInput
            label={t('attachments.name')}
            value={newName}
            onInput={setName}
            {...(change.errors.name && { errors: change.errors.name })}
          />
          <div class="actions">
            <button type="submit" class="primary" disabled={change.isBusy}>
              {t('save')}
            </button>
            {width !== null && !is_cover && (
              <button type="button" onClick={() => void change.run({ name: newName, is_cover: true })}>
                {t('attachments.cover')}
              </button>
            )}
            <button type="button" class="danger" onClick={() => setDeleting(true)}>
              {t('attachments.delete')}
            </button>
          </div>
        </form>
      )}
      <Problem error={save.error ?? change.error} known={['name']} />
      {isDeleting && (
        <Confirm title={t('attachments.delete')} onConfirm={remove} onClose={() => setDeleting(false)}>
          <p>{t('attachments.sure', { name })}</p>
        </Confirm>
      )}
    </Dialog>
  );
}
