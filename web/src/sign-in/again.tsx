import { useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../shared/texts.js';
import './again.css';
import { SignIn } from './sign-in.js';

/** Over all of the page, its dialogs too, which stays as it is and out of reach: nothing closes it but a login. */
export function SignInAgain() {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const [element, before] = [dialog.current!, document.title];
    element.showModal();
    return () => {
      element.close();
      document.title = before;
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog again"
      aria-label={t('sign-in')}
      onCancel={(event) => event.preventDefault()}
      onClose={({ currentTarget }) => currentTarget.isConnected && currentTarget.showModal()}
    >
      <SignIn />
    </dialog>
  );
}
