/** What kind of company sells a category, and what kinds of rooms its goods stand in. */
export type Trade =
  'it' | 'audiovisual' | 'furniture' | 'vehicles' | 'workshop' | 'catering' | 'building' | 'general';
export type RoomKind = 'office' | 'classroom' | 'workshop' | 'kitchen' | 'garage' | 'datacentre' | 'grounds';

export interface DemoAmortizationCategory {
  name: string;
  method: 'linear' | 'declining';
  durationYears: 3 | 5 | 8 | 10;
  /** Fiscal coefficient of the declining method: 1.25 for 3–4 years, 1.75 for 5–6, 2.25 above; null when linear. */
  coefficient: 1.25 | 1.75 | 2.25 | null;
}

export const amortizationCategories = [
  { name: 'Informatique – 3 ans linéaire', method: 'linear', durationYears: 3, coefficient: null },
  { name: 'Informatique mobile – 3 ans dégressif', method: 'declining', durationYears: 3, coefficient: 1.25 },
  { name: 'Audiovisuel – 5 ans linéaire', method: 'linear', durationYears: 5, coefficient: null },
  { name: 'Véhicules – 5 ans linéaire', method: 'linear', durationYears: 5, coefficient: null },
  { name: 'Outillage – 5 ans linéaire', method: 'linear', durationYears: 5, coefficient: null },
  { name: 'Serveurs et réseaux – 5 ans dégressif', method: 'declining', durationYears: 5, coefficient: 1.75 },
  { name: 'Matériel industriel – 5 ans dégressif', method: 'declining', durationYears: 5, coefficient: 1.75 },
  {
    name: 'Installations techniques – 8 ans linéaire',
    method: 'linear',
    durationYears: 8,
    coefficient: null,
  },
  { name: 'Matériel scientifique – 8 ans linéaire', method: 'linear', durationYears: 8, coefficient: null },
  { name: 'Engins – 8 ans dégressif', method: 'declining', durationYears: 8, coefficient: 2.25 },
  { name: 'Mobilier – 10 ans linéaire', method: 'linear', durationYears: 10, coefficient: null },
  { name: 'Machines-outils – 10 ans dégressif', method: 'declining', durationYears: 10, coefficient: 2.25 },
] as const satisfies DemoAmortizationCategory[];

type AmortizationName = (typeof amortizationCategories)[number]['name'];

interface CategoryPlan {
  /** Prefix of the article references. */
  code: string;
  amortization: AmortizationName;
  trade: Trade;
  rooms: RoomKind[];
  /** The most pieces one order brings. */
  lot: number;
}

