import type { Messages } from '../common/messages.js';

export const scanMessages = {
  none: ['The session has no such scan.', 'L’inventaire n’a pas ce scan.'],
  client_id_repeated: ['is that of another item already', 'est déjà celui d’un autre élément'],
  move_without_place: [
    'is required where the purchase is to be moved',
    'est obligatoire pour déplacer le bien',
  ],
  move_forbidden: [
    'Your roles do not allow moving purchases; scan without `move`.',
    'Vos rôles ne permettent pas de déplacer des biens ; scannez sans `move`.',
  ],
} as const satisfies Messages;
