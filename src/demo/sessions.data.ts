import type { Condition } from '../inventories/inventory-line.entity.js';

/** A code that nobody knew when it was read. */
export interface UnknownPlan {
  /** Null for the serial number of a purchase that was scanned so, and by whose link it was found. */
  code: string | null;
  /** How far into the session it was read first: 0.5 is after half of its scans. */
  after: number;
  times: number;
  notes: string[];
  /** Why it was dismissed, if it was. */
  reason?: string;
}

export interface SessionPlan {
  year: number;
  /** The purchases made until that day are expected. */
  inventoryDate: string;
  label: string;
  openedAt: string;
  closedAt: string | null;
  openedBy: number;
  closedBy: number | null;
  /** Places and categories; both null for everything. */
  scope: { locations: number[] | null; categories: number[] | null };
  /** When, why and by whom it was opened again. */
  reopened: { at: string; by: number; reason: string } | null;
}

/** The scans of a phone that came after the closing: when it read and sent the first, and what was decided. */
export interface LatePlan {
  user: number;
  readAt: string;
  sentAt: string;
  of: ('waiting' | 'accepted' | 'refused')[];
  /** Codes that nobody knows. */
  unknown: string[];
}

/** How a session went, from which its scans are dealt. */
export interface SessionCourse extends SessionPlan {
  /** The share of the expected purchases found in each room, and the share of all purchases reached so far. */
  found: number;
  reached: number;
  /** Who walked; all who may scan where it is not said. */
  team?: number[];
  /** The share of things that were found elsewhere; null where phones did not tell places yet. */
  astray: number | null;
  /** How many things of others were found. */
  unexpected: number;
  unknown: UnknownPlan[];
  late: LatePlan | null;
}

const EVERYTHING = { locations: null, categories: null };
const ANNUAL = { openedBy: 4, scope: EVERYTHING, reopened: null, unexpected: 0 };

/** The annual ones, of everything. */
export const annualSessions: SessionCourse[] = [
  {
    ...ANNUAL,
    year: 2024,
    inventoryDate: '2024-09-09',
    label: 'Inventaire annuel 2024',
    openedAt: '2024-09-09T06:04:17.212Z',
    closedAt: '2024-10-18T14:41:08.530Z',
    closedBy: 4,
    found: 0.97,
    reached: 1,
    astray: null,
    unknown: [],
    late: null,
  },
  {
    ...ANNUAL,
    year: 2025,
    inventoryDate: '2025-09-08',
    label: 'Inventaire annuel 2025',
    openedAt: '2025-09-08T06:11:52.874Z',
    closedAt: '2025-10-17T15:06:33.095Z',
    closedBy: 4,
    found: 0.96,
    reached: 1,
    astray: 0.012,
    unknown: [
      { code: '3560070894612', after: 0.08, times: 2, notes: [], reason: 'Code-barres d’un emballage' },
      { code: null, after: 0.21, times: 1, notes: ['Étiquette arrachée, numéro de série lu'] },
      { code: 'GADIM-2019-00417', after: 0.37, times: 1, notes: ['Ancienne étiquette du groupement'] },
      { code: null, after: 0.55, times: 1, notes: [] },
      {
        code: 'https://copieurs.example/contrat/77120',
        after: 0.68,
        times: 3,
        notes: ['Sur le copieur'],
        reason: 'Matériel en location, hors inventaire',
      },
      { code: 'LYC-E-9042', after: 0.83, times: 1, notes: [] },
    ],
    late: {
      user: 3,
      readAt: '2025-10-17T14:47:12.000Z',
      sentAt: '2025-10-20T06:33:51.408Z',
      of: ['waiting', 'waiting'],
      unknown: [],
    },
  },
  {
    ...ANNUAL,
    year: 2026,
    inventoryDate: '2026-09-14',
    label: 'Inventaire annuel 2026',
    openedAt: '2026-09-14T06:02:40.661Z',
    closedAt: null,
    closedBy: null,
    found: 0.97,
    reached: 0.665,
    astray: 0.012,
    unknown: [
      {
        code: 'https://vendor.example/a/88213',
        after: 0.01,
        times: 3,
        notes: ['Derrière l’armoire'],
      },
      { code: 'RVA-2011-0388', after: 0.14, times: 1, notes: ['Étiquette jaunie, à demi effacée'] },
      { code: '3700546702181', after: 0.26, times: 2, notes: [], reason: 'Boîte de cartouches d’encre' },
      { code: 'LYC-É-0943', after: 0.44, times: 1, notes: [] },
      { code: null, after: 0.58, times: 1, notes: ['Étiquette arrachée, numéro de série lu'] },
      { code: '0045O8', after: 0.79, times: 4, notes: ['Saisi à la main'] },
    ],
    late: null,
  },
];

/** The small ones beside them, each of one person on one day. */
export const partialSessions: SessionCourse[] = [
  {
    year: 2026,
    inventoryDate: '2026-10-09',
    label: 'Antenne de Brest avant travaux',
    openedAt: '2026-10-09T05:52:08.117Z',
    closedAt: '2026-10-12T07:40:26.902Z',
    openedBy: 4,
    closedBy: 4,
    scope: { locations: [0], categories: null },
    reopened: null,
    found: 0.94,
    reached: 1,
    team: [1],
    astray: 0,
    unexpected: 4,
    unknown: [{ code: '4007817327104', after: 0.4, times: 1, notes: [], reason: 'Fournitures de bureau' }],
    late: null,
  },
  {
    year: 2026,
    inventoryDate: '2026-10-08',
    label: 'Récolement du parc de véhicules',
    openedAt: '2026-10-08T06:01:33.540Z',
    closedAt: null,
    openedBy: 4,
    closedBy: null,
    scope: { locations: null, categories: [13, 14] },
    reopened: {
      at: '2026-10-13T07:05:19.264Z',
      by: 4,
      reason: 'Un téléphone n’avait pas encore envoyé ses scans',
    },
    found: 0.8,
    reached: 1,
    team: [2],
    astray: 0.06,
    unexpected: 1,
    unknown: [{ code: 'VF1RJL00763412905', after: 0.7, times: 1, notes: ['Numéro de châssis'] }],
    late: {
      user: 3,
      readAt: '2026-10-08T12:10:40.000Z',
      sentAt: '2026-10-12T06:21:07.733Z',
      of: ['accepted', 'refused', 'waiting', 'waiting', 'waiting'],
      unknown: ['FX-218-KB'],
    },
  },
];

/** What is noted of a thing that is not as it should be. */
export const scanNotes: Record<Exclude<Condition, 'good'>, string[]> = {
  damaged: [
    'Rayures profondes',
    'Un coin cassé',
    'Étiquette à remplacer',
    'Choc sur le côté',
    'Pièce manquante',
  ],
  unusable: ['Hors service', 'À réformer', 'Mis de côté pour réforme', 'Pièces prélevées'],
};
