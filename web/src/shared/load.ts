import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { user } from './account.js';
import { isOnline, isProblem } from './api.js';
import { recall, rememberAnswer } from './store.js';

export interface Loaded<Data> {
  data?: Data;
  /** Of what is shown as it was kept: when the service answered it, in milliseconds. */
  keptAt?: number | undefined;
  error?: unknown;
  isLoading: boolean;
  reload: () => void;
}

/** Answers that are shown as they were kept, and since when, where that is known. */
const kept = new WeakMap<object, number | undefined>();
const isObject = (data: unknown): data is object => typeof data === 'object' && data !== null;
const isKept = (data: unknown): boolean => isObject(data) && kept.has(data);

/**
 * Loads when it is first shown and whenever one of `on` has changed; what was loaded stays until the next is there. What
 * was kept, or could not be loaded at all, is loaded again once there is a network.
 */
export function useLoad<Data>(load: (signal: AbortSignal) => Promise<Data>, on: unknown[]): Loaded<Data> {
  const [state, setState] = useState<Omit<Loaded<Data>, 'keptAt' | 'reload'>>({ isLoading: true });
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
  return { ...state, keptAt: isObject(state.data) ? kept.get(state.data) : undefined, reload };
}

/** How old that must be which who comes back to the page reads anew, in milliseconds. */
const OLD_MS = 60_000;

/** Renews what is shown where the user comes back to the page after a while, as of a phone or of another tab. */
export function useReturn(renew: () => void): void {
  const latest = useRef(renew);
  latest.current = renew;
  useEffect(() => {
    let at = Date.now();
    const back = (): void => {
      if (document.visibilityState !== 'visible' || !isOnline.value || Date.now() - at < OLD_MS) return;
      at = Date.now();
      latest.current();
    };
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, []);
}

const keyOf = (name: string): string => `answer:${user.value?.id}:${name}`;

/** What comes before that which is asked for: `purchase` of `purchase:3`. */
const kindOf = (name: string): string => /^\w+/.exec(name)?.[0] ?? name;

/** An answer as it is kept, with when it came, in milliseconds; `at` is not there where an older version kept it. */
interface Answer<Data> {
  at?: number;
  data: Data;
}
const isDated = (found: unknown): found is Answer<unknown> =>
  isObject(found) && 'at' in found && typeof found.at === 'number' && 'data' in found;

async function recallAnswer<Data>(key: string): Promise<Answer<Data> | undefined> {
  const found = await recall<Data | Answer<Data>>(key);
  if (found === undefined) return undefined;
  return isDated(found) ? found : { data: found };
}

/** What it answered the last time, if that was kept. */
export const lastAnswer = async <Data>(name: string): Promise<Data | undefined> =>
  (await recallAnswer<Data>(keyOf(name)))?.data;

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
    const here = await known();
    const answer = here === undefined ? await recallAnswer<Data>(key) : { data: here };
    if (isObject(answer?.data)) kept.set(answer.data, answer.at);
    return answer?.data;
  };
  const offline = isOnline.value ? undefined : await recalled();
  if (offline !== undefined) return offline;
  try {
    const data = await load();
    void rememberAnswer(key, { at: Date.now(), data }, keyOf(kindOf(name)));
    return data;
  } catch (error) {
    const last = isProblem(error) && error.problem.status < 500 ? undefined : await recalled();
    if (last === undefined) throw error;
    return last;
  }
}
