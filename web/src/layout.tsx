import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { can, shown, signOut } from './shared/account.js';
import { later } from './shared/afterwards.js';
import { isOnline } from './shared/api.js';
import { href, path } from './shared/router.js';
import { aside, waiting } from './shared/scans.js';
import { count, t } from './shared/texts.js';
import type { TextKey } from './shared/texts.js';
import { useAction } from './shared/ui/form.js';
import { newVersion, takeNewVersion } from './shared/version.js';
import { LanguageChoice } from './sign-in/language-choice.js';

interface Entry {
  to: string;
  text: TextKey;
  permission?: string;
  /** Which pages are its own. */
  pages: RegExp;
}

/** Whether there is something to save or to send: who may not scan any more still gets at it. */
const isLeft = (): boolean => waiting.value.count > 0 || aside.value.length > 0 || later.value.length > 0;

/** What waits for the user, since the service has not taken it. */
const untaken = (): number =>
  aside.value.length + later.value.filter(({ refused }) => refused !== undefined).length;

const entries: Entry[] = [
  {
    to: '/',
    text: 'nav.sessions',
    permission: 'inventories.view',
    pages: /^\/($|scan|missing|review|sessions)/,
  },
  { to: '/queue', text: 'nav.queue', permission: 'inventories.scan', pages: /^\/queue/ },
  { to: '/register', text: 'nav.register', permission: 'purchases.view', pages: /^\/register/ },
  { to: '/labels', text: 'nav.labels', permission: 'purchases.view', pages: /^\/labels/ },
  { to: '/imports', text: 'nav.imports', permission: 'imports.run', pages: /^\/imports/ },
];

function Badge() {
  const [unsent, refused] = [waiting.value.count, untaken()];
  if (unsent + refused === 0) return null;
  return (
    <span class="badge">
      <span aria-hidden="true">{unsent + refused}</span>
      {unsent > 0 && <span class="unseen">{count('queue.waiting', unsent)}</span>}
      {refused > 0 && <span class="unseen">{count('queue.untaken', refused)}</span>}
    </span>
  );
}

const Banners = () => (
  <div role="status" class="banners">
    {!isOnline.value && <p class="banner banner-offline">{t('offline')}</p>}
    {newVersion.value !== 'none' && (
      <p class="banner">
        {t('version')}{' '}
        <button type="button" onClick={takeNewVersion}>
          {t('version.take')}
        </button>
      </p>
    )}
  </div>
);

/** By hand: a browser gives no focus to what cannot have it, and the title of a page is what has it elsewhere. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#main h1')?.focus();
}

function SignOut() {
  const { run, isBusy } = useAction(signOut);
  return (
    <button type="button" disabled={isBusy} onClick={() => void run()}>
      {t('sign-out')}
    </button>
  );
}

/** It lies over the page: whoever does something else leaves it, and Escape closes it. */
function Account() {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const leave = ({ target }: Event): void => {
      if (menu.current?.contains(target as Node) === false) menu.current.open = false;
    };
    const events = ['pointerdown', 'focusin'];
    for (const event of events) document.addEventListener(event, leave);
    return () => events.forEach((event) => document.removeEventListener(event, leave));
  }, []);
  const close = ({ key, currentTarget }: TargetedKeyboardEvent<HTMLDetailsElement>): void => {
    if (key !== 'Escape') return;
    currentTarget.open = false;
    currentTarget.querySelector('summary')!.focus();
  };
  return (
    <details class="account" ref={menu} onKeyDown={close}>
      <summary>{shown.value?.name}</summary>
      <div class="account-menu">
        <LanguageChoice />
        {isLeft() && <p class="hint">{t('sign-out.left')}</p>}
        <SignOut />
      </div>
    </details>
  );
}

/** What stands around every page; the board has the whole screen, but for what must be known. */
export function Layout({ children }: { children: ComponentChildren }) {
  if (path.value.startsWith('/board/'))
    return (
      <>
        <Banners />
        {children}
      </>
    );
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>
        {t('skip')}
      </a>
      <header class="top">
        <a class="brand" href={href('/')}>
          Recense
        </a>
        <nav aria-label={t('nav')}>
          {entries
            .filter(({ permission, to }) => !permission || can(permission) || (to === '/queue' && isLeft()))
            .map(({ to, text, pages }) => (
              <a key={to} href={href(to)} {...(pages.test(path.value) && { 'aria-current': 'page' })}>
                {t(text)}
                {to === '/queue' && <Badge />}
              </a>
            ))}
        </nav>
        <Account />
      </header>
      <Banners />
      {children}
    </>
  );
}
