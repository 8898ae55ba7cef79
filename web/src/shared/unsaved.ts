import { useEffect } from 'preact/hooks';
import { t } from './texts.js';

let isUnsaved = false;

/** Of a form that was filled in: whoever leaves it is asked. */
export function useUnsaved(is: boolean): void {
  useEffect(() => {
    isUnsaved = is;
    return forget;
  }, [is]);
}

/** What was typed is saved, or given up. */
export function forget(): void {
  isUnsaved = false;
}

/** Asks where leaving would lose what was typed. */
export function mayLeave(): boolean {
  if (isUnsaved && !confirm(t('unsaved'))) return false;
  forget();
  return true;
}

/** The same of the steps back that the browser lets a page stop, and where the page is closed or loaded anew. */
export function guardUnsaved(): void {
  addEventListener('beforeunload', (event) => {
    if (isUnsaved) event.preventDefault();
  });
  if (!('navigation' in window)) return;
  navigation.addEventListener('navigate', (event) => {
    if (event.navigationType === 'traverse' && event.cancelable && !mayLeave()) event.preventDefault();
  });
}
