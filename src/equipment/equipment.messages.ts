import type { Messages } from '../common/messages.js';

export const equipmentMessages = {
  none: ['There is no such equipment.', 'Cet équipement n’existe pas.'],
} as const satisfies Messages;
