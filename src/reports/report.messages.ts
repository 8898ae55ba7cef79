import type { Messages } from '../common/messages.js';

export const reportMessages = {
  title: ['Inventory', 'Inventaire'],
  summary: ['Summary', 'Synthèse'],
  session: ['Session', 'Session'],
  figures: ['Figures', 'Chiffres'],
  by_category: ['By category', 'Par catégorie'],
  by_location: ['By place', 'Par lieu'],
  by_user: ['By person', 'Par personne'],
  by_day: ['By day', 'Par jour'],
  none: ['None', 'Sans'],
  lines: ['All lines', 'Toutes les lignes'],
} as const satisfies Messages;

/** Of the pages to be signed. */
export const pageMessages = {
  title: ['Inventory report', 'Rapport d’inventaire'],
  date: ['Date of the inventory: {0}', 'Date de l’inventaire : {0}'],
  closed: ['Closed on {0} by {1}', 'Clôturé le {0} par {1}'],
  open: ['Still open: as of {0}', 'En cours : état au {0}'],
  everything: ['Scope: everything', 'Périmètre : tout'],
  scope: ['Scope: {0}', 'Périmètre : {0}'],
  share: ['Share', 'Part'],
  to_decide: ['To decide', 'À décider'],
  gross: ['Gross (€)', 'Brut (€)'],
  net: ['Net (€)', 'VNC (€)'],
  progress: ['Progress', 'Avancement'],
  progress_drawn: [
    'Curve of what was scanned, from {0} to {1}: {2} of {3}.',
    'Courbe de ce qui a été scanné, du {0} au {1} : {2} sur {3}.',
  ],
  categories_drawn: [
    'Bars of what was scanned of each category: {0}.',
    'Barres de ce qui a été scanné dans chaque catégorie : {0}.',
  ],
  others: ['{0} others', '{0} autres'],
  nothing: ['Nothing.', 'Aucun.'],
  more: ['{0} more lines are not listed here.', '{0} autres lignes ne figurent pas ici.'],
  one_more: ['1 more line is not listed here.', '1 autre ligne ne figure pas ici.'],
  sum: ['Sum of all', 'Total général'],
  values: [
    'Gross: purchase prices. Net: net book values on the date of the inventory.',
    'Brut : prix d’achat. VNC : valeurs nettes comptables à la date de l’inventaire.',
  ],
  signed_at: ['Place and date', 'Fait à, le'],
  signed_by: ['Name and function', 'Nom et qualité'],
  signature: ['Signature', 'Signature'],
  made: ['Made on {0}', 'Établi le {0}'],
  page: ['Page {0} of {1}', 'Page {0} sur {1}'],
} as const satisfies Messages;

/** What a session has found. */
export const figureMessages = {
  expected: ['Expected', 'Attendus'],
  scanned: ['Scanned', 'Scannés'],
  missing: ['Missing', 'Manquants'],
  unexpected: ['Unexpected', 'Inattendus'],
  misplaced: ['Misplaced', 'Mal placés'],
  unknown: ['Unknown codes', 'Codes inconnus'],
  unknown_open: ['of which undecided', 'dont à traiter'],
  late: ['Late scans', 'Scans tardifs'],
  late_open: ['of which waiting', 'dont en attente'],
} as const satisfies Messages;

/** What has changed since the session before. */
export const changeMessages = {
  title: ['Since the session before', 'Depuis l’inventaire précédent'],
  newly_missing: ['Newly missing', 'Nouveaux manquants'],
  missing_again: ['Missing again', 'Toujours manquants'],
  reappeared: ['Reappeared', 'Réapparus'],
  bought: ['Bought', 'Entrés'],
  disposed: ['Disposed of', 'Sortis'],
} as const satisfies Messages;

/** The headers of columns that no other table has. */
export const lineMessages = {
  section: ['Section', 'Rubrique'],
  item: ['Item', 'Libellé'],
  date: ['Date', 'Date'],
  count: ['Count', 'Nombre'],
  total: ['Out of', 'Sur'],
  serial_number: ['Serial number', 'N° de série'],
  expected_location: ['Expected place', 'Lieu attendu'],
  found_location: ['Found in', 'Trouvé à'],
  state: ['State', 'État'],
  scanned_at: ['Scanned at', 'Scanné le'],
  scanned_by: ['Scanned by', 'Scanné par'],
  condition: ['Condition', 'État physique'],
  purchase_price: ['Purchase price', 'Prix d’achat'],
  net_book_value: ['Net book value', 'Valeur nette comptable'],
  times: ['Times read', 'Lectures'],
  first_at: ['First read', 'Première lecture'],
  last_at: ['Last read', 'Dernière lecture'],
  status: ['Status', 'Statut'],
  reason: ['Reason', 'Motif'],
} as const satisfies Messages;

/** The words in cells. */
export const wordMessages = {
  scanned: ['Found', 'Scanné'],
  missing: ['Absent', 'Manquant'],
  unexpected: ['Not expected', 'Inattendu'],
  good: ['Good', 'Bon'],
  damaged: ['Damaged', 'Abîmé'],
  unusable: ['Unusable', 'Inutilisable'],
  open: ['Undecided', 'À traiter'],
  linked: ['Linked', 'Rattaché'],
  dismissed: ['Dismissed', 'Écarté'],
  yes: ['Yes', 'Oui'],
  no: ['No', 'Non'],
} as const satisfies Messages;
