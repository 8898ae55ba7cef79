import type { Messages } from '../common/messages.js';

export const authMessages = {
  password_common: ['is one of the most common passwords', 'est l’un des mots de passe les plus courants'],
  password_wrong: ['is not the current password', 'n’est pas le mot de passe actuel'],
  bad_token: ['The token is wrong, has ended or was revoked.', 'Le jeton est faux, échu ou révoqué.'],
  missing_permission: ['This needs the permission {0}.', 'Il faut pour cela la permission {0}.'],
  too_many_attempts: [
    'Too many failed attempts. Please wait before the next one.',
    'Trop de tentatives échouées. Veuillez patienter avant la prochaine.',
  ],
  no_token: ['There is no such token.', 'Ce jeton n’existe pas.'],
} as const satisfies Messages;
