import type { ImportProgressDto } from '@recense/client';
import { useEffect, useState } from 'preact/hooks';
import { instant } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { Dialog } from '../shared/ui/dialog.js';
import { Problem } from '../shared/ui/form.js';
import { useFollowed } from './followed.js';
import { ImportState, Outcome } from './outcome.js';
import { followImport } from './running.js';
import type { Kind } from './running.js';

interface RowProps {
  one: ImportProgressDto;
  onOpen: () => void;
}

/** An import of the list. */
export const EarlierRow = ({ one, onOpen }: RowProps) => (
  <div class="card">
    <p>
      <strong>{one.file}</strong> <ImportState status={one.status} />
    </p>
    <p class="hint">
      {t(`imports.kind.${one.kind as Kind}`)} · {instant(one.created_at)} · {one.created_by?.name ?? '–'}
    </p>
    <button type="button" onClick={onOpen}>
      {t('imports.show')}
      <span class="unseen"> – {one.file}</span>
    </button>
  </div>
);

/** What came of an import, or how far it is: as the page shows it of the one that it has sent. */
export function Earlier({ one, onClose }: { one: ImportProgressDto; onClose: () => void }) {
  const { seen, isLost, follower } = useFollowed();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const ending = new AbortController();
    followImport(one.id, follower, ending.signal).catch((refused: unknown) => {
      if (!ending.signal.aborted) setError(refused);
    });
    return () => ending.abort();
  }, [one.id]);
  return (
    <Dialog title={one.file} onClose={onClose}>
      <Problem error={error} />
      {!error && <Outcome of={seen ?? one} isLost={isLost} />}
    </Dialog>
  );
}
