import { MAX_CODE } from '../common/printable.js';
import { readEpc } from './epc.js';
import { gs1Key } from './gs1.js';
import { SYMBOLOGY } from './symbology.js';

/**
 * The codes on the labels. Those that the service makes survive being typed by hand: prefix, number, and a check
 * character (ISO/IEC 7064, MOD 37,36) that catches every single wrong character and nearly every swap.
 */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** For example INV000042N: prefix INV, number 42 in at least six digits, check character. */
export function makeCode(prefix: string, number: number): string {
  const text = prefix + String(number).padStart(6, '0');
  return text + checkCharacter(text);
}

export function checkCharacter(text: string): string {
  let product = 36;
  for (const character of text) {
    const sum = (product + ALPHABET.indexOf(character)) % 36 || 36;
    product = (sum * 2) % 37;
  }
  return ALPHABET[(37 - product) % 36] ?? '';
}

const CONTROLS = /\p{Cc}/gu;
/** Invisible, or they turn the direction of writing: no new code has them. */
const FORMAT_CHARACTERS = /\p{Cf}/gu;
const UNREADABLE = '\uFFFD';
const URL_WITH_HOST = /^[a-z][a-z0-9+.-]*:\/\//i;
/** What may be of GS1 or an EPC: all else is not looked at more closely. */
const STANDARD = /800[34]|urn:epc:|^\s*3[348][0-9a-f]{22}/i;

/**
 * What a scanned text may mean, in the order to try: exactly what was read, then without control characters and white
 * space around it, without its symbology prefix, and the last segment of its path where it is a URL; then all of that
 * without format characters, which only codes of old have; then what is kept of it where no label has it; at last the
 * key of the GIAI or GRAI that it says as GS1 or as an EPC.
 */
export function codeCandidates(scanned: string): string[] {
  const candidates = [scanned, ...steps(scanned)];
  if (candidates.join('').search(FORMAT_CHARACTERS) >= 0)
    candidates.push(...steps(visible(scanned)).map(visible));
  candidates.push(cleanCode(scanned));
  const standard = standardKey(scanned);
  if (standard !== null) candidates.push(standard);
  return [...new Set(candidates)].filter(isPossible);
}

/** What is kept of a text that no label has: what the cleaning leaves of it, as PostgreSQL can hold it. */
export function cleanCode(scanned: string): string {
  const cleaned = steps(scanned)
    .map(visible)
    .findLast((code) => code !== '');
  return storable(cleaned ?? scanned.trim().replace(CONTROLS, UNREADABLE));
}

/** The key of the GIAI or GRAI that a text says; null where it says none. */
export const standardKey = (scanned: string): string | null =>
  STANDARD.test(scanned) ? (readEpc(scanned)?.key ?? gs1Key(scanned)) : null;

/** A text as PostgreSQL can hold it: without NUL and without half a character. */
export const storable = (text: string): string => text.toWellFormed().replaceAll('\0', UNREADABLE);

function steps(scanned: string): string[] {
  const clean = scanned.replace(CONTROLS, '').trim();
  const bare = clean.replace(SYMBOLOGY, '').trim();
  return [clean, bare, lastSegment(bare)];
}

const visible = (text: string): string => text.replace(FORMAT_CHARACTERS, '').trim();

/** Whether a stored code could be equal: PostgreSQL holds no NUL and no lone surrogate, a code no more than 64. */
function isPossible(code: string): boolean {
  return code !== '' && !code.includes('\0') && code.isWellFormed() && [...code].length <= MAX_CODE;
}

/** Nothing where the text is no URL. */
function lastSegment(text: string): string {
  if (!URL_WITH_HOST.test(text)) return '';
  try {
    const path = text.replace(URL_WITH_HOST, '').split(/[?#]/)[0] ?? '';
    const segments = path.split('/').slice(1);
    return decodeURIComponent(segments.filter((segment) => segment !== '').at(-1) ?? '')
      .replace(CONTROLS, '')
      .trim();
  } catch {
    return '';
  }
}
