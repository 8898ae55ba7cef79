import type { DemoDisposal, DemoPurchase, DemoSession } from './rows.data.js';

/** After the second annual session, of what it did not find; and the sale of the spring after. */
const LOST = { date: '2025-10-20', reason: 'lost', note: 'Introuvable à l’inventaire 2025' } as const;
const SALE = { date: '2026-03-01', reason: 'sold', note: 'Vente aux agents' } as const;
const SCRAPPED = { date: '2026-06-30', reason: 'scrapped', note: null } as const;
const OF_EACH = 4;
/** What a thing brings that was bought for one euro. */
const RESALE = 0.12;

/** Things that nobody has met since: lost ones, and the oldest of the others, sold or scrapped. */
export function disposalsOf(purchases: DemoPurchase[], sessions: DemoSession[]): DemoDisposal[] {
  const [, last, ...since] = sessions;
  const met = (session: DemoSession): (number | null)[] => [
    ...[...session.scans, ...session.unexpected, ...session.lateScans].map(({ purchase }) => purchase),
  ];
  const here = new Set(since.flatMap(met));
  const found = new Set(met(last!));
  const gone = purchases
    .map((purchase, index) => ({ purchase, index }))
    .filter(({ index }) => !here.has(index));
  const lost = gone.filter(
    ({ purchase, index }) => !found.has(index) && purchase.purchaseDate <= last!.inventoryDate,
  );
  const [sold, scrapped] = [true, false].map((isWorth) =>
    gone.filter(({ purchase, index }) => found.has(index) && (purchase.purchasePrice ?? 0) > 500 === isWorth),
  );
  return [
    ...lost.slice(0, OF_EACH).map(({ index }) => ({ ...LOST, purchase: index, proceeds: null })),
    ...sold!.slice(0, OF_EACH).map(({ purchase, index }) => ({
      ...SALE,
      purchase: index,
      proceeds: Math.round(purchase.purchasePrice! * RESALE),
    })),
    ...scrapped!.slice(0, OF_EACH).map(({ index }) => ({ ...SCRAPPED, purchase: index, proceeds: null })),
  ];
}
