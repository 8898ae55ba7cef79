import { families } from './articles.data.js';
import { amortizationCategories, brands, categories } from './catalogue.data.js';
import { REFERENCE_DAY, dateOf, dayOf, workdayOf, yearsLater } from './days.js';
import { Dice } from './dice.js';
import { disposalsOf } from './disposals.js';
import { equipmentModels, equipmentNotes } from './equipment.data.js';
import * as people from './people.data.js';
import { places, rooms, streets, towns } from './places.data.js';
import type {
  DemoArticle,
  DemoEquipment,
  DemoOrganisation,
  DemoPurchase,
  DemoSupplier,
  DemoTier,
} from './rows.data.js';
import { annualSessions, partialSessions } from './sessions.data.js';
import type { SessionCourse } from './sessions.data.js';
import { sessionOf } from './sessions.js';
import type { Placed } from './stops.js';

export type * from './rows.data.js';

const PURCHASES = 2500;
const EQUIPMENT = 120;

const cents = (amount: number) => Math.round(amount * 100) / 100;
const padded = (prefix: string, number: number, width = 4) => prefix + String(number).padStart(width, '0');

const brandNames = Object.keys(brands);
const categoryNames = Object.keys(categories);
const amortizationNames = amortizationCategories.map(({ name }) => name);
const supplierNames = Object.values(people.suppliers).flat();

/** Every model of every family, with its place in the price range. */
const catalogue = families.flatMap(({ models, ...family }) =>
  models.map((model, rank) => ({
    ...family,
    model,
    plan: family.category && categories[family.category],
    basePrice:
      family.price[0] + ((family.price[1] - family.price[0]) * rank) / Math.max(1, models.length - 1),
  })),
);

const articles = (): DemoArticle[] =>
  catalogue.map(({ model, brand, category, plan, inactive, unamortized }, index) => ({
    name: brand ? `${brand} ${model}` : model,
    reference: plan && padded(`${plan.code}-`, index + 1),
    brand: brand && brandNames.indexOf(brand),
    category: category && categoryNames.indexOf(category),
    amortizationCategory: plan && !unamortized ? amortizationNames.indexOf(plan.amortization) : null,
    active: !inactive,
  }));

/** The phone numbers are in the range set aside for fiction. */
function contact(dice: Dice, name: string) {
  const [postalCode, city] = dice.pick(towns);
  const domain = name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '')
    .slice(0, 40);
  return {
    email: dice.maybe(0.92, `${dice.pick(['contact', 'accueil', 'commandes'])}@${domain}.example`),
    phone: dice.maybe(0.94, dice.fill('02 61 91 ## ##')),
    address: `${dice.between(1, 140)} ${dice.pick(streets)}`,
    postalCode,
    city,
  };
}

const suppliers = (dice: Dice): DemoSupplier[] =>
  supplierNames.map((name, index) => {
    const { address, postalCode, city, ...rest } = contact(dice, name);
    return {
      name,
      reference: dice.maybe(0.95, padded('F', index + 1)),
      ...rest,
      address: dice.maybe(0.94, `${address}, ${postalCode} ${city}, France`),
      active: dice.chance(0.92),
    };
  });

/** Orders of several pieces of one article: same day, price, supplier and warranty, a few rooms. */
function placedPurchases(dice: Dice): Placed[] {
  const placed: Placed[] = [];
  for (let order = 0; placed.length < PURCHASES; order++) {
    const article = order < catalogue.length ? order : dice.between(0, catalogue.length - 1);
    const { brand, category, plan, basePrice, since = 2019, until = 2026 } = catalogue[article]!;
    const last = Math.min(dayOf(`${until}-12-31`), dayOf(REFERENCE_DAY) - 1);
    const day = workdayOf(dice.between(dayOf(`${since}-01-07`), last));
    const delay = dice.maybe(0.15, dice.between(6, 60));
    const warrantyYears = dice.maybe(0.68, dice.pick([1, 2, 2, 3, 3, 4, 5]));
    const seller = dice.pick(people.suppliers[plan?.trade ?? 'general']);
    const common = {
      article,
      supplier: dice.maybe(0.96, supplierNames.indexOf(seller)),
      purchaseDate: dateOf(day),
      purchasePrice: dice.maybe(0.97, cents(basePrice * (0.94 + dice.next() * 0.14))),
      inServiceDate: delay && day + delay < dayOf(REFERENCE_DAY) ? dateOf(day + delay) : null,
      warrantyEndDate: warrantyYears ? yearsLater(dateOf(day), warrantyYears) : null,
    };
    const pieces = Math.min(dice.between(1, plan?.lot ?? 1), PURCHASES - placed.length);
    const pattern = brand && brands[brand];
    // What is bought by the dozen is handed out to people.
    const remarks = people.purchaseNotes[plan && plan.lot > 12 ? 'personal' : 'shared'];
    let room = 0;
    for (let piece = 0; piece < pieces; piece++) {
      if (piece % 6 === 0) room = dice.roomOf(plan?.rooms ?? ['office']);
      const serialNumber = pattern && dice.maybe(0.93, dice.fill(pattern));
      const note = dice.pick(remarks).replace('{person}', dice.pick(people.staff));
      const notes = dice.maybe(0.12, note.replace('{room}', rooms[room]!.name));
      // Where some things are, nobody has noted yet.
      const location = placed.length % 40 === 39 ? null : rooms[room]!.place;
      placed.push({
        spot: room + dice.next(),
        category: category && categoryNames.indexOf(category),
        purchase: {
          ...{ code: null, epc: null, gs1: [], assignedTo: null, assignedTier: null },
          ...{ ...common, location, serialNumber, notes },
        },
      });
    }
  }
  return placed.sort((a, b) => dayOf(a.purchase.purchaseDate) - dayOf(b.purchase.purchaseDate));
}

