import type { Messages } from '../common/messages.js';

export const userMessages = {
  login: [
    'must not contain @, white space or control characters',
    'ne doit contenir ni @, ni espace, ni caractère de contrôle',
  ],
  last_admin: [
    'would leave no active user who may manage users',
    'ne laisserait aucun utilisateur actif qui puisse gérer les utilisateurs',
  ],
  last_full_admin: [
    'would leave no active user who manages users and has every permission, so that nobody could give each again',
    'ne laisserait aucun utilisateur actif qui gère les utilisateurs et ait toutes les permissions : personne ne pourrait les redonner toutes',
  ],
  missing_permissions: [
    'This needs permissions that you do not have: {0}.',
    'Il faut pour cela des permissions que vous n’avez pas : {0}.',
  ],
  none: ['There is no such user.', 'Cet utilisateur n’existe pas.'],
  no_role: ['There is no such role.', 'Ce rôle n’existe pas.'],
} as const satisfies Messages;
