/** Every sentence that a client may read, by key; `{0}`, `{1}` … are filled in when it is rendered. */
export const messages = {
  required: 'is required',
  not_null: 'must not be null',
  not_empty: 'must not be empty',
  unknown_field: 'is not a field of this request',
  given_twice: 'is given more than once',
  object: 'must be a JSON object',
  text: 'must be a string',
  text_max: 'must be at most {0} characters long',
  text_min: 'must be at least {0} characters long',
  text_characters: 'must not contain NUL characters or lone surrogates',
  text_control: 'must not contain control characters',
  login: 'must not contain @ or white space',
  email: 'must be an e-mail address',
  integer: 'must be an integer from {0} to {1}',
  money: 'must be a number from 0 to 9999999999.99 with at most 2 decimals',
  date: 'must be a calendar date, YYYY-MM-DD',
  moment: 'must be a date, YYYY-MM-DD, or an instant, such as 2026-10-15T08:30:00Z',
  boolean: 'must be true or false',
  query_boolean: 'must be true, false, 1 or 0',
  choice: 'must be one of {0}',
  list: 'must be a list of strings without repetition',
  decimal: 'must be a number from {0} to {1} with at most 2 decimals',
  not_found: 'does not exist',
  taken: 'is used already',
  code_taken: 'is or was on the label of another purchase',
  before_purchase: 'must not be before purchase_date',
  coefficient_linear: 'must be empty for a linear category',
  coefficient_required: 'is required for a declining category shorter than 3 years',
  password_common: 'is one of the most common passwords',
  password_wrong: 'is not the current password',
  last_admin: 'would leave no active user who may manage users',
  cursor: 'is not a cursor of this list in this order',
  cursor_and_page: 'cannot be combined with page',
  ambiguous: 'matches {0} rows',
  no_match: 'matches nothing: {0}',
  repeated: 'is on line {0} too',
  columns: 'has {0} columns instead of {1}',
  unknown_column: 'is not a column of this import',
  quote_open: 'has a quote that is never closed',
  quote_inside:
    'has a quote in the middle of a cell; such a cell stands in quotes, with each of its own written twice',
  not_utf8: 'is not UTF-8; save the file as CSV UTF-8',
  unavailable: 'Please try again in a moment.',
  in_use: 'Purchases that use it: {0}. Set is_active to false instead.',
  session_closed: 'The session is closed, so it can no longer be changed.',
  session_already_closed: 'The session is closed already.',
  session_has_scans: 'The session has scans already, so it cannot be deleted.',
  no_token: 'Send the token in the header: Authorization: Bearer <token>.',
  bad_token: 'The token is wrong, has ended or was revoked.',
  bad_credentials: 'The credentials are wrong.',
  missing_permission: 'This needs the permission {0}.',
  no_route: 'There is nothing at this address.',
  no_row: 'There is no such {0}.',
  method: 'This address answers {0}.',
  body_json: 'The body is not valid JSON in UTF-8.',
  body_depth: 'The body is nested more than {0} levels deep.',
  body_type: 'Send the body as application/json in UTF-8.',
  body_size: 'The body is larger than 1 MiB.',
  invalid: 'Some fields are not valid; see errors.',
  internal: 'The error was logged under the request id.',
  bad_request: 'The request cannot be understood.',
} as const;

export type MessageKey = keyof typeof messages;

const SEPARATOR = '\u001f';

/** A message to be rendered when the answer is written: a plain string, so that class-validator can carry it. */
export function say(key: MessageKey, ...values: (string | number)[]): string {
  return [key, ...values].join(SEPARATOR);
}

export function render(message: string): string {
  const [key = '', ...values] = message.split(SEPARATOR);
  const text = key in messages ? messages[key as MessageKey] : key;
  return text.replace(/\{(\d)\}/g, (_, position: string) => values[Number(position)] ?? '');
}
