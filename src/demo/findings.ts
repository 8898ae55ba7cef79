import { REFERENCE_DAY, instantOf } from './days.js';
import type { Dice } from './dice.js';
import type { DemoLateScan, DemoScan, DemoUnknownCode } from './rows.data.js';
import type { LatePlan, SessionPlan, UnknownPlan } from './sessions.data.js';
import type { Placed, Stop } from './stops.js';

const MINUTE = 60_000;

/** The manager decides one thing after the other: before the closing, after the reopening, or on the last afternoon. */
export function decisionsOf({ closedAt, reopened }: SessionPlan): (rank: number) => string {
  const end = Date.parse(closedAt ?? reopened?.at ?? `${REFERENCE_DAY}T00:00:00Z`);
  const start = end + (closedAt ? -50 : reopened ? 12 : -9 * 60) * MINUTE;
  return (rank) => instantOf(start + Math.round(rank * 1.3 * MINUTE));
}

/** A code is read between two scans of whoever reads it, and where these are. */
export function unknownCodeOf(
  { code, after, times, notes, reason }: UnknownPlan,
  scans: DemoScan[],
  placed: Placed[],
  decidedAt: string,
): DemoUnknownCode {
  const rest = scans.slice(Math.floor(after * scans.length));
  const serial = ({ purchase }: DemoScan) => placed[purchase]!.purchase.serialNumber;
  if (code === null) {
    const found = rest.find((scan) => serial(scan) && scan.expected === null)!;
    const reads = [{ user: found.user, at: found.scannedAt, location: found.location }];
    return { code: serial(found)!, reads, notes, purchase: found.purchase, reason: null, decidedAt };
  }
  const reads = rest
    .filter(({ user }) => user === rest[0]!.user)
    .slice(0, times)
    .map(({ user, scannedAt, location }) => ({
      user,
      at: instantOf(Date.parse(scannedAt) + 2_000),
      location,
    }));
  return { code, reads, notes, purchase: null, reason: reason ?? null, decidedAt: reason ? decidedAt : null };
}

/** A phone without a network has read what nobody else has met. */
export function lateScansOf(
  dice: Dice,
  { user, readAt, sentAt, of, unknown }: LatePlan,
  missing: Stop[],
  decidedAt: (rank: number) => string,
): DemoLateScan[] {
  const late = (code: string | null, stop: Stop | null, rank: number): DemoLateScan => {
    const status = of[rank] ?? 'waiting';
    return {
      clientId: dice.fill('########-####-4###-8###-############'),
      code,
      purchase: stop?.index ?? null,
      user,
      readAt: instantOf(Date.parse(readAt) + rank * 14_000),
      sentAt: instantOf(Date.parse(sentAt) + rank * 3),
      location: stop?.purchase.location ?? null,
      status,
      decidedAt: status === 'waiting' ? null : decidedAt(rank),
    };
  };
  return [
    ...of.map((_, rank) => late(null, missing[rank]!, rank)),
    ...unknown.map((code, rank) => late(code, null, of.length + rank)),
  ];
}

/** The scans that accepted late ones have become. */
export const acceptedOf = (late: DemoLateScan[]): DemoScan[] =>
  late.flatMap(({ purchase, status, user, readAt, location, decidedAt }) =>
    purchase === null || status !== 'accepted'
      ? []
      : {
          purchase,
          user,
          scannedAt: readAt,
          location,
          condition: null,
          note: null,
          expected: null,
          resolution: null,
          resolvedAt: null,
          decidedAt,
        },
  );
