/** Every sentence that a client may read, by key, in each of the languages; `{0}`, `{1}` … are filled in. */
export const messages = {
  required: ['is required', 'est obligatoire'],
  not_null: ['must not be null', 'ne doit pas être null'],
  not_empty: ['must not be empty', 'ne doit pas être vide'],
  unknown_field: ['is not a field of this request', 'n’est pas un champ de cette requête'],
  given_twice: ['is given more than once', 'est donné plus d’une fois'],
  object: ['must be a JSON object', 'doit être un objet JSON'],
  text: ['must be a string', 'doit être une chaîne de caractères'],
  text_max: ['must be at most {0} characters long', 'doit avoir {0} caractères au plus'],
  text_min: ['must be at least {0} characters long', 'doit avoir {0} caractères au moins'],
  text_characters: [
    'must not contain NUL characters or lone surrogates',
    'ne doit contenir ni caractère NUL ni demi-codet isolé',
  ],
  text_control: ['must not contain control characters', 'ne doit pas contenir de caractère de contrôle'],
  login: [
    'must not contain @, white space or control characters',
    'ne doit contenir ni @, ni espace, ni caractère de contrôle',
  ],
  email: ['must be an e-mail address', 'doit être une adresse électronique'],
  integer: ['must be an integer from {0} to {1}', 'doit être un nombre entier de {0} à {1}'],
  money: [
    'must be a number from 0 to 9999999999.99 with at most 2 decimals',
    'doit être un nombre de 0 à 9999999999.99 avec 2 décimales au plus',
  ],
  date: ['must be a calendar date, YYYY-MM-DD', 'doit être une date du calendrier, AAAA-MM-JJ'],
  moment: [
    'must be a date, YYYY-MM-DD, or an instant, such as 2026-10-15T08:30:00Z',
    'doit être une date, AAAA-MM-JJ, ou un instant, comme 2026-10-15T08:30:00Z',
  ],
  instant: [
    'must be an instant, such as 2026-10-15T08:30:00Z',
    'doit être un instant, comme 2026-10-15T08:30:00Z',
  ],
  boolean: ['must be true or false', 'doit être true ou false'],
  query_boolean: ['must be true, false, 1 or 0', 'doit être true, false, 1 ou 0'],
  choice: ['must be one of {0}', 'doit être l’une des valeurs {0}'],
  list: [
    'must be a list of strings without repetition',
    'doit être une liste de chaînes de caractères sans répétition',
  ],
  decimal: [
    'must be a number from {0} to {1} with at most 2 decimals',
    'doit être un nombre de {0} à {1} avec 2 décimales au plus',
  ],
  not_found: ['does not exist', 'n’existe pas'],
  taken: ['is used already', 'est déjà utilisé'],
  code_taken: ['is or was on the label of another purchase', 'est ou a été sur l’étiquette d’un autre achat'],
  before_purchase: ['must not be before purchase_date', 'ne doit pas précéder purchase_date'],
  coefficient_linear: ['must be empty for a linear category', 'doit être vide pour une catégorie linéaire'],
  coefficient_required: [
    'is required for a declining category shorter than 3 years',
    'est obligatoire pour une catégorie dégressive de moins de 3 ans',
  ],
  password_common: ['is one of the most common passwords', 'est l’un des mots de passe les plus courants'],
  password_wrong: ['is not the current password', 'n’est pas le mot de passe actuel'],
  last_admin: [
    'would leave no active user who may manage users',
    'ne laisserait aucun utilisateur actif qui puisse gérer les utilisateurs',
  ],
  cursor: [
    'is not a cursor of this list in this order',
    'n’est pas un curseur de cette liste dans cet ordre',
  ],
  cursor_and_page: ['cannot be combined with page', 'ne se combine pas avec page'],
  not_with_updated_since: ['cannot be combined with updated_since', 'ne se combine pas avec updated_since'],
  needs_updated_since: ['needs updated_since', 'exige updated_since'],
  entity_tags: [
    'must be * or a list of entity tags in double quotes, as in ETag',
    'doit être * ou une liste d’étiquettes entre guillemets, comme dans ETag',
  ],
  idempotency_key: [
    'must be 1 to 255 visible ASCII characters, as they are or in double quotes',
    'doit avoir 1 à 255 caractères ASCII visibles, tels quels ou entre guillemets',
  ],
  key_reused: [
    'was used with another body; take a new key for a new request',
    'a servi avec un autre corps ; prenez une nouvelle clé pour une nouvelle requête',
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
  unavailable: ['Please try again in a moment.', 'Veuillez réessayer dans un instant.'],
  in_use: [
    'Purchases that use it: {0}. Set is_active to false instead.',
    'Achats qui l’utilisent : {0}. Mettez plutôt is_active à false.',
  ],
  session_closed: [
    'The session is closed, so it can no longer be changed.',
    'L’inventaire est clôturé : il ne peut plus être modifié.',
  ],
  session_already_closed: ['The session is closed already.', 'L’inventaire est déjà clôturé.'],
  session_has_scans: [
    'The session has scans already, so it cannot be deleted.',
    'L’inventaire a déjà des scans : il ne peut pas être supprimé.',
  ],
  in_flight: [
    'A request with this Idempotency-Key is still running. Please try again in a moment.',
    'Une requête avec cette Idempotency-Key est encore en cours. Veuillez réessayer dans un instant.',
  ],
  stale: [
    'It was changed meanwhile. Read it again, and decide whether your change still holds.',
    'Il a été modifié entre-temps. Relisez-le et voyez si votre modification vaut toujours.',
  ],
  no_token: [
    'Send the token in the header: Authorization: Bearer <token>.',
    'Envoyez le jeton dans l’en-tête : Authorization: Bearer <jeton>.',
  ],
  bad_token: ['The token is wrong, has ended or was revoked.', 'Le jeton est faux, échu ou révoqué.'],
  bad_credentials: ['The credentials are wrong.', 'Les identifiants sont faux.'],
  forbidden: ['Your roles do not allow this.', 'Vos rôles ne le permettent pas.'],
  missing_permission: ['This needs the permission {0}.', 'Il faut pour cela la permission {0}.'],
  no_route: ['There is nothing at this address.', 'Il n’y a rien à cette adresse.'],
  row_user: ['There is no such user.', 'Cet utilisateur n’existe pas.'],
  row_role: ['There is no such role.', 'Ce rôle n’existe pas.'],
  row_token: ['There is no such token.', 'Ce jeton n’existe pas.'],
  row_article: ['There is no such article.', 'Cet article n’existe pas.'],
  row_purchase: ['There is no such purchase.', 'Cet achat n’existe pas.'],
  row_supplier: ['There is no such supplier.', 'Ce fournisseur n’existe pas.'],
  row_reference: ['There is no such entry.', 'Cet élément n’existe pas.'],
  row_inventory: ['There is no such inventory session.', 'Cet inventaire n’existe pas.'],
  row_equipment: ['There is no such equipment.', 'Cet équipement n’existe pas.'],
  row_tier: ['There is no such third party.', 'Ce tiers n’existe pas.'],
  method: ['This address answers {0}.', 'Cette adresse répond à {0}.'],
  body_json: ['The body is not valid JSON in UTF-8.', 'Le corps n’est pas du JSON valide en UTF-8.'],
  body_depth: [
    'The body is nested more than {0} levels deep.',
    'Le corps est imbriqué sur plus de {0} niveaux.',
  ],
  body_type: [
    'Send the body as application/json in UTF-8.',
    'Envoyez le corps en application/json, en UTF-8.',
  ],
  body_size: ['The body is larger than 1 MiB.', 'Le corps dépasse 1 Mio.'],
  too_many_requests: [
    'Too many requests. Please try again in a moment.',
    'Trop de requêtes. Veuillez réessayer dans un instant.',
  ],
  too_many_attempts: [
    'Too many failed attempts. Please wait before the next one.',
    'Trop de tentatives échouées. Veuillez patienter avant la prochaine.',
  ],
  invalid: ['Some fields are not valid; see errors.', 'Certains champs ne sont pas valides ; voir errors.'],
  internal: [
    'The error was logged under the request id.',
    'L’erreur est consignée sous l’identifiant de la requête.',
  ],
  bad_request: ['The request cannot be understood.', 'La requête est incompréhensible.'],
  'title-malformed-body': ['Malformed body', 'Corps mal formé'],
  'title-bad-request': ['Bad request', 'Requête incorrecte'],
  'title-unauthenticated': ['Not authenticated', 'Non authentifié'],
  'title-bad-credentials': ['Wrong credentials', 'Identifiants incorrects'],
  'title-forbidden': ['Access denied', 'Accès refusé'],
  'title-not-found': ['Not found', 'Introuvable'],
  'title-method-not-allowed': ['Method not allowed', 'Méthode non autorisée'],
  'title-in-use': ['Still in use', 'Encore utilisé'],
  'title-session-closed': ['Session closed', 'Inventaire clôturé'],
  'title-session-has-scans': ['Session has scans', 'Inventaire déjà commencé'],
  'title-request-in-flight': ['Request in flight', 'Requête en cours'],
  'title-stale': ['Changed meanwhile', 'Modifié entre-temps'],
  'title-body-too-large': ['Body too large', 'Corps trop volumineux'],
  'title-unsupported-media-type': ['Unsupported media type', 'Type de contenu non pris en charge'],
  'title-validation-failed': ['Validation failed', 'Champs non valides'],
  'title-too-many-requests': ['Too many requests', 'Trop de requêtes'],
  'title-internal': ['Internal error', 'Erreur interne'],
  'title-unavailable': ['Temporarily unavailable', 'Momentanément indisponible'],
} as const satisfies Record<string, readonly [en: string, fr: string]>;

export const LANGUAGES = ['en', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

export type MessageKey = keyof typeof messages;

const SEPARATOR = '\u001f';

/** A message to be rendered when the answer is written: a plain string, so that class-validator can carry it. */
export function say(key: MessageKey, ...values: (string | number)[]): string {
  return [key, ...values].join(SEPARATOR);
}

export function render(message: string, language: Language = 'en'): string {
  const [key = '', ...values] = message.split(SEPARATOR);
  const texts = key in messages ? messages[key as MessageKey] : null;
  const text = texts?.[LANGUAGES.indexOf(language)] ?? key;
  return text.replace(/\{(\d)\}/g, (_, position: string) => values[Number(position)] ?? '');
}
