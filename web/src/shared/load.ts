import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { user } from './account.js';
import { isOnline, isProblem } from './api.js';
import { recall, rememberAnswer } from './store.js';

export interface Loaded<Data> {
  data?: Data;
  error?: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** Answers that are shown as they were kept. */
const kept = new WeakSet<object>();
const isKept = (data: unknown): boolean => typeof data === 'object' && data !== null && kept.has(data);

/**
 * Loads when it is first shown and whenever one of `on` has changed; what was loaded stays until the next is there. What
 * was kept, or could not be loaded at all, is loaded again once there is a network.
 */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, on: unknown[]): Loaded<Data> {
  const [state, setState] = useState<Omit<Loaded<Data>, 'reload'>>({ isLoading: true });
  const [times, setTimes] = useState(0);
  const latest = useRef(load);
  latest.current = load;
  /** Whether there was no network at some time since it began to load. */
  const wasOffline = useRef(false);
  useEffect(() => {
    wasOffline.current = !isOnline.value;
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
  useEffect(() => {
    if (!isOnline.value) wasOffline.current = true;
    else if (wasOffline.current && !state.isLoading) {
      wasOffline.current = false;
      if (isKept(state.data) || (state.data === undefined && state.error !== undefined)) reload();
    }
  }, [isOnline.value, state]);
  return { ...state, reload };
}

const keyOf = (name: string): string => `answer:${user.value?.id}:${name}`;

/** What comes before that which is asked for: `purchase` of `purchase:3`. */
const kindOf = (name: string): string => /^\w+/.exec(name)?.[0] ?? name;

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
  const recalled = async () => {
    const data = (await known()) ?? (await recall<Data>(key));
    if (typeof data === 'object' && data !== null) kept.add(data);
    return data;
  };
  const offline = isOnline.value ? undefined : await recalled();
  if (offline !== undefined) return offline;
  try {
    const data = await load();
    void rememberAnswer(key, data, keyOf(kindOf(name)));
    return data;
  } catch (error) {
    const last = isProblem(error) && error.problem.status < 500 ? undefined : await recalled();
    if (last === undefined) throw error;
    return last;
  }
}
