import type { RoomKind } from './catalogue.data.js';

const numbered = (label: string, numbers: number[]) => numbers.map((number) => `${label} ${number}`);

/** The sites in the order the inventory team visits them, each with its rooms by kind. */
const sites: ({ site: string } & Partial<Record<RoomKind, string[]>>)[] = [
  {
    site: 'Siège – Bât. A',
    office: [
      'accueil',
      'hémicycle',
      'cabinet de la présidence',
      ...numbered('bureau', [101, 102, 104, 106, 203, 205, 207, 301, 304, 308]),
    ],
    datacentre: ['local technique R-1'],
  },
  {
    site: 'Siège – Bât. B',
    office: [
      ...numbered('salle', [112, 114, 116, 212, 214, 216]),
      'archives',
      'service communication',
      'service des marchés',
    ],
    kitchen: ["restaurant de l'administration"],
    datacentre: ['chaufferie'],
  },
  {
    site: 'Lycée Anatole-Le-Braz',
    office: ['secrétariat', 'intendance', 'salle des professeurs'],
    classroom: [
      ...numbered('salle', [101, 102, 103, 104, 201, 202, 203, 204]),
      'CDI',
      'labo de physique',
      'labo de SVT',
    ],
    kitchen: ['cuisine', 'self'],
    grounds: ['gymnase'],
  },
  {
    site: 'Lycée Jeanne-Malivel',
    office: ['secrétariat', 'vie scolaire', 'salle des professeurs'],
    classroom: [
      ...numbered('salle', [11, 12, 13, 14, 21, 22, 23]),
      'CDI',
      'labo de chimie',
      'internat, 1er étage',
    ],
    workshop: ['atelier arts appliqués'],
    kitchen: ['cuisine'],
    grounds: ['cour'],
  },
  {
    site: 'Lycée professionnel Yves-Rocard',
    office: ['secrétariat', 'bureau des travaux'],
    classroom: [...numbered('salle', [105, 106, 107, 205, 206, 207]), 'CDI'],
    workshop: [
      'atelier productique',
      'atelier menuiserie',
      'atelier électrotechnique',
      'atelier maintenance auto',
      'magasin',
    ],
    kitchen: ['cuisine pédagogique'],
    grounds: ['plateau sportif'],
  },
  {
    site: "Lycée maritime de l'Odet",
    office: ['secrétariat', 'infirmerie'],
    classroom: [...numbered('salle', [1, 2, 3, 4, 5]), 'simulateur de navigation', 'internat, 2e étage'],
    workshop: ['atelier mécanique navale', 'atelier ramendage'],
    kitchen: ['cuisine'],
    grounds: ['cale de mise à l’eau'],
  },
  {
    site: 'Centre de formation de Pontivy',
    office: ['accueil', 'bureau des formateurs', 'bureau 12'],
    classroom: [...numbered('salle', [21, 22, 23, 24]), 'salle informatique'],
    workshop: ['plateau soudage', 'plateau bois', 'plateau bâtiment', 'outillerie'],
    grounds: ['espaces verts'],
  },
  {
    site: 'Garage régional',
    office: ['bureau du parc'],
    garage: [
      'parking P1',
      'parking P2',
      'travée 1',
      'travée 2',
      'travée 3',
      'aire de lavage',
      'magasin pièces',
    ],
    grounds: ['hangar à engins'],
  },
  {
    site: 'Centre de données de Saint-Brieuc',
    office: ['poste de supervision'],
    datacentre: ['baie A1', 'baie A2', 'baie A3', 'baie B1', 'baie B2', 'local onduleurs', 'réserve'],
  },
  {
    site: 'Antenne de Brest',
    office: ['accueil', ...numbered('bureau', [1, 2, 3, 4, 6]), 'salle de réunion « Iroise »'],
    garage: ['sous-sol'],
  },
];

export interface Place {
  name: string;
  /** Of rooms alone. */
  code: string | null;
  parent: number | null;
}

export interface Room {
  kind: RoomKind;
  name: string;
  place: number;
}

/** The tree of sites, buildings, floors and rooms; a parent stands before what lies below it. */
export const places: Place[] = [];

