import type { Messages } from '../common/messages.js';

export const httpMessages = {
  unknown_field: ['is not a field of this request', 'n’est pas un champ de cette requête'],
  given_twice: ['is given more than once', 'est donné plus d’une fois'],
  object: ['must be a JSON object', 'doit être un objet JSON'],
  body_depth: [
    'The body is nested more than {0} levels deep.',
    'Le corps est imbriqué sur plus de {0} niveaux.',
  ],
  body_values: ['must have at most {0} values', 'doit avoir {0} valeurs au plus'],
  body_size_public: ['The body is larger than 16 KiB.', 'Le corps dépasse 16 Kio.'],
  file_type: ['Send the file as one of: {0}.', 'Envoyez le fichier sous l’un de ces types : {0}.'],
  file_size: ['The file is larger than {0} MiB.', 'Le fichier dépasse {0} Mio.'],
  file_missing: ['is required: a file', 'est obligatoire : un fichier'],
  form: [
    'The form (multipart/form-data) is malformed.',
    'Le formulaire (multipart/form-data) est mal formé.',
  ],
  body_plain: ['Send the body without compression.', 'Envoyez le corps sans compression.'],
} as const satisfies Messages;
