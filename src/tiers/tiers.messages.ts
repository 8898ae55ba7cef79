import type { Messages } from '../common/messages.js';

export const tierMessages = {
  none: ['There is no such third party.', 'Ce tiers n’existe pas.'],
} as const satisfies Messages;
