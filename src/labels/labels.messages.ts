import type { Messages } from '../common/messages.js';

export const labelMessages = {
  ids: [
    'must be a list of ids, separated by commas',
    'doit être une liste d’identifiants séparés par des virgules',
  ],
  number: ['must be a number from {0} to {1}', 'doit être un nombre de {0} à {1}'],
  one: [
    'must leave exactly one label for this format, not {0}',
    'doit laisser une seule étiquette pour ce format, et non {0}',
  ],
  none: ['leaves no label to print', 'ne laisse aucune étiquette à imprimer'],
  too_many: [
    'leaves more than {0} labels; ask for some of them at a time',
    'laisse plus de {0} étiquettes ; demandez-les en plusieurs fois',
  ],
  not_left: [
    'has items that do not exist or that the filters leave out: {0}',
    'a des éléments qui n’existent pas ou que les filtres écartent : {0}',
  ],
  no_code: ['has items without a code: {0}', 'a des éléments sans code : {0}'],
  of_custom: ['is required for custom labels', 'est obligatoire pour des étiquettes custom'],
  not_custom: ['is of custom labels only', 'ne vaut que pour des étiquettes custom'],
  overlap: ['lets labels overlap', 'fait se chevaucher les étiquettes'],
  off_page: ['leads off the page of {0} mm', 'mène hors de la page de {0} mm'],
  skip: [
    'must be less than the {0} labels of a sheet',
    'doit être inférieur aux {0} étiquettes d’une planche',
  ],
  not_held: ['cannot hold the code {0}', 'ne peut pas contenir le code {0}'],
  no_room: [
    'has no room for the symbol of {0} and its letters',
    'n’a pas la place du symbole de {0} et de ses lettres',
  ],
} as const satisfies Messages;
