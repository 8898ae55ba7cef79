import { signal } from '@preact/signals';
import { mayLeave } from './unsaved.js';

/** Where the page is, below `/app`: such as `/scan/3`; the sessions are at `/`. */
export const path = signal(pathNow());
export const query = signal(new URLSearchParams(location.search));

function pathNow(): string {
  return location.pathname.replace(/\/$/, '').replace(/^\/app\/?/, '/');
}

/** What a page is told of its address: `/missing/3` is that of the session 3. */
export interface PageProps {
  id: number;
}

/** The address of a page, such as `/app/scan/3`. */
export const href = (to: string): string => (to === '/' ? '/app' : `/app${to}`);

/** What the browser's history knows of a page in it. */
interface Entry {
  /** The page that it was opened from. */
  from?: string;
  /** How many rows of its list were shown, and how far down the page was when it was left. */
  rows?: number;
  top?: number;
}
export const entry = (): Entry => (history.state as Entry | null) ?? {};
export const keepEntry = (more: Entry): void => history.replaceState({ ...entry(), ...more }, '');

export function go(to: string): void {
  keepEntry({ top: scrollY });
  history.pushState({ from: path.value } satisfies Entry, '', href(to));
  arrive();
}

/** Leaves a page whose work is done for that one, which is the one before it perhaps: nobody goes back to either twice. */
export function leaveFor(to: string): void {
  const { from } = entry();
  if (from === to) return history.back();
  history.replaceState({ from }, '', href(to));
  arrive();
}

/** Changes what follows the question mark, where the reader stays: a filter that is shared with its address. */
export function setQuery(changes: Record<string, string | undefined>): void {
  const next = new URLSearchParams(query.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString();
  history.replaceState(entry(), '', location.pathname + (text && `?${text}`));
  query.value = next;
}

let returning = new AbortController();

function arrive(): void {
  returning.abort();
  path.value = pathNow();
  query.value = new URLSearchParams(location.search);
}

/** Goes as far down as the page was when it was left, once it is as long again; not where the reader moves before. */
function comeBackTo(top: number): void {
  returning = new AbortController();
  const { signal } = returning;
  const observer = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight < top) return;
    scrollTo({ top });
    returning.abort();
  });
  observer.observe(document.body);
  signal.addEventListener('abort', () => observer.disconnect());
  for (const event of ['wheel', 'touchstart', 'pointerdown', 'keydown'])
    addEventListener(event, () => returning.abort(), { signal });
}

/** Links within the page do not load it anew. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    arrive();
    const { top } = entry();
    if (top) comeBackTo(top);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.target || link.hasAttribute('download') || event.defaultPrevented) return;
    if (link.origin !== location.origin || !/^\/app(\/|$)/.test(link.pathname)) return;
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (isHere && link.hash) return; // to a part of this page: the browser's
    event.preventDefault();
    if (!mayLeave()) return;
    const to = link.pathname.replace(/^\/app\/?/, '/') + link.search;
    // The arrow before a title: as the browser's own, where that leads to the same page.
    if (link.classList.contains('back') && entry().from === to) history.back();
    else go(to);
  });
}
