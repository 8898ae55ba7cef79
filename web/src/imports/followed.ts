import type { ImportDto } from '@recense/client';
import { useState } from 'preact/hooks';
import type { Follower } from './running.js';

/** What is known of an import that is followed. */
export function useFollowed() {
  const [seen, setSeen] = useState<ImportDto>();
  const [isLost, setLost] = useState(false);
  const follower: Follower = {
    seen: (found) => {
      setSeen(found);
      setLost(false);
    },
    lost: () => setLost(true),
  };
  const forget = (): void => {
    setSeen(undefined);
    setLost(false);
  };
  return { seen, isLost, follower, forget };
}
