import type { Messages } from '../common/messages.js';

/** The headers of columns. */
export const columnMessages = {
  code: ['Code', 'Code'],
  article: ['Article', 'Article'],
  category: ['Category', 'Catégorie'],
  amortization_category: ['Amortization category', 'Catégorie d’amortissement'],
  purchase_date: ['Purchase date', 'Date d’achat'],
  in_service_date: ['In service on', 'Mise en service'],
  method: ['Method', 'Mode'],
  duration_years: ['Years', 'Durée (ans)'],
  gross: ['Gross', 'Valeur brute'],
  accumulated: ['Accumulated', 'Amortissements cumulés'],
  annuity: ['Annuity of the year', 'Dotation de l’exercice'],
  net: ['Net', 'Valeur nette'],
} as const satisfies Messages;
