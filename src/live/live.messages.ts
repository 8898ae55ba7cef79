import type { Messages } from '../common/messages.js';

export const liveMessages = {
  too_many: [
    'Too many streams of events are open for this user. Close some of them.',
    'Trop de flux d’événements sont ouverts pour cet utilisateur. Fermez-en.',
  ],
} as const satisfies Messages;
