import type { Messages } from '../common/messages.js';

export const articleMessages = {
  none: ['There is no such article.', 'Cet article n’existe pas.'],
} as const satisfies Messages;
