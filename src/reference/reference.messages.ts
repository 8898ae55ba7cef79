import type { Messages } from '../common/messages.js';

export const referenceMessages = {
  none: ['There is no such entry.', 'Cet élément n’existe pas.'],
  in_use: ['Articles that use it: {0}.', 'Articles qui l’utilisent : {0}.'],
  in_use_by_sessions: ['Inventory sessions of it: {0}.', 'Inventaires de cette catégorie : {0}.'],
  in_use_by_both: [
    'Articles that use it: {0}; inventory sessions of it: {1}.',
    'Articles qui l’utilisent : {0} ; inventaires de cette catégorie : {1}.',
  ],
  coefficient: [
    'must be a number from {0} to {1} with at most 2 decimals',
    'doit être un nombre de {0} à {1} avec 2 décimales au plus',
  ],
  coefficient_linear: ['must be empty for a linear category', 'doit être vide pour une catégorie linéaire'],
  coefficient_required: [
    'is required for a declining category shorter than 3 years',
    'est obligatoire pour une catégorie dégressive de moins de 3 ans',
  ],
} as const satisfies Messages;
