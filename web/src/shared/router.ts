import { signal } from '@preact/signals';

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

/** Each page keeps which one it was opened from. */
export function go(to: string): void {
  history.pushState(path.value, '', href(to));
  arrive();
}

/** Leaves a page whose work is done for that one, which is the one before it perhaps: nobody goes back to either twice. */
export function leaveFor(to: string): void {
  if (history.state === to) return history.back();
  history.replaceState(history.state, '', href(to));
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
  history.replaceState(history.state, '', location.pathname + (text && `?${text}`));
  query.value = next;
}

function arrive(): void {
  path.value = pathNow();
  query.value = new URLSearchParams(location.search);
}

/** Links within the page do not load it anew. */
export function followLinks(): void {
  addEventListener('popstate', arrive);
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    const isPlain = event.button === 0 && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
    if (!link || !isPlain || link.target || link.hasAttribute('download') || event.defaultPrevented) return;
    if (link.origin !== location.origin || !/^\/app(\/|$)/.test(link.pathname)) return;
    const isHere = link.pathname === location.pathname && link.search === location.search;
    if (isHere && link.hash) return; // to a part of this page: the browser's
    event.preventDefault();
    go(link.pathname.replace(/^\/app\/?/, '/') + link.search);
  });
}
