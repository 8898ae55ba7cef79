import type { Messages } from '../common/messages.js';

export const importMessages = {
  decimal: [
    'must be a number from {0} to {1} with at most 2 decimals',
    'doit être un nombre de {0} à {1} avec 2 décimales au plus',
  ],
  coefficient_linear: ['must be empty for a linear category', 'doit être vide pour une catégorie linéaire'],
  coefficient_required: [
    'is required for a declining category shorter than 3 years',
    'est obligatoire pour une catégorie dégressive de moins de 3 ans',
  ],
  ambiguous: ['matches {0} rows', 'correspond à {0} lignes'],
  no_match: ['matches nothing: {0}', 'ne correspond à rien : {0}'],
  repeated: ['is on line {0} too', 'est aussi à la ligne {0}'],
  columns: ['has {0} columns instead of {1}', 'a {0} colonnes au lieu de {1}'],
  unknown_column: ['is not a column of this import', 'n’est pas une colonne de cet import'],
  quote_open: ['has a quote that is never closed', 'a un guillemet qui n’est jamais fermé'],
  quote_inside: [
    'has a quote in the middle of a cell; such a cell stands in quotes, with each of its own written twice',
    'a un guillemet au milieu d’une cellule ; une telle cellule se met entre guillemets, les siens étant doublés',
  ],
  not_utf8: [
    'is not UTF-8; save the file as CSV UTF-8',
    'n’est pas en UTF-8 ; enregistrez le fichier au format CSV UTF-8',
  ],
} as const satisfies Messages;
