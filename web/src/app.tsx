import type { FunctionComponent } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Layout } from './layout.js';
import { routes } from './screens.js';
import type { PageProps } from './shared/router.js';
import { can, ended, shown, user } from './shared/account.js';
import { path } from './shared/router.js';
import { language, t } from './shared/texts.js';
import { Screen } from './shared/ui/screen.js';
import { SignInAgain } from './sign-in/again.js';
import { SignIn } from './sign-in/sign-in.js';

const TYPED = 'main form :is(textarea, input:not([type=search], [type=file], [type=radio], [type=checkbox]))';

/** Whether something would be lost with the page: all others are loaded anew by whoever has signed in again. */
const isAtWork = (): boolean =>
  document.querySelector('dialog[open]') !== null ||
  [...document.querySelectorAll<HTMLInputElement>(TYPED)].some(({ value }) => value !== '');

export function App() {
  useEffect(() => {
    document.documentElement.lang = language.value;
  }, [language.value]);
  /** The page that stays below the sign-in; asked before anything of it has gone. */
  const staying = useMemo(() => (ended.value && isAtWork() ? path.value : undefined), [ended.value]);
  if (!user.value && staying !== path.value) return <SignIn />;
  return (
    <>
      <Layout>
        <Page key={`${shown.value?.id} ${path.value}`} />
      </Layout>
      {!user.value && <SignInAgain />}
    </>
  );
}

function Page() {
  const [screen, setScreen] = useState<{ Component?: FunctionComponent<PageProps>; failed?: boolean }>({});
  const route = routes.find(({ pattern }) => pattern.test(path.value));
  const isAllowed = !route?.permission || can(route.permission);
  useEffect(() => {
    if (!route || !isAllowed) return;
    route.load().then(
      (Component) => setScreen({ Component }),
      () => setScreen({ failed: true }),
    );
  }, [isAllowed]);
  if (!route) return <Screen title={t('page.missing')}>{t('page.missing.text')}</Screen>;
  if (!isAllowed) return <Screen title={t('page.forbidden')}>{t('page.forbidden.text')}</Screen>;
  if (screen.failed)
    return (
      <Screen title={t('page.failed')}>
        <p>{t('page.failed.text')}</p>
        <button type="button" onClick={() => location.reload()}>
          {t('again')}
        </button>
      </Screen>
    );
  const id = Number(/\/(\d+)$/.exec(path.value)?.[1]);
  return screen.Component ? <screen.Component id={id} /> : <p role="status">{t('loading')}</p>;
}
