import type { IsName } from './table.js';

/**
 * What people call the fields, beside the names of the API, in English and in French and as other programs export
 * them. Of several columns that mean one field the first name here is taken.
 */
const NAMES: Record<string, string[]> = {
  name: ['nom', 'libellé', 'désignation', 'intitulé', 'raison sociale', 'title', 'description'],
  reference: ['référence', 'réf', 'ref', 'model number', 'model no', 'part number', 'numéro de modèle'],
  brand: ['marque', 'fabricant', 'manufacturer', 'make'],
  category: ['catégorie', 'famille'],
  amortization_category: ['catégorie d’amortissement', 'amortissement', 'depreciation'],
  article: ['item', 'produit', 'product', 'désignation', 'libellé'],
  article_name: [
    'désignation',
    'libellé',
    'intitulé',
    'article name',
    'modèle',
    'model',
    'title',
    'nom',
    'name',
    'désignation du bien',
    'libellé du bien',
    'désignation de l’immobilisation',
    'libellé de l’immobilisation',
    'désignation de l’article',
    'nom de l’article',
    'item name',
    'item description',
    'asset name',
    'asset description',
  ],
  article_reference: ['référence', 'réf', 'model number', 'model no', 'part number', 'numéro de modèle'],
  warranty_months: ['garantie', 'durée de garantie', 'warranty'],
  supplier: ['fournisseur', 'vendor', 'vendeur', 'purchased from', 'acheté chez'],
  location: [
    'emplacement',
    'lieu',
    'localisation',
    'site',
    'place',
    'location path',
    'local',
    'salle',
    'room',
  ],
  code: [
    'code-barres',
    'étiquette',
    'numéro d’inventaire',
    'n° d’inventaire',
    'n° inventaire',
    'numéro d’immobilisation',
    'n° d’immobilisation',
    'n° d’immo',
    'code immobilisation',
    'code immo',
    'immobilisation',
    'asset number',
    'asset no',
    'asset code',
    'asset tag',
    'asset id',
    'barcode',
    'tag',
    'label',
    'inventory number',
  ],
  assigned_to: ['affecté à', 'attribué à', 'confié à', 'assigné à', 'assignee'],
  assigned_tier: ['tiers affecté', 'affecté au tiers', 'tiers', 'assigned third party', 'third party'],
  disposal_date: [
    'date de sortie',
    'sorti le',
    'date de cession',
    'disposed on',
    'date of disposal',
    'disposed',
  ],
  disposal_reason: ['motif de sortie', 'raison de sortie', 'motif de cession', 'reason for disposal'],
  disposal_proceeds: ['produit de cession', 'prix de cession', 'prix de vente', 'sale price', 'sold for'],
  disposal_note: ['note de sortie', 'remarque de sortie', 'remarques de sortie'],
  epc: ['rfid', 'rfid tag', 'tag rfid', 'puce rfid', 'étiquette rfid', 'epc uri'],
  gs1: ['giai', 'grai', 'codes gs1', 'gs1 codes', 'gs1 keys'],
  purchase_date: [
    'date d’achat',
    'date d’acquisition',
    'acheté le',
    'acquis le',
    'acquisition',
    'acquisition date',
    'date acquired',
    'date of purchase',
    'purchased on',
    'bought on',
  ],
  purchase_price: [
    'prix d’achat',
    'prix d’achat HT',
    'prix',
    'prix HT',
    'montant',
    'montant HT',
    'valeur d’achat',
    'valeur d’acquisition',
    'valeur d’origine',
    'valeur brute',
    'prix d’acquisition',
    'coût d’acquisition',
    'coût',
    'acquisition cost',
    'cost price',
    'unit price',
    'purchase cost',
    'price',
    'cost',
  ],
  serial_number: [
    'numéro de série',
    'n° de série',
    'n° série',
    'no de série',
    'serial',
    'serial no',
    's/n',
    'sn',
  ],
  warranty_end_date: [
    'fin de garantie',
    'date de fin de garantie',
    'garantie jusqu’au',
    'warranty end',
    'warranty expires',
    'warranty until',
  ],
  in_service_date: ['mise en service', 'date de mise en service', 'in service on', 'in service'],
  commissioned_on: ['mise en service', 'date de mise en service', 'commissioned', 'in service on'],
  notes: [
    'remarques',
    'remarque',
    'commentaire',
    'commentaires',
    'observations',
    'note',
    'comments',
    'comment',
  ],
  is_active: ['actif', 'active'],
  email: ['e-mail', 'courriel', 'mail', 'adresse e-mail', 'email address'],
  phone: ['téléphone', 'tél', 'telephone', 'phone number'],
  address: ['adresse'],
  postal_code: ['code postal', 'cp', 'zip', 'zip code', 'postcode'],
  city: ['ville', 'town'],
  country: ['pays'],
  type: ['genre'],
  status: ['statut', 'état', 'state'],
  model: ['modèle'],
  tier: ['tiers'],
  parent: ['lieu parent', 'parent location', 'dans'],
  method: ['méthode', 'mode'],
  duration_years: ['durée', 'durée en années', 'duration', 'years'],
  declining_coefficient: ['coefficient', 'coefficient dégressif'],
};

