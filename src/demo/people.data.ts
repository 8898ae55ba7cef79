import type { Trade } from './catalogue.data.js';

export interface DemoUser {
  name: string;
  login: string;
  email: string;
  role: 'viewer' | 'operator' | 'manager' | 'admin';
}

export const users: DemoUser[] = [
  { name: 'Yann Le Goff', login: 'ylegoff', email: 'yann.le-goff@val-armor.example', role: 'operator' },
  { name: 'Maëlle Kerbrat', login: 'mkerbrat', email: 'maelle.kerbrat@val-armor.example', role: 'operator' },
  { name: 'Aïssata Diallo', login: 'adiallo', email: 'aissata.diallo@val-armor.example', role: 'operator' },
  { name: 'Loïc Guéguen', login: 'lgueguen', email: 'loic.gueguen@val-armor.example', role: 'operator' },
  {
    name: 'Françoise Le Bihan',
    login: 'flebihan',
    email: 'francoise.le-bihan@val-armor.example',
    role: 'manager',
  },
  { name: 'Étienne Rouxel', login: 'erouxel', email: 'etienne.rouxel@val-armor.example', role: 'viewer' },
];

export interface SessionPlan {
  year: number;
  /** The purchases made until that day are expected. */
  inventoryDate: string;
  label: string;
  openedAt: string;
  closedAt: string | null;
  openedBy: number;
  closedBy: number | null;
}

/** With the share of the expected purchases found in each room, and the share of all purchases reached so far. */
export const sessionPlans: (SessionPlan & { found: number; reached: number })[] = [
  {
    year: 2024,
    inventoryDate: '2024-09-09',
    label: 'Inventaire annuel 2024',
    openedAt: '2024-09-09T06:04:17.212Z',
    closedAt: '2024-10-18T14:41:08.530Z',
    openedBy: 4,
    closedBy: 4,
    found: 0.97,
    reached: 1,
  },
  {
    year: 2025,
    inventoryDate: '2025-09-08',
    label: 'Inventaire annuel 2025',
    openedAt: '2025-09-08T06:11:52.874Z',
    closedAt: '2025-10-17T15:06:33.095Z',
    openedBy: 4,
    closedBy: 4,
    found: 0.96,
    reached: 1,
  },
  {
    year: 2026,
    inventoryDate: '2026-09-14',
    label: 'Inventaire annuel 2026',
    openedAt: '2026-09-14T06:02:40.661Z',
    closedAt: null,
    openedBy: 4,
    closedBy: null,
    found: 0.97,
    reached: 0.665,
  },
];

/** Sixty invented suppliers. */
export const suppliers: Record<Trade, string[]> = {
  it: [
    'Armor Informatique',
    "Bureautique de l'Ouest",
    'Océane Systèmes',
    'Ty Réseau',
    'Korrigan Numérique',
    'Granit Data Services',
    'Penn-ar-Bed Micro',
    'Atelier du Poste de Travail',
    'Hermine Télécom',
    "L'Îlot Informatique",
    "Groupement armoricain de distribution informatique, d'infogérance et de maintenance des systèmes d'information des collectivités territoriales (GADIM)",
  ],
  audiovisual: [
    'Son & Lumière de Cornouaille',
    'Visio Ouest Intégration',
    'Écho des Abers',
    'Regards Croisés Audiovisuel',
  ],
  furniture: [
    'Mobilier du Ponant',
    'Agencement Kervella',
    'Espaces & Sièges',
    'Ébénisterie Le Hénaff',
    'Collectivités Mobilier Services',
    'Archives et Rayonnages de Bretagne',
    "L'École Équipée",
    'Ergonomie Atlantique',
    'Trégor Bureau',
    "Société d'aménagement d'espaces tertiaires, scolaires et hospitaliers du Grand Ouest – Établissements Quémeneur et Fils",
  ],
  vehicles: [
    'Garage du Léon',
    'Automobiles Le Floc’h',
    'Rade Utilitaires',
    'Motoculture Guézennec',
    'Électromobilité Bretonne',
    'Établissements Rivoal Engins',
    'Cycles de la Vilaine',
  ],
  workshop: [
    'Outillage Cadiou',
    'Quincaillerie des Abers',
    'Machines-Outils Rennaises',
    'Soudure Service Blavet',
    'Équip’Garage Morbihan',
    'Comptoir de l’Artisan',
    'Méca-Précision Arvor',
    'Fournitures Industrielles Troadec',
  ],
  catering: [
    'Cuisines Pro Iroise',
    'Froid et Saveurs',
    'Grandes Cuisines Le Gall',
    'Inox du Scorff',
    "L'Équipement du Chef",
  ],
  building: [
    'Énergies Kermarrec',
    'Climatique Atlantique',
    'Électricité Générale Bozec',
    'Chauffage Plomberie Désiré Salaün',
    'Aires & Loisirs',
    'Sols Sportifs de Brocéliande',
    'Génie Thermique du Trieux',
  ],
  general: [
    'Comptoir Régional d’Achats',
    'Sciences & Pédagogie',
    'Médi-Secours Ouest',
    'Hygiène Propreté Armor',
    'Labo Équipement Brest',
    'Papeterie Générale Le Dantec',
    'Nettoyage Matériel Conseil',
    'Sécurité Premiers Gestes',
  ],
};

