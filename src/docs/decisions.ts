import type { InventoryDto } from '../inventories/inventories.dto.js';
import type { PurchaseDetailDto } from '../purchases/purchase-detail.dto.js';
import type { MisplacedDto } from '../scans/findings.dto.js';
import type { LateScanDto } from '../scans/late-scans.dto.js';
import type { UnknownCodeDto } from '../scans/unknown-codes.dto.js';

const at = new Date('2026-10-15T08:30:00Z');
const decided = { at, by: { id: 7, name: 'Compte de démonstration' } };
const manager = { id: 5, name: 'Françoise Le Bihan' };

const reopened: InventoryDto = {
  id: 2,
  year: 2025,
  inventory_date: '2025-09-08',
  label: 'Inventaire annuel 2025',
  status: 'open',
  scope: null,
  progress: { scanned: 1989, total: 2496, percentage: 79.69 },
  opened_by: manager,
  closed_at: null,
  closed_by: null,
  reopened: [
    {
      at: at.toISOString(),
      by: decided.by,
      reason: 'Deux téléphones n’avaient pas encore envoyé leurs scans',
    },
  ],
  created_at: new Date('2025-09-08T06:11:52.874Z'),
  updated_at: at,
};

const disposed: PurchaseDetailDto = {
  id: 1595,
  code: 'INV0015352',
  epc: null,
  gs1: [],
  article_id: 14,
  article: {
    id: 14,
    name: 'HP ProBook 450 G9',
    reference: 'PCP-0014',
    brand: { id: 2, name: 'HP' },
    category: { id: 1, name: 'Ordinateurs portables' },
    amortization_category: { id: 2, name: 'Informatique mobile – 3 ans dégressif' },
  },
  purchase_date: '2024-01-26',
  purchase_price: 757.77,
  supplier_id: 4,
  supplier: { id: 4, name: 'Ty Réseau' },
  location_id: 139,
  location: { id: 139, name: 'Salle 214', path: 'Siège / Bâtiment B / 2e étage / Salle 214' },
  assigned_to: null,
  assigned_tier_id: null,
  assigned_tier: null,
  warranty_end_date: '2027-01-26',
  warranty: { status: 'active', end_date: '2027-01-26' },
  in_service_date: '2024-02-07',
  serial_number: '5CG7650YAT',
  notes: null,
  fields: {},
  disposal: {
    date: '2026-03-01',
    reason: 'sold',
    proceeds: 150,
    note: 'Vente aux agents, lot 12',
    net_book_value: 184.17,
    gain: -34.17,
  },
  photo_url: null,
  created_at: at,
  updated_at: at,
  net_book_value: 184.17,
};

/** The same of a thing of the same lot as one that is not taken back. */
const undisposed: PurchaseDetailDto = {
  id: 8,
  code: 'INV000007R',
  epc: null,
  gs1: [],
  article_id: 219,
  article: {
    id: 219,
    name: 'Bosch KTS 560',
    reference: 'GAR-0219',
    brand: { id: 15, name: 'Bosch' },
    category: { id: 19, name: 'Matériel de garage' },
    amortization_category: { id: 7, name: 'Matériel industriel – 5 ans dégressif' },
  },
  purchase_date: '2019-01-11',
  purchase_price: 3703.2,
  supplier_id: 35,
  supplier: { id: 35, name: 'Machines-Outils Rennaises' },
  location_id: 40,
  location: { id: 40, name: 'Aire de lavage', path: 'Garage régional / Aire de lavage' },
  assigned_to: null,
  assigned_tier_id: null,
  assigned_tier: null,
  warranty_end_date: null,
  warranty: { status: 'none', end_date: null },
  in_service_date: '2019-01-11',
  serial_number: '3 601 V64 180-829',
  notes: 'Étiquette décollée, à réimprimer.',
  fields: {},
  disposal: null,
  photo_url: null,
  created_at: at,
  updated_at: at,
  net_book_value: 0,
};

const moved: MisplacedDto = {
  scan_id: 4809,
  purchase: { id: 225, code: 'INV000202N', article: { id: 46, name: 'HP E27q G4' } },
  expected: { id: 67, name: 'Salle 11', path: 'Lycée Jeanne-Malivel / Salle 11' },
  found: { id: 68, name: 'Salle 12', path: 'Lycée Jeanne-Malivel / Salle 12' },
  at: new Date('2026-10-01T07:35:48.013Z'),
  by: { id: 2, name: 'Maëlle Kerbrat' },
  resolved: { how: 'moved', ...decided },
};