/** Their own word, as the name of a row, where no field is called so. */
const OWN: Record<string, string[]> = {
  brands: ['brand', ...NAMES.brand!],
  categories: ['category', ...NAMES.category!],
  'amortization-categories': ['amortization category', ...NAMES.amortization_category!],
  suppliers: ['supplier', ...NAMES.supplier!],
  locations: ['location', ...NAMES.location!],
  articles: ['article', ...NAMES.article!],
  equipments: ['equipment', 'équipement'],
  tiers: ['tier', 'tiers'],
};

/** A column of the file, and the field that it fills; null where it is left out. */
export interface Column {
  /** As the file has it; of one without, what an error calls it. */
  name: string;
  field: string | null;
}

/** No column is called longer than that; what looks for brackets takes a second for a text of 30 000 of them. */
const MAX_NAME = 300;

/** Without case, accents, blanks, marks, what stands in brackets, such as a unit, and the type of a field of Shelf. */
export const plainName = (name: string): string =>
  name
    .slice(0, MAX_NAME)
    .replace(/^(\s*cf:[^,]*),.*$/is, '$1')
    .replace(/\([^)]*\)|\[[^\]]*\]/g, '')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');

/** The small words that some leave out: `date achat`, `numéro série`, `fin garantie`. */
const SMALL = /(?<!\p{L})(?:(?:de|du|des|la|le|les|of|the)\s+|[dl](?:['’]|\s+))/giu;
const shortName = (name: string): string => plainName(name.slice(0, MAX_NAME).replace(SMALL, ''));

/** What a field of a kind may be called; the best name comes first. */
const candidates = (field: string, kind: string, more: Record<string, string[]>): string[] => [
  field,
  ...(more[field] ?? []),
  ...(NAMES[field] ?? []),
  ...(field === 'name' ? (OWN[kind] ?? []) : []),
];

/** Tells the names of a kind's `fields` from other texts. */
export function namesOf(kind: string, fields: string[], more: Record<string, string[]>): IsName {
  const names = fields.flatMap((field) => candidates(field, kind, more));
  const [plain, short] = [new Set(names.map(plainName)), new Set(names.map(shortName))];
  return (text) => plain.has(plainName(text)) || short.has(shortName(text));
}

/**
 * Which of a kind's `fields` each column means. Its own name comes first, and where several columns mean one field,
 * that with the best name; columns of one name mean it all. Two fields that are written alike but for a mark, as those of
 * one's own may be, are known by their own names alone.
 * @param more names that come before those that are known here
 */
export function columnsOf(
  header: string[],
  kind: string,
  fields: string[],
  more: Record<string, string[]> = {},
): Column[] {
  const alike = fields.filter((one) =>
    fields.some((other) => one !== other && plainName(one) === plainName(other)),
  );
  const names = header.map((cell) => (alike.includes(cell.trim()) ? cell.trim() : plainName(cell)));
  const meant = new Map(names.filter((name) => alike.includes(name)).map((name) => [name, name]));
  for (const read of [plainName, shortName]) {
    const known = header.map(read);
    const isMeant = new Set(meant.values());
    for (const field of fields.filter((one) => !isMeant.has(one))) {
      const found = candidates(field, kind, more).map((name) => names[known.indexOf(read(name))]);
      const best = found.find((name) => name !== undefined && !meant.has(name));
      if (best !== undefined) meant.set(best, field);
    }
  }
  return header.map((cell, at) => ({
    name: cell.trim() || `column ${at + 1}`,
    field: meant.get(names[at]!) ?? null,
  }));
}
