import type { Messages } from '../common/messages.js';

export const purchaseMessages = {
  code_taken: ['is or was on the label of another purchase', 'est ou a été sur l’étiquette d’un autre achat'],
  before_purchase: ['must not be before purchase_date', 'ne doit pas précéder purchase_date'],
  none: ['There is no such purchase.', 'Cet achat n’existe pas.'],
} as const satisfies Messages;
