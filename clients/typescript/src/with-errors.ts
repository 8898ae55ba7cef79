import type { QueuedScan } from './storage.js';

/** Those of a batch that the errors of a problem are about, such as `scans.3.code`, each with its own. */
export function withErrors(batch: QueuedScan[], errors: Record<string, string[]>): QueuedScan[] {
  const refused = new Map<number, QueuedScan>();
  for (const [name, messages] of Object.entries(errors)) {
    const [, nth, field = 'scan'] = /^scans\.(\d+)(?:\.(.+))?$/.exec(name) ?? [];
    const scan = refused.get(Number(nth)) ?? batch[Number(nth)];
    if (scan) refused.set(Number(nth), { ...scan, errors: { ...scan.errors, [field]: messages } });
  }
  return [...refused.values()];
}
