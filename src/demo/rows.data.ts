import type { DemoAmortizationCategory } from './catalogue.data.js';
import type { EquipmentStatus } from './equipment.data.js';
import type { Place } from './places.data.js';
import type { DemoUser, SessionPlan, TierType } from './people.data.js';

export type { DemoAmortizationCategory, DemoUser, EquipmentStatus, TierType };

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
  article: number;
  supplier: number | null;
  location: number | null;
  purchaseDate: string;
  purchasePrice: number | null;
  /** Null stands for the purchase date. */
  inServiceDate: string | null;
  warrantyEndDate: string | null;
  serialNumber: string | null;
  notes: string | null;
}

export interface DemoSession extends SessionPlan {
  /** In the order they were made. */
  scans: { purchase: number; user: number; scannedAt: string }[];
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
