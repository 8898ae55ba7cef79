import type { Messages } from '../common/messages.js';

export const purchaseMessages = {
  code_taken: ['is or was on the label of another purchase', 'est ou a été sur l’étiquette d’un autre achat'],
  before_purchase: ['must not be before purchase_date', 'ne doit pas précéder purchase_date'],
  not_after_disposal: [
    'must not be after the day on which it was disposed of',
    'ne doit pas suivre le jour de sa sortie',
  ],
  disposed: ['was disposed of already', 'est déjà sorti'],
  bought_later: ['was bought after that day', 'a été acheté après ce jour'],
  not_yet: ['must not be in the future', 'ne doit pas être dans le futur'],
  of_expiring: ['is of warranty=expiring only', 'ne vaut que pour warranty=expiring'],
  none: ['There is no such purchase.', 'Cet achat n’existe pas.'],
} as const satisfies Messages;
