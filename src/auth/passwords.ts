import { Algorithm, hash, verify } from '@node-rs/argon2';
import { availableParallelism } from 'node:os';
import { invalid } from '../common/errors.js';
import { Limit } from '../common/limit.js';
import { say } from '../common/messages.js';
import { authMessages } from './auth.messages.js';

export const MIN_PASSWORD = 8;

/** OWASP's first choice of parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashing leaves half the processors, and one of the four threads that Node has for files, names and compression, to
 * everything else, however many people log in at once: the others wait in line, and are refused (503) past its end.
 */
const AT_ONCE = Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2)));
const PATIENCE_MS = 5000;
const LINE = 100;
const hashing = new Limit(AT_ONCE, PATIENCE_MS, LINE);

// Checked when there is no such user, so that the answer takes as long as for a wrong password.
const nobody = hash('nobody has this password', ARGON2);

/** Keyboards compose accents in two ways; of both it is the same password (RFC 8265, 4.2). */
const composed = (password: string): string => password.normalize('NFC');

export const hashPassword = (password: string): Promise<string> =>
  hashing.run(() => hash(composed(password), ARGON2));

/** Strangers are told apart by `network`, so that one who sends many does not keep the others out. */
export async function isPassword(
  hashed: string | undefined,
  password: string,
  network?: string,
): Promise<boolean> {
  const known = hashed ?? (await nobody);
  const isOf = (text: string): Promise<boolean> => hashing.run(() => verify(known, text), network);
  const text = composed(password);
  // Older hashes are of what was sent. A second try depends on that alone, so it tells nothing of users.
  const matches = (await isOf(text)) || (text !== password && (await isOf(password)));
  return matches && hashed !== undefined;
}

/** Among the 1 000 commonest too; the list leaves repeats and sequences to other rules of its package. */
const REPEATS =
  '987654321 88888888 123123123 87654321 12341234 xxxxxxxx 69696969 12121212 0987654321 aaaaaaaa 98765432 55555555 77777777 00000000 1111111111'.split(
    ' ',
  );

/** @throws DomainError validation-failed when the password is one of the 1 000 commonest */
export async function refuseCommonPassword(password: string): Promise<void> {
  // Loaded when first needed: the list is 0.5 MB, and most processes never set a password.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const commonest = [...REPEATS, ...dictionary['passwords-common'].slice(0, 1000)];
  if (commonest.includes(password.toLowerCase()))
    throw invalid({ password: [say(authMessages.password_common)] });
}
