import type { Messages } from '../common/messages.js';

export const fieldMessages = {
  none: ['There is no such field.', 'Ce champ n’existe pas.'],
  choices_required: ['is required for a choice: at least one', 'est obligatoire pour un choix : au moins un'],
  choices_of_others: ['is for a choice alone', 'n’est que pour un choix'],
  choice_in_use: ['is used by {1}: {0}', 'est utilisé par {1} : {0}'],
  articles: [
    'Articles that use it: {0}. Set is_active to false instead.',
    'Articles qui l’utilisent : {0}. Mettez plutôt is_active à false.',
  ],
  values: [
    'must be an object with at most {0} fields, each a text, a number, true, false or null',
    'doit être un objet de {0} champs au plus, chacun un texte, un nombre, true, false ou null',
  ],
  unknown: ['is no active field: GET /fields lists them', 'n’est pas un champ actif : GET /fields les liste'],
  no_key: [
    'is not the key of a field: GET /fields lists them',
    'n’est pas la clé d’un champ : GET /fields les liste',
  ],
  number: [
    'must be a number from -999999999999 to 999999999999 with at most 6 decimals',
    'doit être un nombre de -999999999999 à 999999999999 avec 6 décimales au plus',
  ],
} as const satisfies Messages;
