import type { Messages } from '../common/messages.js';

export const scanMessages = {
  none: ['The session has no such scan.', 'L’inventaire n’a pas ce scan.'],
  none_misplaced: [
    'The session did not find this purchase elsewhere than where it belongs.',
    'L’inventaire n’a pas trouvé ce bien ailleurs qu’à sa place.',
  ],
  none_unknown: ['The session has no such unknown code.', 'L’inventaire n’a pas ce code inconnu.'],
  none_late: ['The session has no such late scan.', 'L’inventaire n’a pas ce scan tardif.'],
  place_gone: ['The place where it was found was deleted.', 'Le lieu où il a été trouvé a été supprimé.'],
  purchase_gone: ['The purchase was deleted.', 'Le bien a été supprimé.'],
  code_of_another: [
    'has a code already that is this one of another purchase',
    'n’a pas ce code : il est celui d’un autre bien',
  ],
  code_too_long: [
    'cannot have a code longer than {0} characters',
    'ne peut pas avoir un code de plus de {0} caractères',
  ],
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
