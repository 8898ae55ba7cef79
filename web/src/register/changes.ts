import type { FieldDto, HistoryEntryDto } from '@recense/client';
import { fieldName } from '../shared/field-names.js';
import { day, money } from '../shared/format.js';
import { t } from '../shared/texts.js';
import { REASONS, ownValue, word } from './facts.js';
import type { Own } from './own-fields.js';

/** They are told by number, which says nothing to anybody. */
const REFERENCES = ['article_id', 'location_id', 'supplier_id', 'assigned_tier_id'];
const AMOUNTS = ['purchase_price', 'disposal_proceeds'];

interface Change {
  from?: unknown;
  to?: unknown;
}

/** What was changed of a thing, a line each; where it belongs is told as a move. */
export function changesOf({ kind, move, changes }: HistoryEntryDto, fields: FieldDto[]): string[] {
  if (kind === 'created') return [];
  return Object.entries((changes ?? {}) as Record<string, Change>).flatMap(([field, { from, to }]) => {
    if (field === 'location_id' && move) return [];
    if (field === 'fields') return ownChanges((from ?? {}) as Own, (to ?? {}) as Own, fields);
    const name = field === 'name' ? t('attachments.name') : fieldName(field); // of a thing, only its files have one
    if (REFERENCES.includes(field)) return [t('history.replaced', { name })];
    return [t('history.change', { name, from: said(field, from), to: said(field, to) })];
  });
}

function ownChanges(from: Own, to: Own, fields: FieldDto[]): string[] {
  const isOther = (key: string) => from[key] !== to[key];
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].filter(isOther).map((key) => {
    const field = fields.find((one) => one.key === key);
    const shown = (value: unknown) => (isEmpty(value) ? '–' : ownValue(value, field));
    return t('history.change', { name: field?.name ?? key, from: shown(from[key]), to: shown(to[key]) });
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function said(field: string, value: unknown): string {
  if (isEmpty(value)) return '–';
  if (AMOUNTS.includes(field)) return money(Number(value));
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value !== 'string') return JSON.stringify(value);
  if (field === 'disposal_reason') return word('reason', REASONS, value);
  return /^\d{4}-\d\d-\d\d$/.test(value) ? day(value) : value;
}
