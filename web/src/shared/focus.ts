/**
 * Keeps the place of who goes by keyboard or listens: a button that was busy gets the focus back, and where what had it
 * is gone, what stood around it has it, or the title of the page. Browsers begin anew at the top.
 */
export function keepFocus(): void {
  /** What has the focus or had it last, and all that stands around it. */
  let around: Element[] = [];
  let isLost = false;

  const giveBack = (): void => {
    const [last] = around;
    if (!last) return;
    const isOut = !last.isConnected || last.matches(':disabled');
    isLost ||= isOut;
    if (!isLost || document.activeElement !== document.body) return;
    if (last.isConnected && isOut) return; // it is busy
    const next = around.find((one) => one.isConnected && (one === last || one.matches('[tabindex]')));
    const heir = next ?? document.querySelector('h1[tabindex]');
    if (heir instanceof HTMLElement) heir.focus({ preventScroll: true });
  };

  document.addEventListener('focusin', ({ target }) => {
    around = [];
    isLost = false;
    for (let one = target as Element | null; one; one = one.parentElement) around.push(one);
  });
  document.addEventListener('pointerdown', () => (around = [])); // whoever points elsewhere has left it
  new MutationObserver(giveBack).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ['disabled'],
  });
}