for (const { site, ...kinds } of sites.toSorted((one, other) => one.site.localeCompare(other.site, 'fr')))
  for (const room of Object.values(kinds).flat()) placeOf(site, room);

/** All rooms, in visiting order. */
export const rooms: Room[] = sites.flatMap(({ site, ...kinds }) =>
  Object.entries(kinds).flatMap(([kind, names]) =>
    names.map((name) => ({
      kind: kind as RoomKind,
      name: `${site}, ${name}`,
      place: placeOf(site, name),
    })),
  ),
);

/** Makes the place of a room, and those above it, where they are not there yet. */
function placeOf(site: string, room: string): number {
  const above = [...site.replace('Bât.', 'Bâtiment').split(' – '), ...floorOf(room)];
  const name = room.charAt(0).toUpperCase() + room.slice(1);
  return placeIn(
    above.reduce<number | null>((parent, one) => placeIn(parent, one), null),
    name,
    true,
  );
}

function placeIn(parent: number | null, name: string, isRoom = false): number {
  const known = places.findIndex((place) => place.name === name && place.parent === parent);
  if (known >= 0) return known;
  const rooms = places.filter((place) => place.code).length;
  const code = isRoom ? `L-${String(rooms + 1).padStart(4, '0')}` : null;
  return places.push({ name, code, parent }) - 1;
}

/** The first of three digits of a room's number. */
function floorOf(room: string): string[] {
  const [, floor] = /\b(\d)\d\d$/.exec(room) ?? [];
  return floor === undefined ? [] : [floor === '1' ? '1er étage' : `${floor}e étage`];
}

/** Whether a place is one of these or lies below one. */
export const isWithin = (place: number | null, above: number[]): boolean =>
  place !== null && (above.includes(place) || isWithin(places[place]!.parent, above));

export const towns: [postalCode: string, city: string][] = [
  ['22000', 'Saint-Brieuc'],
  ['22100', 'Dinan'],
  ['22190', 'Plérin'],
  ['22200', 'Guingamp'],
  ['22300', 'Lannion'],
  ['22400', 'Lamballe-Armor'],
  ['22440', 'Ploufragan'],
  ['22500', 'Paimpol'],
  ['22600', 'Loudéac'],
  ['22700', 'Perros-Guirec'],
  ['29000', 'Quimper'],
  ['29100', 'Douarnenez'],
  ['29150', 'Châteaulin'],
  ['29200', 'Brest'],
  ['29270', 'Carhaix-Plouguer'],
  ['29300', 'Quimperlé'],
  ['29400', 'Landivisiau'],
  ['29600', 'Morlaix'],
  ['29800', 'Landerneau'],
  ['29900', 'Concarneau'],
  ['35000', 'Rennes'],
  ['35170', 'Bruz'],
  ['35270', 'Combourg'],
  ['35300', 'Fougères'],
  ['35400', 'Saint-Malo'],
  ['35500', 'Vitré'],
  ['35510', 'Cesson-Sévigné'],
  ['35600', 'Redon'],
  ['56000', 'Vannes'],
  ['56100', 'Lorient'],
  ['56230', 'Questembert'],
  ['56300', 'Pontivy'],
  ['56400', 'Auray'],
  ['56520', 'Guidel'],
  ['56700', 'Hennebont'],
  ['56800', 'Ploërmel'],
];

export const streets = [
  'rue de la République',
  'rue des Ajoncs',
  'avenue du Général-de-Gaulle',
  "rue de l'Église",
  'quai des Indes',
  'boulevard de la Liberté',
  'rue du Moulin-à-Vent',
  'ZA de Kergaradec',
  'ZI du Prat',
  "place de l'Hôtel-de-Ville",
  'rue Anne-de-Bretagne',
  'impasse des Goélands',
  'rue Théodore-Botrel',
  'allée des Châtaigniers',
  'rue du Port',
  'chemin de Kerhuel',
  "parc d'activités de la Bretèche",
  'rue Joseph-Le-Brix',
  'route de Plouër',
  'rue aux Fées',
];
