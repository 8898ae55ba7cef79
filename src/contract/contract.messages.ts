import type { Messages } from '../common/messages.js';

export const contractMessages = {
  required: ['is required', 'est obligatoire'],
  not_null: ['must not be null', 'ne doit pas être null'],
  not_empty: ['must not be empty', 'ne doit pas être vide'],
  text: ['must be a string', 'doit être une chaîne de caractères'],
  text_max: ['must be at most {0} characters long', 'doit avoir {0} caractères au plus'],
  text_min: ['must be at least {0} characters long', 'doit avoir {0} caractères au moins'],
  text_format: [
    'must not contain invisible or bidirectional format characters',
    'ne doit pas contenir de caractère de format, invisible ou bidirectionnel',
  ],
  text_control: ['must not contain control characters', 'ne doit pas contenir de caractère de contrôle'],
  text_characters: [
    'must not contain NUL characters or lone surrogates',
    'ne doit contenir ni caractère NUL ni demi-codet isolé',
  ],
  email: ['must be an e-mail address', 'doit être une adresse électronique'],
  integer: ['must be an integer from {0} to {1}', 'doit être un nombre entier de {0} à {1}'],
  money: [
    'must be a number from 0 to 9999999999.99 with at most 2 decimals',
    'doit être un nombre de 0 à 9999999999.99 avec 2 décimales au plus',
  ],
  date: ['must be a calendar date, YYYY-MM-DD', 'doit être une date du calendrier, AAAA-MM-JJ'],
  modern_date: ['must be a day of the years 1900 to 2200', 'doit être un jour des années 1900 à 2200'],
  moment: [
    'must be a date, YYYY-MM-DD, or an instant, such as 2026-10-15T08:30:00Z',
    'doit être une date, AAAA-MM-JJ, ou un instant, comme 2026-10-15T08:30:00Z',
  ],
  instant: [
    'must be an instant, such as 2026-10-15T08:30:00Z',
    'doit être un instant, comme 2026-10-15T08:30:00Z',
  ],
  uuid: [
    'must be a UUID, such as 3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a',
    'doit être un UUID, comme 3f0a7c11-9a53-4f0e-8d0a-0b6f3c1e5d0a',
  ],
  items: ['must be a list of 1 to {0} objects', 'doit être une liste de 1 à {0} objets'],
  boolean: ['must be true or false', 'doit être true ou false'],
  query_boolean: ['must be true, false, 1 or 0', 'doit être true, false, 1 ou 0'],
  choice: ['must be one of {0}', 'doit être l’une des valeurs {0}'],
  choices: ['must be a list of some of {0}', 'doit être une liste de valeurs parmi {0}'],
  list: ['must be a list of at most {0} strings', 'doit être une liste de {0} chaînes de caractères au plus'],
  list_item: [
    'has an item that is no string of 1 to {1} characters, number {0}',
    'a un élément qui n’est pas une chaîne de 1 à {1} caractères, le numéro {0}',
  ],
  ids: ['must be a list of 1 to {0} ids', 'doit être une liste de 1 à {0} identifiants'],
  ids_item: [
    'has an item that is no integer from 1 to {1}, number {0}',
    'a un élément qui n’est pas un nombre entier de 1 à {1}, le numéro {0}',
  ],
  ids_repeated: ['has an item twice', 'a un élément deux fois'],
  list_repeated: ['has an item twice: {0}', 'a un élément deux fois : {0}'],
  items_not_found: ['has items that do not exist: {0}', 'a des éléments qui n’existent pas : {0}'],
  file_name: ['must not have a slash or a backslash', 'ne doit comporter ni « / » ni « \\ »'],
  not_found: ['does not exist', 'n’existe pas'],
  taken: ['is used already', 'est déjà utilisé'],
  cursor: [
    'is not a cursor of this list in this order',
    'n’est pas un curseur de cette liste dans cet ordre',
  ],
  cursor_and_page: ['cannot be combined with page', 'ne se combine pas avec page'],
  not_with_updated_since: ['cannot be combined with updated_since', 'ne se combine pas avec updated_since'],
  not_with_format: ['cannot be combined with format', 'ne se combine pas avec format'],
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
} as const satisfies Messages;
