import { checkCharacter } from '../../../src/purchases/code.js';

/** What the service makes: a prefix of letters, six digits at least, a check character. */
const MADE = /^([A-Z]{1,10}\d{6,})([0-9A-Z])$/;

/** Whether a code that was typed looks like those the service makes, but for its check character. */
export function isMistyped(typed: string): boolean {
  const [, body, check] = MADE.exec(typed.trim().toUpperCase()) ?? [];
  return body !== undefined && checkCharacter(body) !== check;
}
