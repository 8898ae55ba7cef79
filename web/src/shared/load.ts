import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { user } from './account.js';
import { isOnline, isProblem } from './api.js';
import { recall, remember } from './store.js';

export interface Loaded<Data> {
  data?: Data;
  error?: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** Loads when it is first shown and whenever one of `on` has changed; what was loaded stays until the next is there. */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, on: unknown[]): Loaded<Data> {
  const [state, setState] = useState<Omit<Loaded<Data>, 'reload'>>({ isLoading: true });
  const [times, setTimes] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    const ending = new AbortController();
    setState((before) => ({ ...before, isLoading: true }));
    latest.current(ending.signal).then(
      (data) => !ending.signal.aborted && setState({ data, isLoading: false }),
      (error: unknown) =>
        !ending.signal.aborted && setState((before) => ({ ...before, error, isLoading: false })),
    );
    return () => ending.abort();
  }, [...on, times]);
  const reload = useCallback(() => setTimes((before) => before + 1), []);
  return { ...state, reload };
}

const keyOf = (name: string): string => `answer:${user.value?.id}:${name}`;

/** What it answered the last time, if that was kept. */
export const lastAnswer = <Data>(name: string): Promise<Data | undefined> => recall<Data>(keyOf(name));

/**
 * What the service answers; where it cannot be reached, what this device knows, or what was answered the last time, if
 * that was kept.
 */
export async function orKept<Data>(
  name: string,
  load: () => Promise<Data>,
  known: () => Promise<Data | undefined> = () => Promise.resolve(undefined),
): Promise<Data> {
  const key = keyOf(name);
  const recalled = async () => (await known()) ?? (await recall<Data>(key));
  const kept = isOnline.value ? undefined : await recalled();
  if (kept !== undefined) return kept;
  try {
    const data = await load();
    void remember(key, data);
    return data;
  } catch (error) {
    const last = isProblem(error) && error.problem.status < 500 ? undefined : await recalled();
    if (last === undefined) throw error;
    return last;
  }
}
