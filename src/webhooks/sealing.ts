import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const SEALED = 'v1:';
const IV = 12;
const TAG = 16;

/** The secret was kept with another key than those that are set. */
export class Unreadable extends Error {
  constructor() {
    super('The secret cannot be read: it was kept with another WEBHOOK_KEY. Rotate it.');
  }
}

/**
 * Secrets as the database holds them. Messages are signed with the secret itself, so that a hash of it would not do:
 * with a key of its own they are encrypted, so that whoever reads the database or a backup can sign nothing.
 */
export class Seal {
  private readonly keys: Buffer[];

  /** `keys` in base64: the first seals, all of them open; without one secrets are kept as they are. */
  constructor(keys: string[]) {
    this.keys = keys.map((key) => Buffer.from(key, 'base64'));
  }

  close(secret: string): string {
    const [key] = this.keys;
    if (!key) return secret;
    const iv = randomBytes(IV);
    const cipher = createCipheriv(CIPHER, key, iv);
    const sealed = [iv, cipher.update(secret, 'utf8'), cipher.final(), cipher.getAuthTag()];
    return SEALED + Buffer.concat(sealed).toString('base64');
  }

  /** Of those before the one that signs: what cannot be read any more is left out. */
  openAny(kept: string[]): string[] {
    return kept.flatMap((one) => {
      try {
        return [this.open(one)];
      } catch {
        return [];
      }
    });
  }

  /** @throws Unreadable */
  open(kept: string): string {
    if (!kept.startsWith(SEALED)) return kept;
    const sealed = Buffer.from(kept.slice(SEALED.length), 'base64');
    for (const key of this.keys) {
      try {
        const decipher = createDecipheriv(CIPHER, key, sealed.subarray(0, IV));
        decipher.setAuthTag(sealed.subarray(-TAG));
        return decipher.update(sealed.subarray(IV, -TAG), undefined, 'utf8') + decipher.final('utf8');
      } catch {
        // not by this one
      }
    }
    throw new Unreadable();
  }
}
