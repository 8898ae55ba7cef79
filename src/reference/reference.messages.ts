import type { Messages } from '../common/messages.js';

export const referenceMessages = {
  none: ['There is no such entry.', 'Cet élément n’existe pas.'],
} as const satisfies Messages;
