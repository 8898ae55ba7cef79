import type { Messages } from '../common/messages.js';

export const inventoryMessages = {
  session_already_closed: ['The session is closed already.', 'L’inventaire est déjà clôturé.'],
  none: ['There is no such inventory session.', 'Cet inventaire n’existe pas.'],
} as const satisfies Messages;