const ignored: MisplacedDto = {
  scan_id: 5315,
  purchase: { id: 258, code: 'INV000232B', article: { id: 129, name: 'Steelcase Leap V2' } },
  expected: { id: 20, name: 'Accueil', path: 'Centre de formation de Pontivy / Accueil' },
  found: { id: 81, name: 'Secrétariat', path: "Lycée maritime de l'Odet / Secrétariat" },
  at: new Date('2026-10-13T07:06:19.573Z'),
  by: manager,
  resolved: { how: 'ignored', ...decided },
};

const yann = { id: 1, name: 'Yann Le Goff' };
const linked: UnknownCodeDto = {
  id: 7,
  code: 'https://vendor.example/a/88213',
  cleaned: '88213',
  times: 3,
  first_seen: { at: new Date('2026-09-14T06:38:57.465Z'), by: yann },
  source: 'camera',
  last_seen: { at: new Date('2026-09-14T06:39:24.355Z'), by: yann },
  locations: [{ id: 115, name: 'Accueil', path: 'Siège / Bâtiment A / Accueil' }],
  notes: ['Derrière l’armoire'],
  status: 'linked',
  resolution: {
    purchase: { id: 12, code: 'INV0000102', article: { id: 269, name: 'Daikin Cassette Sky Air FCAG71' } },
    reason: null,
    ...decided,
  },
  deleted_purchase: null,
};

const aissata = { at: new Date('2026-09-16T06:54:14.497Z'), by: { id: 3, name: 'Aïssata Diallo' } };
const dismissed: UnknownCodeDto = {
  id: 8,
  code: 'RVA-2011-0388',
  cleaned: 'RVA-2011-0388',
  times: 1,
  first_seen: aissata,
  source: 'camera',
  last_seen: aissata,
  locations: [{ id: 124, name: 'Bureau 203', path: 'Siège / Bâtiment A / 2e étage / Bureau 203' }],
  notes: ['Étiquette jaunie, à demi effacée'],
  status: 'dismissed',
  resolution: { purchase: null, reason: 'Étiquette du fournisseur', ...decided },
  deleted_purchase: null,
};

const loic = { id: 4, name: 'Loïc Guéguen' };
const open: UnknownCodeDto = {
  id: 9,
  code: '3700546702181',
  cleaned: '3700546702181',
  times: 2,
  first_seen: { at: new Date('2026-09-17T12:14:07.188Z'), by: loic },
  source: 'scanner',
  last_seen: { at: new Date('2026-09-17T12:14:18.250Z'), by: loic },
  locations: [{ id: 131, name: 'Local technique R-1', path: 'Siège / Bâtiment A / Local technique R-1' }],
  notes: [],
  status: 'open',
  resolution: null,
  deleted_purchase: null,
};

const late = {
  scanned_by: loic,
  location: { id: 36, name: 'Parking P2', path: 'Garage régional / Parking P2' },
  condition: null,
  note: null,
  source: 'scanner',
  decided,
};
const accepted: LateScanDto = {
  ...late,
  id: 5,
  code: 'INV0015993',
  purchase: { id: 1659, code: 'INV0015993', article: { id: 160, name: 'Renault Captur E-Tech' } },
  device_scanned_at: new Date('2026-10-08T12:11:08.000Z'),
  received_at: new Date('2026-10-12T06:21:07.739Z'),
  client_id: '66720735-4333-4492-8982-257007911128',
  status: 'accepted',
};
const refused: LateScanDto = {
  ...late,
  id: 6,
  code: 'INV0010371',
  purchase: {
    id: 1097,
    code: 'INV0010371',
    article: { id: 295, name: 'Peugeot eLC01 vélo à assistance électrique' },
  },
  device_scanned_at: new Date('2026-10-08T12:11:22.000Z'),
  received_at: new Date('2026-10-12T06:21:07.742Z'),
  client_id: '60439746-1962-4110-8237-683789301524',
  status: 'refused',
};

/** What each decision upon a row of the demo organisation is answered, by its operation. */
export const DECISION_EXAMPLES: Record<string, object> = {
  disposePurchase: disposed,
  undoPurchaseDisposal: undisposed,
  reopenInventory: reopened,
  moveMisplaced: moved,
  ignoreMisplaced: ignored,
  linkUnknownCode: linked,
  dismissUnknownCode: dismissed,
  reopenUnknownCode: open,
  acceptLateScan: accepted,
  refuseLateScan: refused,
};
