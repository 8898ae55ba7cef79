import type { Waited } from './arrivals.js';
import type { Browsing } from './browsing.js';
import type { Importing } from './importing.js';
import type { Long } from './long.js';
import type { Opening } from './opening.js';
import type { Resting } from './resting.js';
import type { Sending } from './sending.js';
import type { Case, Spread } from './turns.js';
import type { Uploading } from './uploading.js';

/** In which run something was measured. */
export interface Run {
  date: string;
  machine: string;
  settings: string;
}

/** Of requests at a fixed rate: how each server has answered. */
export interface Open {
  title: string;
  /** Requests a second. */
  rate: number;
  standings: { name: string; waited: Waited }[];
}

export interface Start {
  run: Run;
  /** Until the service is ready. */
  seconds: Spread;
  /** Look-ups in each second from then on. */
  cold?: number[];
}

export interface Results {
  start?: Start;
  importing?: { run: Run; sizes: Importing[] };
  browsing?: { run: Run; measured: Browsing };
  /** By scenario: the servers on one database. */
  compared: Record<string, { run: Run; cases: Case[] }>;
  /** By scenario: the service on databases of several sizes. */
  growth: Record<string, { run: Run; cases: Case[] }>;
  /** The same where one of them has closed sessions. */
  past: Record<string, { run: Run; cases: Case[] }>;
  uploading?: { run: Run; sizes: Uploading[] };
  sending?: { run: Run; sizes: Sending[] };
  resting?: { run: Run; sizes: Resting[] };
  open?: { run: Run; cases: Open[] };
  opening?: { run: Run; sizes: Opening[] };
  closing?: { run: Run; sizes: Opening[] };
  /** By the number of purchases. */
  long?: { run: Run; sizes: { name: string; answers: Long[] }[] };
}
