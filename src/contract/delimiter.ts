import { say } from '../common/messages.js';
import { contractMessages } from './contract.messages.js';
import { field } from './field.js';
import type { FieldOptions } from './field.js';

/** What separates the cells of CSV. */
export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** What a shell or an address is not fond of has a name. */
const NAMES: Record<string, Delimiter> = { comma: ',', semicolon: ';', tab: '\t', pipe: '|' };
const CHOICES = [...DELIMITERS, ...Object.keys(NAMES)];
const WORDS = ['COMMA', 'SEMICOLON', 'TAB', 'BAR', 'COMMA_WORD', 'SEMICOLON_WORD', 'TAB_WORD', 'BAR_WORD'];

/** The one that a text is or names; undefined for others. */
export const delimiterNamed = (text: unknown): Delimiter | undefined =>
  DELIMITERS.find((one) => one === text) ??
  (Object.hasOwn(NAMES, String(text)) ? NAMES[String(text)] : undefined);

export const DelimiterParam = (options: FieldOptions): PropertyDecorator =>
  field(
    { optional: true, ...options },
    { type: 'string', enum: CHOICES, 'x-enum-varnames': WORDS },
    (value) => (delimiterNamed(value) ? null : say(contractMessages.choice, CHOICES.join(' '))),
    (value) => delimiterNamed(value) ?? value,
  );
