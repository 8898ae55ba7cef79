import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface ScreenProps {
  title: string;
  /** Buttons and links beside the title. */
  actions?: ComponentChildren;
  /** Where the arrow before the title leads, such as `/app`. */
  back?: { href: string; label: string };
  children: ComponentChildren;
}

/** A page: its title is read out when it comes. */
export function Screen({ title, actions, back, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  useEffect(() => {
    document.title = `${title} – Recense`;
  }, [title]);
  return (
    <main id="main" class="screen">
      <div class="screen-head">
        {back && (
          <a class="back" href={back.href}>
            <span aria-hidden="true">←</span> {back.label}
          </a>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div class="actions">{actions}</div>}
      </div>
      {children}
    </main>
  );
}