/** Sixty of the oldest purchases still wear a label of one of the three former systems. */
function labelOldest(purchases: DemoPurchase[]) {
  const labelled = purchases.slice(0, 600).filter((_, index) => index % 10 === 0);
  labelled.forEach((purchase, index) => {
    const rank = Math.floor(index / 3);
    const yearly = `Région/${purchase.purchaseDate.slice(0, 4)}/`;
    const labels = [
      padded('', 4521 + 37 * rank, 7),
      padded('LYC-É-', 42 + 13 * rank),
      padded(yearly, 7 + 5 * rank),
    ];
    purchase.code = labels[index % 3]!;
  });
}

/** Some wear an RFID tag, of which some have the same number printed on it; a few are GRAIs of what is lent. */
function tagSome(purchases: DemoPurchase[]) {
  for (const [index, purchase] of purchases.entries()) {
    const asset = 12345400 + index;
    if (index % 25 === 0) purchase.epc = `urn:epc:id:giai:0614141.${asset}`;
    if (index % 100 === 0) purchase.gs1 = [`(8004)0614141${asset}`];
    if (index % 250 === 130) purchase.gs1 = [`(8003)00614141123452${400 + index}`];
  }
}

/** A few are with people, or lent to third parties. */
function assignSome(purchases: DemoPurchase[]) {
  for (const [index, purchase] of purchases.entries()) {
    if (index % 40 === 0) purchase.assignedTo = people.staff[index % people.staff.length]!;
    if (index % 200 === 0) purchase.assignedTier = index % 9;
  }
}

const tiers = (dice: Dice): DemoTier[] =>
  Object.entries(people.tiers)
    .flatMap(([type, names]) => names.map((name) => ({ name, type: type as people.TierType })))
    .map(({ name, type }, index) => ({
      name,
      reference: padded('T-', index + 1),
      type,
      ...contact(dice, name),
      country: 'FR',
      active: dice.chance(0.94),
    }));

const equipment = (dice: Dice): DemoEquipment[] =>
  Array.from({ length: EQUIPMENT }, (_, index) => {
    const [name, brand, model, category, kind] = equipmentModels[index % equipmentModels.length]!;
    const status = dice.chance(0.8) ? 'in_service' : dice.pick(['under_repair', 'out_of_service'] as const);
    return {
      name,
      reference: padded('EQ-', index + 1),
      serialNumber: brand && dice.maybe(0.9, dice.fill('??##-######')),
      brand,
      model,
      category,
      status,
      location: rooms[dice.roomOf([kind])]!.name,
      commissionedOn: dateOf(dice.between(dayOf('2011-03-01'), dayOf(REFERENCE_DAY) - 10)),
      // The suppliers come first among the third parties: they maintain the equipment.
      tier: dice.maybe(0.75, dice.between(0, people.tiers.supplier.length - 1)),
      notes: dice.maybe(status === 'in_service' ? 0.2 : 0.8, dice.pick(equipmentNotes[status])),
    };
  });

/** The demo organisation, always the same: a regional council, its lycées, its garage and its data centre. */
export function demoOrganisation(): DemoOrganisation {
  const dice = new Dice(20261015);
  const placed = placedPurchases(dice);
  const purchases = placed.map(({ purchase }) => purchase);
  labelOldest(purchases);
  tagSome(purchases);
  assignSome(purchases);
  const walked = (course: SessionCourse) => sessionOf(dice, course, placed);
  const demo: DemoOrganisation = {
    name: "Région Val d'Armor",
    brands: brandNames.map((name) => ({ name })),
    categories: categoryNames.map((name) => ({ name })),
    amortizationCategories: [...amortizationCategories],
    suppliers: suppliers(dice),
    locations: places,
    articles: articles(),
    purchases,
    users: people.users,
    sessions: annualSessions.map(walked),
    disposals: [],
    tiers: tiers(dice),
    equipment: equipment(dice),
  };
  demo.sessions.push(...partialSessions.map(walked));
  demo.disposals.push(...disposalsOf(purchases, demo.sessions));
  return demo;
}
