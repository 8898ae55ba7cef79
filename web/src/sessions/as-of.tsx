import { isOnline } from '../shared/api.js';
import { moment } from '../shared/format.js';
import type { Loaded } from '../shared/load.js';
import { t } from '../shared/texts.js';
import { Tag } from '../shared/ui/parts.js';

interface AsOfProps {
  shown: Loaded<unknown>[];
  onAgain: () => void;
}

/** Of what is shown as this device has kept it: since when, the oldest of it. */
export function AsOf({ shown, onAgain }: AsOfProps) {
  const oldest = Math.min(...shown.map(({ keptAt }) => keptAt ?? Infinity));
  const isLoading = shown.some((one) => one.isLoading);
  return (
    <div role="status">
      {oldest < Infinity && (
        <p>
          <Tag tone="bad">{t('board.lost', { time: moment(new Date(oldest).toISOString()) })}</Tag>{' '}
          {/* Without a network it is asked again by itself, but not where the service has failed. */}
          {isOnline.value && !isLoading && (
            <button type="button" onClick={onAgain}>
              {t('again')}
            </button>
          )}
        </p>
      )}
    </div>
  );
}
