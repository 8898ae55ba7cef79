import * as ask from './asks.js';
import type { Dataset } from './dataset.js';
import type { Asks } from './fire.js';
import type { ServerName } from './server.js';
import type { Scenario } from './turns.js';

const SERVICE: ServerName[] = ['recense'];

/** With as many more as make 50 phones. */
const besideOthers = async (data: Dataset, seconds: number, asks: Promise<Asks>): Promise<Asks> => ({
  ...(await asks),
  beside: { ...(await ask.manyScans(data, seconds)), connections: 49 },
});

/** What phones have gathered, beside what they would send one by one. */
export const BATCHES: Scenario[] = [
  {
    name: 'batch',
    what: 'POST /inventories/{id}/scans, each code once, by 50 phones',
    servers: SERVICE,
    connections: 50,
    cases: {
      'scans one by one': ({ data }, seconds) => ask.manyScans(data, seconds),
      'scans one by one, with a client_id': ({ data }, seconds) => ask.batches(data, seconds, 1),
      'batches of 100 scans': ({ data }, seconds) => ask.batches(data, seconds, 100),
    },
  },
  {
    name: 'batch-alone',
    what: 'the same by one phone',
    servers: SERVICE,
    connections: 1,
    cases: {
      'one scan, one phone': ({ data }, seconds) => ask.manyScans(data, seconds),
      'a batch of 1 000 scans, one phone': ({ data }, seconds) => ask.batches(data, seconds, 1000),
    },
  },
  {
    name: 'batch-beside',
    what: 'the same by one phone, while 49 others scan one by one',
    servers: SERVICE,
    connections: 1,
    cases: {
      'one scan, beside 49 phones': ({ data }, seconds) =>
        besideOthers(data, seconds, ask.manyScans(data, seconds)),
      'a batch of 1 000 scans, beside 49 phones': ({ data }, seconds) =>
        besideOthers(data, seconds, ask.batches(data, seconds, 1000)),
    },
  },
];