export type TierType = 'customer' | 'supplier' | 'partner' | 'other';

/** Eighty invented third parties. */
export const tiers: Record<TierType, string[]> = {
  supplier: [
    'Ascenseurs Morvan',
    'Maintenance Thermique du Léon',
    'Froid Industriel Cozic',
    'Électro-Contrôle Bretagne',
    'Groupes Électrogènes Quéré',
    'Sécurité Incendie Armorique',
    'Climat Service 35',
    'Portes et Barrières Automatiques Le Roux',
    'Ponts Élévateurs Services',
    'Cuisines Dépannage Express',
    'Mécanique Navale Tanguy',
    'Machines Outils Assistance',
    'Onduleurs & Énergie',
    'Toitures Jégou',
    'Réseaux Optiques Ouest',
    'Plomberie Bellec',
    'Vérifications Périodiques Réunies',
    'Espaces Verts Guillou',
    'Serrurerie Coatanlem',
    'Balances et Pesage Finistère',
    'Air Comprimé Services',
    'Alarmes Penhoët',
    'Sono Scène Location',
    'Transports Le Meur',
    'Déménagements Riou',
    'Recyclage Électronique Solidaire',
  ],
  customer: [
    'Communauté de communes du Pays des Abers',
    'Commune de Kerlouan-sur-Mer',
    'Commune de Saint-Gwénolé-le-Bourg',
    'Association Les Amis du Phare',
    'Club nautique de la Rade',
    'Festival Les Vieilles Voiles',
    'Syndicat mixte du Port',
    'École de musique du Trégor',
    'Office de tourisme du Val',
    'Ligue de voile d’Armor',
    'Comité des fêtes de Plouménez',
    'Centre social Kerfeunteun',
    'Foyer de jeunes travailleurs An Oriant',
    'Théâtre du Champ-Clos',
    'Cinéma associatif L’Éden',
    'Maison des associations de Redon',
    'Bagad Bro an Arvor',
    'Cercle celtique de Pontivy',
    'Club de handball de Loudéac',
    'Banque alimentaire du Ponant',
    'Épicerie solidaire Kastell',
    'Médiathèque intercommunale',
  ],
  partner: [
    'Agence bretonne du climat',
    'Campus des métiers de la mer',
    'CFA de la construction',
    'Chambre d’artisanat du Val',
    'Université du Val d’Armor',
    'Institut d’aquaculture',
    'Pôle numérique Brocéliande',
    'Conservatoire du littoral armoricain',
    'Réseau des GRETA du Val',
    'Mission locale du Centre',
    'Agence de l’eau des Abers',
    'École de la deuxième chance',
    'Incubateur Ar Mor',
    'Technopôle Anticipa Ouest',
    'Comité régional du sport',
    'Fonds d’art contemporain du Val',
    'Maison de l’Europe',
    'Observatoire des transports',
    'Parc naturel des Monts d’Armor',
    'Groupement hospitalier du Val',
  ],
  other: [
    'Assurances mutuelles Le Ponant',
    'Cabinet d’expertise Hamon',
    'Étude notariale Kerdraon',
    'Paierie régionale',
    'Bureau de contrôle Véritech',
    'Commissaire aux ventes Philippe Auffret',
    'Trésorerie du Val',
    'Service des domaines',
    'Copropriété Les Terrasses de l’Odet',
    'Bailleur social Habitat Armor',
    'Huissier Le Cam et associés',
    'Géomètre-expert Nédélec',
  ],
};

export const staff = [
  'Mme Abgrall',
  'M. Bernard',
  'Mme Cloarec',
  'M. Diouf',
  'Mme Evenou',
  'M. Février',
  'Mme Garrec',
  'M. Hervé',
  'Mme Jaouen',
  'M. Kerdoncuff',
  'Mme L’Hostis',
  'M. Mével',
  'Mme N’Guyen',
  'M. Ollivier',
  'Mme Pérès',
  'M. Quéméré',
  'Mme Riwal',
  'M. Stéphan',
  'Mme Tréguier',
  'M. Yvinec',
];

/** What is written about a purchase; {room} and {person} are filled in. */
export const purchaseNotes = {
  personal: [
    '{room}.',
    'Affecté à {person}.',
    'Affecté à {person}, {room}.',
    'Prêté à {person} jusqu’aux vacances.',
    'Remplacé sous garantie.',
    'Quelques rayures, fonctionne bien.',
    'Repris à {person} à son départ, {room}.',
    'Étiquette décollée, à réimprimer.',
  ],
  shared: [
    '{room}.',
    '{room}.',
    'Bon état général.',
    'Étiquette décollée, à réimprimer.',
    "État d'usage ; à remplacer au prochain budget.",
    'Livré incomplet, complément reçu un mois après.',
    'Vu avec {person} : à déplacer à la rentrée.',
    'Financé par le fonds européen « FEDER ».',
    'Demandé par {person}, {room}.',
    'Repris de l’ancien site, {room}.',
    'Réparé en régie.',
  ],
};
