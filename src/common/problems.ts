import type { Message } from './messages.js';

interface Problem {
  status: number;
  title: Message;
  /** Where nothing more exact is known. */
  detail: Message;
}

/** The closed list of problems: the `type` of an answer is `/problems/<code>`. */
export const problems = {
  'malformed-body': {
    status: 400,
    title: ['Malformed body', 'Corps mal formé'],
    detail: ['The body is not valid JSON in UTF-8.', 'Le corps n’est pas du JSON valide en UTF-8.'],
  },
  'bad-request': {
    status: 400,
    title: ['Bad request', 'Requête incorrecte'],
    detail: ['The request cannot be understood.', 'La requête est incompréhensible.'],
  },
  unauthenticated: {
    status: 401,
    title: ['Not authenticated', 'Non authentifié'],
    detail: [
      'Send the token in the header: Authorization: Bearer <token>.',
      'Envoyez le jeton dans l’en-tête : Authorization: Bearer <jeton>.',
    ],
  },
  'bad-credentials': {
    status: 401,
    title: ['Wrong credentials', 'Identifiants incorrects'],
    detail: ['The credentials are wrong.', 'Les identifiants sont faux.'],
  },
  forbidden: {
    status: 403,
    title: ['Access denied', 'Accès refusé'],
    detail: ['Your roles do not allow this.', 'Vos rôles ne le permettent pas.'],
  },
  'not-found': {
    status: 404,
    title: ['Not found', 'Introuvable'],
    detail: ['There is nothing at this address.', 'Il n’y a rien à cette adresse.'],
  },
  'method-not-allowed': {
    status: 405,
    title: ['Method not allowed', 'Méthode non autorisée'],
    detail: ['This address answers {0}.', 'Cette adresse répond à {0}.'],
  },
  'in-use': {
    status: 409,
    title: ['Still in use', 'Encore utilisé'],
    detail: [
      'Purchases that use it: {0}. Set is_active to false instead.',
      'Achats qui l’utilisent : {0}. Mettez plutôt is_active à false.',
    ],
  },
  'refers-to-deleted': {
    status: 409,
    title: ['Refers to what is deleted', 'Renvoie à un élément supprimé'],
    detail: [
      'What it refers to is deleted too; restore that first: {0}.',
      'Ce à quoi il renvoie est aussi supprimé ; restaurez-le d’abord : {0}.',
    ],
  },
  'session-closed': {
    status: 409,
    title: ['Session closed', 'Inventaire clôturé'],
    detail: [
      'The session is closed, so it can no longer be changed.',
      'L’inventaire est clôturé : il ne peut plus être modifié.',
    ],
  },
  'session-has-scans': {
    status: 409,
    title: ['Session has scans', 'Inventaire déjà commencé'],
    detail: [
      'The session has scans already, so it cannot be deleted.',
      'L’inventaire a déjà des scans : il ne peut pas être supprimé.',
    ],
  },
  'session-open': {
    status: 409,
    title: ['Session open', 'Inventaire ouvert'],
    detail: ['The session is open already.', 'L’inventaire est déjà ouvert.'],
  },
  'session-superseded': {
    status: 409,
    title: ['A later session is closed', 'Un inventaire ultérieur est clôturé'],
    detail: [
      'A session of the same scope that was opened later is closed already, so this one stays as it is.',
      'Un inventaire de même périmètre, ouvert plus tard, est déjà clôturé : celui-ci reste tel quel.',
    ],
  },
  'already-disposed': {
    status: 409,
    title: ['Disposed of already', 'Déjà sorti'],
    detail: [
      'It was disposed of already. Undo that first to correct it.',
      'Il est déjà sorti. Annulez d’abord cette sortie pour la corriger.',
    ],
  },
  'not-disposed': {
    status: 409,
    title: ['Not disposed of', 'Pas sorti'],
    detail: [
      'It was not disposed of, so there is nothing to undo.',
      'Il n’est pas sorti : il n’y a rien à annuler.',
    ],
  },
  'already-decided': {
    status: 409,
    title: ['Decided already', 'Déjà décidé'],
    detail: ['Somebody has decided on it already.', 'Quelqu’un en a déjà décidé.'],
  },
  'request-in-flight': {
    status: 409,
    title: ['Request in flight', 'Requête en cours'],
    detail: [
      'A request with this Idempotency-Key is still running. Please try again in a moment.',
      'Une requête avec cette Idempotency-Key est encore en cours. Veuillez réessayer dans un instant.',
    ],
  },
  stale: {
    status: 412,
    title: ['Changed meanwhile', 'Modifié entre-temps'],
    detail: [
      'It was changed meanwhile. Read it again, and decide whether your change still holds.',
      'Il a été modifié entre-temps. Relisez-le et voyez si votre modification vaut toujours.',
    ],
  },
  'body-too-large': {
    status: 413,
    title: ['Body too large', 'Corps trop volumineux'],
    detail: ['The body is larger than 1 MiB.', 'Le corps dépasse 1 Mio.'],
  },
  'address-too-long': {
    status: 414,
    title: ['Address too long', 'Adresse trop longue'],
    detail: ['The address is longer than 16 384 characters.', 'L’adresse dépasse 16 384 caractères.'],
  },
  'unsupported-media-type': {
    status: 415,
    title: ['Unsupported media type', 'Type de contenu non pris en charge'],
    detail: [
      'Send the body as application/json in UTF-8.',
      'Envoyez le corps en application/json, en UTF-8.',
    ],
  },
  'range-not-satisfiable': {
    status: 416,
    title: ['Range not satisfiable', 'Plage inaccessible'],
    detail: [
      'The file ends before the range that was asked for.',
      'Le fichier se termine avant la plage demandée.',
    ],
  },
  'validation-failed': {
    status: 422,
    title: ['Validation failed', 'Champs non valides'],
    detail: ['Some fields are not valid; see errors.', 'Certains champs ne sont pas valides ; voir errors.'],
  },
  'too-many-requests': {
    status: 429,
    title: ['Too many requests', 'Trop de requêtes'],
    detail: [
      'Too many requests. Please try again in a moment.',
      'Trop de requêtes. Veuillez réessayer dans un instant.',
    ],
  },
  internal: {
    status: 500,
    title: ['Internal error', 'Erreur interne'],
    detail: [
      'The error was logged under the request id.',
      'L’erreur est consignée sous l’identifiant de la requête.',
    ],
  },
  unavailable: {
    status: 503,
    title: ['Temporarily unavailable', 'Momentanément indisponible'],
    detail: ['Please try again in a moment.', 'Veuillez réessayer dans un instant.'],
  },
} as const satisfies Record<string, Problem>;

export type ProblemCode = keyof typeof problems;