export const categories = {
  'Ordinateurs portables': {
    code: 'PCP',
    amortization: 'Informatique mobile – 3 ans dégressif',
    trade: 'it',
    rooms: ['office', 'classroom'],
    lot: 16,
  },
  'Ordinateurs fixes': {
    code: 'PCF',
    amortization: 'Informatique – 3 ans linéaire',
    trade: 'it',
    rooms: ['classroom', 'office'],
    lot: 16,
  },
  Écrans: {
    code: 'ECR',
    amortization: 'Informatique – 3 ans linéaire',
    trade: 'it',
    rooms: ['office', 'classroom'],
    lot: 18,
  },
  'Tablettes et téléphones': {
    code: 'TEL',
    amortization: 'Informatique mobile – 3 ans dégressif',
    trade: 'it',
    rooms: ['office', 'classroom'],
    lot: 14,
  },
  'Imprimantes et copieurs': {
    code: 'IMP',
    amortization: 'Informatique – 3 ans linéaire',
    trade: 'it',
    rooms: ['office'],
    lot: 4,
  },
  'Serveurs et stockage': {
    code: 'SRV',
    amortization: 'Serveurs et réseaux – 5 ans dégressif',
    trade: 'it',
    rooms: ['datacentre'],
    lot: 4,
  },
  'Équipements réseau': {
    code: 'RES',
    amortization: 'Serveurs et réseaux – 5 ans dégressif',
    trade: 'it',
    rooms: ['datacentre', 'office'],
    lot: 8,
  },
  'Vidéoprojection et affichage': {
    code: 'VID',
    amortization: 'Audiovisuel – 5 ans linéaire',
    trade: 'audiovisual',
    rooms: ['classroom', 'office'],
    lot: 8,
  },
  'Sonorisation et visioconférence': {
    code: 'SON',
    amortization: 'Audiovisuel – 5 ans linéaire',
    trade: 'audiovisual',
    rooms: ['office', 'classroom'],
    lot: 5,
  },
  'Mobilier de bureau': {
    code: 'MOB',
    amortization: 'Mobilier – 10 ans linéaire',
    trade: 'furniture',
    rooms: ['office'],
    lot: 14,
  },
  'Sièges de bureau': {
    code: 'SIE',
    amortization: 'Mobilier – 10 ans linéaire',
    trade: 'furniture',
    rooms: ['office'],
    lot: 16,
  },
  'Mobilier scolaire': {
    code: 'MSC',
    amortization: 'Mobilier – 10 ans linéaire',
    trade: 'furniture',
    rooms: ['classroom'],
    lot: 18,
  },
  'Rangements et archives': {
    code: 'RAN',
    amortization: 'Mobilier – 10 ans linéaire',
    trade: 'furniture',
    rooms: ['office'],
    lot: 8,
  },
  'Véhicules légers': {
    code: 'VHL',
    amortization: 'Véhicules – 5 ans linéaire',
    trade: 'vehicles',
    rooms: ['garage'],
    lot: 3,
  },
  'Véhicules utilitaires': {
    code: 'VHU',
    amortization: 'Véhicules – 5 ans linéaire',
    trade: 'vehicles',
    rooms: ['garage'],
    lot: 2,
  },
  'Engins et espaces verts': {
    code: 'ENG',
    amortization: 'Engins – 8 ans dégressif',
    trade: 'vehicles',
    rooms: ['grounds', 'garage'],
    lot: 3,
  },
  'Outillage électroportatif': {
    code: 'OUT',
    amortization: 'Outillage – 5 ans linéaire',
    trade: 'workshop',
    rooms: ['workshop'],
    lot: 8,
  },
  'Machines-outils': {
    code: 'MAC',
    amortization: 'Machines-outils – 10 ans dégressif',
    trade: 'workshop',
    rooms: ['workshop'],
    lot: 2,
  },
  'Matériel de garage': {
    code: 'GAR',
    amortization: 'Matériel industriel – 5 ans dégressif',
    trade: 'workshop',
    rooms: ['garage', 'workshop'],
    lot: 3,
  },
  'Matériel de cuisine': {
    code: 'CUI',
    amortization: 'Matériel industriel – 5 ans dégressif',
    trade: 'catering',
    rooms: ['kitchen'],
    lot: 3,
  },
  'Matériel scientifique': {
    code: 'SCI',
    amortization: 'Matériel scientifique – 8 ans linéaire',
    trade: 'general',
    rooms: ['classroom'],
    lot: 10,
  },
  'Matériel médical et de secours': {
    code: 'MED',
    amortization: 'Matériel scientifique – 8 ans linéaire',
    trade: 'general',
    rooms: ['office', 'workshop'],
    lot: 3,
  },
  'Nettoyage et entretien': {
    code: 'NET',
    amortization: 'Matériel industriel – 5 ans dégressif',
    trade: 'general',
    rooms: ['kitchen', 'garage'],
    lot: 3,
  },
  'Installations techniques': {
    code: 'INS',
    amortization: 'Installations techniques – 8 ans linéaire',
    trade: 'building',
    rooms: ['datacentre', 'workshop', 'kitchen'],
    lot: 3,
  },
  'Équipements sportifs et extérieurs': {
    code: 'SPO',
    amortization: 'Installations techniques – 8 ans linéaire',
    trade: 'building',
    rooms: ['grounds'],
    lot: 4,
  },
} as const satisfies Record<string, CategoryPlan>;

type CategoryName = keyof typeof categories;

/** The makers, with the look of their serial numbers: # digit, ? letter, * either; null when they put none. */
export const brands = {
  Dell: '*******',
  HP: '5CG####***',
  Lenovo: 'PF*****##',
  Apple: 'C02?#***????',
  Samsung: 'R5?######**',
  Iiyama: '11#######?###',
  Canon: '2XK#####',
  Brother: 'E7####?#?######',
  Epson: 'X4B?########',
  Cisco: 'FCW####?***',
  Aruba: 'CN##K?****',
  APC: 'AS##########',
  Bose: '0#####P########AE',
  Logitech: '##########?#',
  Bosch: '3 601 ?## ###-###',
  Makita: '#######Y',
  Hilti: '##-#######',
  Facom: 'FC-##-#####',
  Würth: '0702 ### ###',
  Mécanuméric: 'MN-##-####',
  Renault: 'VF1R?***#########',
  Peugeot: 'VF3C?***#########',
  Citroën: 'VF7N?***#########',
  Kubota: 'KBC?###?######',
  Stihl: '5########',
  Steelcase: null,
  Majencia: null,
  Vinco: null,
  Bisley: null,
  Kärcher: '######-######',
  Nilfisk: 'NF########',
  Rational: 'E##SH########',
  Electrolux: '##########',
  'Schneider Electric': 'SE-##########',
  Atlantic: 'AT##########',
  Daikin: 'J######',
  'Vinci Play': null,
  'Casal Sport': null,
  Jeulin: 'JL######',
  Schiller: '###.######',
} as const satisfies Record<string, string | null>;

type BrandName = keyof typeof brands;

export interface Family {
  brand: BrandName | null;
  category: CategoryName | null;
  /** Price range; the models are listed from the cheapest to the dearest. */
  price: [number, number];
  /** Years during which it was bought, when not the whole period. */
  since?: number;
  until?: number;
  inactive?: true;
  /** Left without an amortization category. */
  unamortized?: true;
  models: string[];
}
