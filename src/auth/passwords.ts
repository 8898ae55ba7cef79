import { Algorithm, hash, verify } from '@node-rs/argon2';
import { invalid } from '../common/errors.js';
import { say } from '../common/messages.js';

export const MIN_PASSWORD = 8;

/** OWASP's first choice of parameters for argon2id: 19 MiB, 2 passes, 1 lane. */
const ARGON2 = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Checked when there is no such user, so that the answer takes as long as for a wrong password.
const nobody = hash('nobody has this password', ARGON2);

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2);

export async function isPassword(hashed: string | undefined, password: string): Promise<boolean> {
  const matches = await verify(hashed ?? (await nobody), password);
  return matches && hashed !== undefined;
}

/** @throws DomainError validation-failed when the password is one of the 1 000 commonest */
export async function refuseCommonPassword(password: string): Promise<void> {
  // Loaded when first needed: the list is 0.5 MB, and most processes never set a password.
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const commonest = dictionary['passwords-common'].slice(0, 1000);
  if (commonest.includes(password.toLowerCase())) throw invalid({ password: [say('password_common')] });
}
