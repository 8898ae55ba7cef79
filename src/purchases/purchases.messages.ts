import type { Messages } from '../common/messages.js';

export const purchaseMessages = {
  code_taken: ['is or was on the label of another purchase', 'est ou a été sur l’étiquette d’un autre achat'],
  epc: [
    'must be an EPC of a GIAI or GRAI: the hexadecimal digits of GIAI-96, GRAI-96 or GIAI-202, or a URI such as urn:epc:id:giai:0614141.12345400',
    'doit être un EPC d’un GIAI ou d’un GRAI : les chiffres hexadécimaux de GIAI-96, GRAI-96 ou GIAI-202, ou un URI comme urn:epc:id:giai:0614141.12345400',
  ],
  gs1: [
    'must be a GIAI (8004) or a GRAI (8003), as an element string such as (8004)061414112345400 or as a GS1 Digital Link',
    'doit être un GIAI (8004) ou un GRAI (8003), comme (8004)061414112345400 ou en GS1 Digital Link',
  ],
  gs1_list: ['must be a list of at most {0} texts', 'doit être une liste de {0} textes au plus'],
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
