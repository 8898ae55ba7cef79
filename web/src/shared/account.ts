import { computed, signal } from '@preact/signals';
import { unwrap } from '@recense/client';
import type { MeDto } from '@recense/client';
import { api, onTokenEnded } from './api.js';
import { forget, forgetAll, recall, remember } from './store.js';

/** Who has signed in; null where nobody has. */
export const user = signal<MeDto | null>(null);
/** Whose login ended without a logout: what he has typed and his queue wait until he signs in again. */
export const ended = signal<MeDto | null>(null);
/** Whose page is shown, also while he has to sign in again. */
export const shown = computed(() => user.value ?? ended.value);

const permissions = computed(() => new Set(shown.value?.permissions));
export const can = (permission: string): boolean => permissions.value.has(permission);

/** Tells the other tabs of this browser that somebody has signed in or out. */
const tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('account');

/** What was known when the page was last open; who has no network goes on with that. */
export async function restoreAccount(): Promise<void> {
  const [token, kept] = await Promise.all([recall<string>('token'), recall<MeDto>('user')]);
  if (token === undefined || !kept) return;
  api.token = token;
  user.value = kept;
  void refreshAccount();
}

/** Permissions may have changed since. */
async function refreshAccount(): Promise<void> {
  const { token } = api;
  if (token === undefined) return;
  try {
    const me = await unwrap(api.GET('/api/v1/me'));
    if (api.token !== token) return; // somebody else has signed in meanwhile, or nobody
    user.value = me;
    await remember('user', me);
  } catch {
    // without a network, or the token has ended, which onTokenEnded() hears of
  }
}

/** @throws ApiError for a wrong password */
export async function signIn(login: string, password: string): Promise<void> {
  const body = { login, password, device_name: deviceName() };
  const { token } = await unwrap(api.POST('/api/v1/login', { body }));
  // Nothing of it is kept before all is known: another tab could take half of it for an end.
  const headers = { Authorization: `Bearer ${token}` };
  const me = await unwrap(api.GET('/api/v1/me', { headers }));
  api.token = token;
  await Promise.all([remember('token', token), remember('user', me)]);
  user.value = me; // not before it is kept: he may load the page anew as soon as he sees that he is in
  ended.value = null;
  tabs?.postMessage('changed');
}

/** The scans that wait stay, for when the same user signs in again. */
export async function signOut(): Promise<void> {
  const { token } = api;
  try {
    await api.POST('/api/v1/logout');
  } catch {
    // without a network the token is forgotten here, and ends there by itself
  }
  await leave(token);
}

/** What another tab has kept since, of whoever has signed in there, stays. */
async function leave(token: string | undefined): Promise<void> {
  const leaver = user.value;
  api.token = undefined;
  const isKept = (await recall<string>('token')) === token;
  await Promise.all([...(isKept ? [forget('token'), forget('user')] : []), forgetAll('answer:')]);
  // Who sees that he is out has left nothing here; another tab may have let somebody in meanwhile.
  if (user.value === leaver) user.value = null;
  if (isKept) tabs?.postMessage('changed');
}

/** Another tab may have signed in again since: then this one goes on with that. */
async function endedBy(token: string): Promise<void> {
  const [kept, me] = await Promise.all([recall<string>('token'), recall<MeDto>('user')]);
  if (user.value === null || api.token !== token) return;
  if (kept === undefined || kept === token || !me) {
    ended.value = user.value;
    return leave(token);
  }
  api.token = kept;
  user.value = me;
}

/** As another tab has signed in or out: of a logout without a network the service tells nobody. */
async function follow(): Promise<void> {
  const [kept, me] = await Promise.all([recall<string>('token'), recall<MeDto>('user')]);
  if (kept === api.token) return;
  if (api.token !== undefined) return endedBy(api.token);
  if (kept === undefined || !me) return;
  api.token = kept;
  user.value = me;
  ended.value = null;
}

tabs?.addEventListener('message', () => void follow());
onTokenEnded((token) => void endedBy(token));
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') void refreshAccount();
});

/** How the list of devices of the user names this one. */
const deviceName = (): string =>
  `${/(Android|iPhone|iPad|Windows|Mac|Linux)/.exec(navigator.userAgent)?.[0] ?? 'Web'} – Recense`;
