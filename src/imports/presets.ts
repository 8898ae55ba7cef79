import type { GoneColumns } from './disposals.js';
import type { Column } from './names.js';
import { plainName } from './names.js';
import type { ImportOptions } from './options.js';
import { textOf } from './table.js';
import type { Cell, Row } from './table.js';

/** How another program calls the fields of a purchase, and what of it goes into the notes, after its name. */
interface Preset {
  columns: Record<string, string[]>;
  notes: string[];
  /** What a cell with nothing in it says. */
  nothing?: RegExp;
  /** What it sets before a text that a spreadsheet would run as a formula. */
  harmless?: RegExp;
  /** What says that a thing is gone. */
  gone?: GoneColumns;
  /** The column that says that a row is no thing, and what it says then. */
  other?: { column: string; says: RegExp };
}

/**
 * Snipe-IT: the columns of its importer's samples and of the export of its list of assets, also in French. Shelf: those of its export
 * and of its template. Homebox: those of its export. A list of one's own: what is understood without a preset.
 */
const presets: Record<Exclude<NonNullable<ImportOptions['format']>, 'recense'>, Preset> = {
  list: { columns: {}, notes: [] },
  'snipe-it': {
    columns: {
      code: ['Asset Tag', 'Étiquette de l’actif'],
      article_name: ['Model', 'Model Name', 'Asset Model'],
      article_reference: ['Model Number', 'Model No.', 'Model No', 'Model n°', 'Modèle n°'],
      brand: ['Manufacturer'],
      category: ['Category', 'Catégorie', '\u0421atégorie'], // the letter is the Cyrillic one in its French texts
      supplier: ['Supplier'],
      location: ['Location', 'Emplacement', 'Lieu', 'Default Location', 'Emplacement par défaut'],
      serial_number: ['Serial', 'Serial Number', 'Série'],
      purchase_date: ['Purchase Date', 'Purchased', 'Acheté'],
      purchase_price: ['Purchase Cost', 'Cost'],
      warranty_months: ['Warranty Months', 'Warranty'],
      warranty_end_date: ['Warranty Expires', 'Expiration de garantie'],
      notes: ['Asset Notes', 'Notes', 'Item Notes'],
    },
    notes: [
      'Name', 'Asset Name', 'Item Name', 'Company', 'Order Number', 'Status', 'Asset EOL Date', 'EOL', 'EOL Date',
      'Checked Out', 'Checked Out To', 'Checkout Type', 'Checked Out To: Username', 'Checked Out To: First Name',
      'Checked Out To: Last Name', 'Checked Out To: Email', 'Checked Out To: Location', 'Full Name', 'Username', 'Email',
      'Nom de l’actif', 'Compagnie', 'Numéro de commande', 'Statut', 'Fin de vie', 'Date de libération', 'Extrait vers',
    ],
    gone: {
      status: ['Status', 'Statut'],
      changed: ['Updated At', 'Updated', 'Mise à jour à'],
      deleted: ['Deleted', 'Supprimé'],
    },
    harmless: /^`(?=`*[=+\-@\t\r])/,
  },
  shelf: {
    columns: {
      code: ['Asset ID', 'Sequential ID', 'Barcode', 'QR ID', 'ID'],
      article_name: ['title', 'Name'],
      article_reference: ['Model Number', 'cf: Model Number', 'cf: Model'],
      brand: ['Brand', 'cf: Brand', 'cf: Manufacturer'],
      category: ['category'],
      supplier: ['Supplier', 'cf: Supplier', 'cf: Vendor'],
      location: ['location'],
      purchase_date: ['Purchase Date', 'cf: Purchase Date'],
      purchase_price: ['valuation', 'value'],
      warranty_end_date: ['Warranty End Date', 'cf: Warranty End Date', 'cf: Warranty Expires', 'cf: Warranty End'],
      serial_number: ['Serial Number', 'cf: Serial Number', 'cf: Serial'],
      notes: ['description'],
    },
    notes: ['Status', 'Custody', 'Custodian', 'Kit', 'Tags', 'Bookable', 'Available to book'],
    nothing: /^Uncategorized$/,
  },
  homebox: {
    columns: {
      code: ['HB.asset_id'],
      article_name: ['HB.name'],
      article_reference: ['HB.model_number'],
      brand: ['HB.manufacturer'],
      supplier: ['HB.purchase_from'],
      location: ['HB.location'],
      serial_number: ['HB.serial_number'],
      purchase_date: ['HB.purchase_date', 'HB.purchase_time'],
      purchase_price: ['HB.purchase_price'],
      warranty_end_date: ['HB.warranty_expires'],
      disposal_date: ['HB.sold_date', 'HB.sold_time'],
      disposal_proceeds: ['HB.sold_price'],
      disposal_note: ['HB.sold_notes'],
      notes: ['HB.description'],
    },
    notes: [
      'HB.notes', 'HB.labels', 'HB.tags', 'HB.quantity', 'HB.archived', 'HB.insured', 'HB.lifetime_warranty',
      'HB.warranty_details', 'HB.sold_to',
    ],
    gone: { status: ['HB.archived'], changed: [], deleted: [] },
    nothing: /^0001-01-01(?:[T ]|$)/, // a day of Go that was never set
    other: { column: 'HB.url', says: /\/location\/[^/]*$/ },
  },
}; // prettier-ignore

/** What any of them calls a field: that is known without them too. Of disposals each tells in a way of its own. */
const everyName: Record<string, string[]> = {};
for (const { columns } of Object.values(presets))
  for (const [field, names] of Object.entries(columns))
    if (!field.startsWith('disposal_')) everyName[field] = [...(everyName[field] ?? []), ...names];

/** What the columns of a file may be called, beside what is known of every kind. */
export const namesIn = (kind: string, { format = 'recense' }: ImportOptions): Record<string, string[]> => {
  if (kind !== 'purchases') return {};
  return format === 'recense' || format === 'list' ? everyName : presets[format].columns;
};

/** What is made where it is not known. */
export const MADE = ['brand', 'category', 'supplier', 'location'];

export const presetOf = ({ format = 'recense' }: ImportOptions): Preset | undefined =>
  format === 'recense' ? undefined : presets[format];

/** Tells the rows of things from others that the other program has among them. */
export function isThing(options: ImportOptions, header: string[]): (row: Row) => boolean {
  const { other } = presetOf(options) ?? {};
  const at = header.findIndex((name) => plainName(name) === plainName(other?.column ?? ''));
  return ({ cells }) => !other || at < 0 || !other.says.test(textOf(cells[at]));
}

/** Rows as the other program means them: with nothing where it says so in words of its own, and no marks of its own. */
export function asMeant(rows: Row[], options: ImportOptions): Row[] {
  const { nothing, harmless } = presetOf(options) ?? {};
  if (!nothing && !harmless) return rows;
  const meant = (cell: Cell): Cell => {
    if (nothing?.test(textOf(cell))) return '';
    return harmless && typeof cell === 'string' ? cell.replace(harmless, '') : cell;
  };
  return rows.map(({ line, cells }) => ({ line, cells: cells.map(meant) }));
}

/** The places of the columns that go into the notes. */
export function notedColumns({ notes }: Preset, columns: Column[]): number[] {
  const names = new Set(notes.map(plainName));
  return columns.flatMap(({ name, field }, at) => (field === null && names.has(plainName(name)) ? [at] : []));
}
