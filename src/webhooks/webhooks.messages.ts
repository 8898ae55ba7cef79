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
  secret_lost: [
    'has made webhook {0} already, whose secret was kept with another WEBHOOK_KEY; rotate it to have one',
    'a déjà créé le webhook {0}, dont le secret était gardé avec une autre WEBHOOK_KEY ; renouvelez-le pour en avoir un',
  ],
} as const satisfies Messages;
