import type { FieldValues } from '../fields/values.js';

const SOURCES = ['Ville', 'Département', 'Région', 'État'];

/** The fields that the organisation has given its things. */
export const ownFields = [
  { name: 'Financement', key: 'financement', applies_to: 'purchase', type: 'choice', choices: SOURCES },
  { name: 'Puissance (W)', key: 'puissance_w', applies_to: 'article', type: 'number', choices: null },
].map((field) => ({ ...field, is_required: false, is_active: true }));

/** Of every fiftieth purchase it is known who has paid it. */
export const purchaseFields = (index: number): FieldValues =>
  index % 50 === 0 ? { financement: SOURCES[(index / 50 + 2) % SOURCES.length]! } : {};

/** Of every twenty-fifth article, how much power it takes. */
export const articleFields = (index: number): FieldValues =>
  index % 25 === 12 ? { puissance_w: 65 + (index - 12) / 5 } : {};
