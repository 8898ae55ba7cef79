import type { Condition } from '../inventories/inventory-line.entity.js';
import type { DemoAmortizationCategory } from './catalogue.data.js';
import type { EquipmentStatus } from './equipment.data.js';
import type { Place } from './places.data.js';
import type { DemoUser, TierType } from './people.data.js';
import type { SessionPlan } from './sessions.data.js';

/** References between rows are 0-based indexes into the arrays of DemoOrganisation. */
export interface DemoOrganisation {
  name: string;
  brands: { name: string }[];
  categories: { name: string }[];
  amortizationCategories: DemoAmortizationCategory[];
  suppliers: DemoSupplier[];
  locations: Place[];
  articles: DemoArticle[];
  /** By purchase date, so that ids grow with time. */
  purchases: DemoPurchase[];
  users: DemoUser[];
  sessions: DemoSession[];
  disposals: DemoDisposal[];
  tiers: DemoTier[];
  equipment: DemoEquipment[];
}

export interface DemoSupplier {
  name: string;
  reference: string | null;
  email: string | null;
  phone: string | null;
  address: string | null;
  active: boolean;
}

export interface DemoArticle {
  name: string;
  reference: string | null;
  brand: number | null;
  category: number | null;
  amortizationCategory: number | null;
  active: boolean;
}

export interface DemoPurchase {
  /** A label of the former system; null leaves the code to the service. */
  code: string | null;
  epc: string | null;
  gs1: string[];
  article: number;
  supplier: number | null;
  location: number | null;
  assignedTo: string | null;
  assignedTier: number | null;
  purchaseDate: string;
  purchasePrice: number | null;
  /** Null stands for the purchase date. */
  inServiceDate: string | null;
  warrantyEndDate: string | null;
  serialNumber: string | null;
  notes: string | null;
}

export interface DemoDisposal {
  purchase: number;
  date: string;
  reason: 'lost' | 'sold' | 'scrapped';
  proceeds: number | null;
  note: string | null;
}

export interface DemoSession extends SessionPlan {
  /** In the order they were made. */
  scans: DemoScan[];
  /** Those of purchases that it does not expect. */
  unexpected: DemoScan[];
  unknownCodes: DemoUnknownCode[];
  lateScans: DemoLateScan[];
}

export interface DemoScan {
  purchase: number;
  user: number;
  scannedAt: string;
  /** Where it was found, if the phone told. */
  location: number | null;
  condition: Condition | null;
  note: string | null;
  /** Where it belonged, when that was elsewhere, and what was decided. */
  expected: number | null;
  resolution: 'moved' | 'ignored' | null;
  resolvedAt: string | null;
  /** When somebody decided that it counts, of what did not count by itself. */
  decidedAt: string | null;
}

export interface DemoUnknownCode {
  code: string;
  /** In their order. */
  reads: { user: number; at: string; location: number | null }[];
  notes: string[];
  /** What it was linked to. */
  purchase: number | null;
  /** Why it was dismissed. */
  reason: string | null;
  decidedAt: string | null;
}

export interface DemoLateScan {
  /** By which its phone knows it. */
  clientId: string;
  /** Null for the code of the purchase. */
  code: string | null;
  purchase: number | null;
  user: number;
  readAt: string;
  sentAt: string;
  location: number | null;
  status: 'waiting' | 'accepted' | 'refused';
  decidedAt: string | null;
}

export interface DemoTier {
  name: string;
  reference: string;
  type: TierType;
  email: string | null;
  phone: string | null;
  address: string;
  postalCode: string;
  city: string;
  country: string;
  active: boolean;
}

export interface DemoEquipment {
  name: string;
  reference: string;
  serialNumber: string | null;
  brand: string | null;
  model: string | null;
  category: string;
  status: EquipmentStatus;
  location: string;
  commissionedOn: string;
  tier: number | null;
  notes: string | null;
}
