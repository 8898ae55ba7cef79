import { REFERENCE_DAY, dayOf, halfDays, instantOf } from './days.js';
import { Dice } from './dice.js';
import { acceptedOf, decisionsOf, lateScansOf, unknownCodeOf } from './findings.js';
import { users } from './people.data.js';
import { isWithin, rooms } from './places.data.js';
import type { DemoScan, DemoSession } from './rows.data.js';
import { scanNotes } from './sessions.data.js';
import type { SessionCourse } from './sessions.data.js';
import type { Placed, Stop } from './stops.js';

const SCANNERS = users.flatMap(({ role }, user) => (role === 'viewer' ? [] : [user]));

/** The team walks the rooms in order and scans what it finds. */
export function sessionOf(dice: Dice, course: SessionCourse, placed: Placed[]): DemoSession {
  const { found, reached, team = SCANNERS, astray, unexpected, unknown, late, ...plan } = course;
  // Of its own, so that what a session notes changes nothing else that is dealt.
  const oddities = new Dice(dayOf(plan.openedAt));
  const all = placed.map((one, index): Stop => ({
    ...one,
    index,
    isDue: isDue(course, one),
    expected: null,
    isMoved: false,
  }));
  const due = all.filter((stop) => stop.isDue);
  const met = due.filter(() => dice.chance(found));
  const others = all.filter(
    (stop) =>
      !stop.isDue && stop.purchase.location !== null && stop.purchase.purchaseDate <= plan.inventoryDate,
  );
  const walked = new Set(met.map(({ spot }) => Math.floor(spot)));
  const route = [
    ...met.map((stop) => (oddities.chance(astray ?? 0) ? strayed(oddities, course, stop, walked) : stop)),
    ...Array.from({ length: unexpected }, () => strayedTo(oddities.pick(others), oddities.pick(due).spot)),
  ]
    .sort((a, b) => a.spot - b.spot)
    .slice(0, Math.round(placed.length * reached));

  const decidedAt = decisionsOf(plan);
  const scanned = walk(dice, course, team, route)
    .sort((a, b) => a.at - b.at)
    .map(({ stop, user, at }, rank) => ({
      isDue: stop.isDue,
      scan: {
        purchase: stop.index,
        user,
        scannedAt: instantOf(at),
        location: astray === null ? null : rooms[Math.floor(stop.spot)]!.place,
        ...stateOf(oddities, astray !== null),
        ...settled(oddities, course, stop, decidedAt(rank / 100)),
        decidedAt: null,
      },
    }));
  const scans = scanned.filter((one) => one.isDue).map(({ scan }) => scan);
  const unknownCodes = unknown.map((one, rank) => unknownCodeOf(one, scans, placed, decidedAt(rank)));
  const lateScans = late ? lateScansOf(oddities, late, missing(due, met), decidedAt) : [];
  const linked = new Map(unknownCodes.map((one) => [one.purchase, one.decidedAt]));
  return {
    ...plan,
    scans: [
      ...scans.map((scan) => ({ ...scan, decidedAt: linked.get(scan.purchase) ?? null })),
      ...acceptedOf(lateScans),
    ].sort((a, b) => Date.parse(a.scannedAt) - Date.parse(b.scannedAt)),
    unexpected: scanned.filter((one) => !one.isDue).map(({ scan }) => scan),
    unknownCodes,
    lateScans,
  };
}

function isDue({ inventoryDate, scope }: SessionCourse, { purchase, category }: Placed): boolean {
  return (
    purchase.purchaseDate <= inventoryDate &&
    (!scope.locations || isWithin(purchase.location, scope.locations)) &&
    (!scope.categories || (category !== null && scope.categories.includes(category)))
  );
}

/** Those that belong somewhere and were not met, in the order of the rooms. */
function missing(due: Stop[], met: Stop[]): Stop[] {
  const known = new Set(met.map(({ index }) => index));
  return due
    .filter(({ index, purchase }) => !known.has(index) && purchase.location !== null)
    .sort((a, b) => a.spot - b.spot);
}

/** Found in another room of the same kind nearby, or in its own, where it belongs only since. */
function strayed(dice: Dice, { closedAt }: SessionCourse, stop: Stop, walked: Set<number>): Stop {
  const own = Math.floor(stop.spot);
  const near = rooms
    .flatMap(({ kind }, room) =>
      kind === rooms[own]!.kind && room !== own && walked.has(room) ? [room] : [],
    )
    .sort((a, b) => Math.abs(a - own) - Math.abs(b - own))
    .slice(0, 4);
  if (near.length === 0 || stop.purchase.location === null) return stop;
  const room = dice.pick(near);
  return closedAt && dice.chance(0.4)
    ? { ...stop, expected: rooms[room]!.place, isMoved: true }
    : strayedTo(stop, room + dice.next());
}

const strayedTo = (stop: Stop, spot: number): Stop => ({ ...stop, spot, expected: stop.purchase.location });

/** Each half-day brings its share of the rooms; one person alone takes them one after the other. One scan every few seconds. */
function walk(dice: Dice, { openedAt, closedAt, team: alone }: SessionCourse, team: number[], route: Stop[]) {
  const starts = halfDays(dayOf(openedAt), dayOf(closedAt ?? REFERENCE_DAY));
  const roomsWalked = Math.floor(route.at(-1)!.spot) + 1;
  let room = -1;
  let clock = starts[0]!;
  return route.map((stop) => {
    if (Math.floor(stop.spot) !== room) {
      room = Math.floor(stop.spot);
      clock = alone
        ? clock + dice.between(2, 9) * 60_000
        : starts[Math.floor((room / roomsWalked) * starts.length)]! + dice.between(0, 150 * 60_000);
    }
    clock += dice.between(5_000, 20_000);
    return { stop, user: team[room % team.length]!, at: clock };
  });
}

/** In what state things are found, where phones tell. */
function stateOf(dice: Dice, isTold: boolean): Pick<DemoScan, 'condition' | 'note'> {
  if (!isTold || dice.chance(0.7)) return { condition: null, note: null };
  if (dice.chance(0.9)) return { condition: 'good', note: null };
  const condition = dice.chance(0.8) ? 'damaged' : 'unusable';
  return { condition, note: dice.pick(scanNotes[condition]) };
}

/** What was decided of a thing that was found elsewhere; in an open session, nothing yet. */
function settled(
  dice: Dice,
  { closedAt }: SessionCourse,
  { expected, isMoved }: Stop,
  at: string,
): Pick<DemoScan, 'expected' | 'resolution' | 'resolvedAt'> {
  const isIgnored = expected !== null && closedAt !== null && dice.chance(0.5);
  const resolution = isMoved ? 'moved' : isIgnored ? 'ignored' : null;
  return { expected, resolution, resolvedAt: resolution && at };
}
