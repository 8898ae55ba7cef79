import type { Messages } from '../common/messages.js';

export const inventoryMessages = {
  session_already_closed: ['The session is closed already.', 'L’inventaire est déjà clôturé.'],
  none: ['There is no such inventory session.', 'Cet inventaire n’existe pas.'],
  later_closed: [
    'The session {0}, which was opened later, is closed already.',
    'L’inventaire {0}, ouvert plus tard, est déjà clôturé.',
  ],
} as const satisfies Messages;
