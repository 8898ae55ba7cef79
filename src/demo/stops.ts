import type { DemoPurchase } from './rows.data.js';

/** A purchase with its category and its hidden spot: 12.4 is in room 12, 40 % of the way around it. */
export interface Placed {
  purchase: DemoPurchase;
  category: number | null;
  spot: number;
}

/** One that the team comes by. */
export interface Stop extends Placed {
  index: number;
  isDue: boolean;
  /** Where it belonged, when that is elsewhere, and whether it belongs here since. */
  expected: number | null;
  isMoved: boolean;
}
