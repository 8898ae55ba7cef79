import type { Messages } from '../common/messages.js';

export const scanMessages = {
  none: ['The session has no such scan.', 'L’inventaire n’a pas ce scan.'],
  client_id_repeated: ['is that of another item already', 'est déjà celui d’un autre élément'],
} as const satisfies Messages;
