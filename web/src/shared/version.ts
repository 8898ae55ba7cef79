import { signal } from '@preact/signals';

/** A newer build of the page is there: `waiting` to be taken when the user says so, `taken` in another tab. */
export const newVersion = signal<'none' | 'waiting' | 'taken'>('none');

let registration: ServiceWorkerRegistration | undefined;
let isAsked = false;

/** Keeps the page for when there is no network. */
export async function keepPage(): Promise<void> {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const workers = navigator.serviceWorker;
  const hadOne = workers.controller !== null;
  workers.addEventListener('controllerchange', () => {
    if (isAsked) location.reload();
    else if (hadOne) newVersion.value = 'taken';
  });
  try {
    registration = await workers.register('/app/service-worker.js', { scope: '/app' });
  } catch {
    return; // such as in a private window: the page works, but only with a network
  }
  const look = () => {
    if (registration?.waiting && workers.controller) newVersion.value = 'waiting';
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
