import type { Messages } from '../common/messages.js';

export const httpMessages = {
  unknown_field: ['is not a field of this request', 'n’est pas un champ de cette requête'],
  given_twice: ['is given more than once', 'est donné plus d’une fois'],
  object: ['must be a JSON object', 'doit être un objet JSON'],
  body_depth: [
    'The body is nested more than {0} levels deep.',
    'Le corps est imbriqué sur plus de {0} niveaux.',
  ],
} as const satisfies Messages;
