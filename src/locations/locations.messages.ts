import type { Messages } from '../common/messages.js';
import { MAX_LEVELS } from './location.entity.js';

export const locationMessages = {
  none: ['There is no such place.', 'Ce lieu n’existe pas.'],
  code_taken: ['is or was the code of another place', 'est ou a été le code d’un autre lieu'],
  circle: [
    'must not be the place itself or lie below it',
    'ne doit être ni le lieu lui-même ni au-dessous de lui',
  ],
  too_deep: [
    `makes the tree deeper than ${MAX_LEVELS} levels`,
    `porte l’arborescence à plus de ${MAX_LEVELS} niveaux`,
  ],
  in_use: [
    'Places below it: {0}; purchases there: {1}; inventory sessions that use it: {2}. Set is_active to false instead.',
    'Lieux au-dessous : {0} ; achats qui s’y trouvent : {1} ; inventaires qui s’en servent : {2}. Mettez plutôt is_active à false.',
  ],
} as const satisfies Messages;
