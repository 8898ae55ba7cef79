import type { Columns } from '../contract/whole.js';
import type { PurchaseRow } from './purchases.queries.js';

/** What an empty in_service_date stands for is left to the importer, too; what a disposal gained is reckoned again. */
export const columns: Columns<PurchaseRow> = {
  article: ({ article }) => article.reference ?? article.name,
  purchase_date: (row) => row.purchase_date,
  code: (row) => row.code,
  purchase_price: (row) => row.purchase_price,
  supplier: ({ supplier }) => supplier && (supplier.reference ?? supplier.name),
  location: ({ location }) => location && (location.code ?? location.path),
  warranty_end_date: (row) => row.warranty_end_date,
  in_service_date: (row) => row.in_service_date,
  serial_number: (row) => row.serial_number,
  notes: (row) => row.notes,
  epc: (row) => row.epc,
  gs1: (row) => row.gs1.join(' '),
  assigned_to: (row) => row.assigned_to,
  assigned_tier: (row) => row.assigned_tier?.reference ?? null,
  disposal_date: (row) => row.disposed_on,
  disposal_reason: (row) => row.disposal_reason,
  disposal_proceeds: (row) => row.disposal_proceeds,
  disposal_note: (row) => row.disposal_note,
};
