import { signal } from '@preact/signals';

/** A newer build of the page is there: `waiting` to be taken when the user says so, `taken` in another tab. */
export const newVersion = signal<'none' | 'waiting' | 'taken'>('none');

let registration: ServiceWorkerRegistration | undefined;
let isAsked = false;

/** Keeps the page for when there is no network. */
export async function keepPage(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const workers = navigator.serviceWorker;
  let own = workers.controller;
  workers.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    else if (own && own !== workers.controller) newVersion.value = 'taken';
    own = workers.controller;
  });
  try {
    registration = await workers.register('/app/service-worker.js', { scope: '/app' });
  } catch {
    return; // such as in a private window: the page works, but only with a network
  }
  own ??= registration.active; // of a page loaded past it, or right before it was there
  const look = () => {
    if (registration?.waiting && registration.active) newVersion.value = 'waiting';
  };
  look();
  registration.addEventListener('updatefound', () => {
    registration?.installing?.addEventListener('statechange', look);
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void registration?.update().catch(() => undefined);
  });
}

/** At the user's word. */
export function takeNewVersion(): void {
  isAsked = true;
  if (registration?.waiting) registration.waiting.postMessage('take over');
  else location.reload();
}
