import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { t } from '../texts.js';

interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/**
 * Over the page until it is closed, by Escape too; the browser keeps the focus in it and gives it back. It begins where
 * something is to be typed, and where that would bring up the keyboard of a phone, at its title: never at what closes it.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const [element, opener] = [dialog.current!, document.activeElement];
    element.showModal();
    const isTyped = matchMedia('(hover: hover)').matches;
    const field = isTyped ? element.querySelector<HTMLElement>('input, select, textarea') : null;
    (field ?? heading.current)?.focus();
    return () => {
      element.close();
      // Browsers do not give it back where a button that is busy had it.
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose} class="dialog">
      <div class="dialog-head">
        <h2 id={id} ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="quiet" onClick={onClose} aria-label={t('close')}>
          <span aria-hidden="true">✕</span>
        </button>
      </div>
      {children}
    </dialog>
  );
}
