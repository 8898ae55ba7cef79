import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** As Standard Webhooks 1.0 has it: 32 random bytes in base64 after `whsec_`. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

/**
 * The headers by which a receiver knows that a message is ours, and not an old one sent again by somebody else
 * (Standard Webhooks 1.0). One signature for each secret that is good now.
 */
export function signed(id: string, at: Date, body: string, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
}
