import type { Messages } from '../common/messages.js';

export const webhookMessages = {
  none: ['There is no such webhook.', 'Ce webhook n’existe pas.'],
  no_delivery: ['There is no such delivery.', 'Cet envoi n’existe pas.'],
  url: [
    'must be an address such as https://example.org/hooks, without user, password or fragment',
    'doit être une adresse comme https://example.org/hooks, sans utilisateur, mot de passe ni fragment',
  ],
  out_of_reach: [
    'leads to {0}, which is not reachable from everywhere; WEBHOOK_ALLOW may allow it',
    'mène à {0}, qui n’est pas joignable de partout ; WEBHOOK_ALLOW peut l’autoriser',
  ],
} as const satisfies Messages;
