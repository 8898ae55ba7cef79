import { useState } from 'preact/hooks';
import { ended, signIn } from '../shared/account.js';
import { t } from '../shared/texts.js';
import { Problem, TextInput, useAction } from '../shared/ui/form.js';
import { Notice } from '../shared/ui/parts.js';
import { Screen } from '../shared/ui/screen.js';
import { LanguageChoice } from './language-choice.js';

export function SignIn() {
  const [login, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const { run, isBusy, error, errors } = useAction(() => signIn(login, password));
  return (
    <div class="sign-in">
      <Screen title={t('sign-in')}>
        {ended.value && <Notice tone="attention">{t('sign-in.ended')}</Notice>}
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          <TextInput
            label={t('sign-in.login')}
            name="login"
            more={{ autoComplete: 'username', autoCapitalize: 'none', spellcheck: false, required: true }}
            value={login}
            onInput={setLogin}
            {...(errors.login && { errors: errors.login })}
          />
          <TextInput
            label={t('sign-in.password')}
            name="password"
            type="password"
            more={{ autoComplete: 'current-password', required: true }}
            value={password}
            onInput={setPassword}
            {...(errors.password && { errors: errors.password })}
          />
          <Problem error={error} known={['login', 'password']} />
          <button type="submit" class="primary" disabled={isBusy}>
            {t('sign-in')}
          </button>
        </form>
        <LanguageChoice />
      </Screen>
    </div>
  );
}
