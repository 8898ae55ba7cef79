import type { Messages } from '../common/messages.js';

export const inventoryMessages = {
  session_already_closed: ['The session is closed already.', 'L’inventaire est déjà clôturé.'],
  not_closed: [
    'The session is open, so nobody knows yet what is missing. Close it first.',
    'L’inventaire est ouvert : on ne sait pas encore ce qui manque. Clôturez-le d’abord.',
  ],
  not_missing: ['was not missing in this session', 'ne manquait pas dans cet inventaire'],
  none: ['There is no such inventory session.', 'Cet inventaire n’existe pas.'],
  later_closed: [
    'The session {0}, which was opened later, is closed already.',
    'L’inventaire {0}, ouvert plus tard, est déjà clôturé.',
  ],
} as const satisfies Messages;
