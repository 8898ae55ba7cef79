import type { Messages } from '../common/messages.js';

export const amortizationMessages = {
  assets: ['Fixed assets', 'Immobilisations'],
  linear: ['Linear', 'Linéaire'],
  declining: ['Declining', 'Dégressif'],
} as const satisfies Messages;
