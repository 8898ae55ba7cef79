import type { Family } from './catalogue.data.js';

export const families: Family[] = [
  // Ordinateurs portables
  {
    brand: 'Dell',
    category: 'Ordinateurs portables',
    price: [690, 1290],
    until: 2020,
    inactive: true,
    models: ['Latitude 3400', 'Latitude 5400'],
  },
  {
    brand: 'Dell',
    category: 'Ordinateurs portables',
    price: [740, 1490],
    since: 2021,
    until: 2023,
    models: ['Latitude 3420', 'Latitude 5420', 'Latitude 5520', 'Precision 3561'],
  },
  {
    brand: 'Dell',
    category: 'Ordinateurs portables',
    price: [820, 1690],
    since: 2024,
    models: ['Latitude 3550', 'Latitude 5450', 'Latitude 5550', 'Precision 3591'],
  },
  {
    brand: 'HP',
    category: 'Ordinateurs portables',
    price: [640, 1180],
    until: 2021,
    models: ['ProBook 450 G6', 'EliteBook 830 G6', 'EliteBook 840 G7'],
  },
  {
    brand: 'HP',
    category: 'Ordinateurs portables',
    price: [710, 1420],
    since: 2022,
    models: ['ProBook 450 G9', 'EliteBook 640 G10', 'EliteBook 840 G10', 'ZBook Firefly 14 G10'],
  },
  {
    brand: 'Lenovo',
    category: 'Ordinateurs portables',
    price: [590, 1350],
    since: 2020,
    models: ['ThinkPad L14 Gen 2', 'ThinkPad L15 Gen 3', 'ThinkPad T14 Gen 3', 'ThinkPad X1 Carbon Gen 10'],
  },
  {
    brand: 'Apple',
    category: 'Ordinateurs portables',
    price: [1129, 2390],
    since: 2021,
    models: ['MacBook Air 13" M1', 'MacBook Pro 14" M1 Pro'],
  },
  // Ordinateurs fixes
  {
    brand: 'Dell',
    category: 'Ordinateurs fixes',
    price: [520, 980],
    until: 2022,
    models: ['OptiPlex 3070 SFF', 'OptiPlex 5080 MT'],
  },
  {
    brand: 'Dell',
    category: 'Ordinateurs fixes',
    price: [590, 1680],
    since: 2023,
    models: ['OptiPlex 7010 Micro', 'OptiPlex 7020 SFF', 'Precision 3660 (poste DAO)'],
  },
  {
    brand: 'HP',
    category: 'Ordinateurs fixes',
    price: [480, 1390],
    models: ['ProDesk 400 G6', 'EliteDesk 800 G5 Mini', 'Z2 G5 Tour'],
  },
  {
    brand: 'Lenovo',
    category: 'Ordinateurs fixes',
    price: [460, 790],
    since: 2020,
    models: ['ThinkCentre M70q', 'ThinkCentre M75s Gen 2'],
  },
  {
    brand: 'Apple',
    category: 'Ordinateurs fixes',
    price: [699, 1799],
    since: 2021,
    models: ['Mac mini M1', 'iMac 24" M1'],
  },
  // Écrans
  {
    brand: 'Iiyama',
    category: 'Écrans',
    price: [119, 389],
    models: ['ProLite XUB2292HS', 'ProLite XUB2493HS', 'ProLite XUB2792QSU', 'ProLite XUB3293UHSN'],
  },
  {
    brand: 'Dell',
    category: 'Écrans',
    price: [139, 449],
    models: ['P2219H', 'P2422H', 'U2722D', 'P3223QE (32 pouces 4K)'],
  },
  { brand: 'HP', category: 'Écrans', price: [129, 319], models: ['E22 G4', 'E24 G4', 'E27q G4'] },
  {
    brand: 'Samsung',
    category: 'Écrans',
    price: [149, 699],
    models: ['S24R350', 'S27A600', 'Odyssey G9 incurvé 49"'],
  },
  // Tablettes et téléphones
  {
    brand: 'Apple',
    category: 'Tablettes et téléphones',
    price: [329, 899],
    models: ['iPad 10,2" Wi-Fi 64 Go', 'iPhone SE 64 Go', 'iPad Air 10,9"', 'iPhone 13 128 Go'],
    since: 2021,
  },
  {
    brand: 'Samsung',
    category: 'Tablettes et téléphones',
    price: [189, 649],
    models: ['Galaxy Tab A7 Lite', 'Galaxy XCover 5', 'Galaxy A54 5G', 'Galaxy Tab Active 4 Pro'],
    since: 2021,
  },
  {
    brand: 'Samsung',
    category: 'Tablettes et téléphones',
    price: [199, 349],
    until: 2020,
    inactive: true,
    models: ['Galaxy Tab A 10.1', 'Galaxy XCover 4s'],
  },
  // Imprimantes et copieurs
  {
    brand: 'Brother',
    category: 'Imprimantes et copieurs',
    price: [179, 590],
    models: ['HL-L2350DW', 'MFC-L2750DW', 'MFC-L8690CDW', 'HL-L9310CDW'],
  },
  {
    brand: 'Canon',
    category: 'Imprimantes et copieurs',
    price: [1490, 6890],
    models: [
      'imageRUNNER 1643i',
      'imageRUNNER ADVANCE C3525i',
      'imageRUNNER ADVANCE DX C5840i',
      'imagePROGRAF TM-300 (traceur A0)',
    ],
  },
  {
    brand: 'HP',
    category: 'Imprimantes et copieurs',
    price: [249, 1290],
    models: ['LaserJet Pro M404dn', 'Color LaserJet Pro M454dw'],
  },
  {
    brand: 'Epson',
    category: 'Imprimantes et copieurs',
    price: [320, 4590],
    models: ['WorkForce Pro WF-C5790DWF', 'SureColor SC-T3100', 'WorkForce Enterprise WF-C20600'],
  },
  // Serveurs et stockage
  {
    brand: 'Dell',
    category: 'Serveurs et stockage',
    price: [2890, 24900],
    models: [
      'PowerEdge R340',
      'PowerEdge R640',
      'PowerEdge R750',
      'PowerVault ME4024 – baie SAN 24 × 2,4 To',
    ],
  },
  {
    brand: 'HP',
    category: 'Serveurs et stockage',
    price: [3290, 14500],
    models: ['ProLiant DL360 Gen10', 'ProLiant DL380 Gen10', 'StoreEver MSL2024 (robot de sauvegarde)'],
  },
  {
    brand: 'Lenovo',
    category: 'Serveurs et stockage',
    price: [4190, 11900],
    since: 2021,
    models: ['ThinkSystem SR630 V2', 'ThinkSystem SR650 V2'],
  },
  // Équipements réseau
  {
    brand: 'Cisco',
    category: 'Équipements réseau',
    price: [690, 7900],
    models: ['Catalyst 1000-24T', 'Catalyst 9200L-48P', 'Firepower 1140', 'Catalyst 9500-24Y4C'],
  },
  {
    brand: 'Aruba',
    category: 'Équipements réseau',
    price: [310, 3290],
    models: ['AP-303 (borne Wi-Fi)', 'AP-515 (borne Wi-Fi 6)', '2930F 48G PoE+', '6300M 24 ports SFP+'],
  },
  {
    brand: 'APC',
    category: 'Équipements réseau',
    price: [420, 3890],
    models: ['Smart-UPS 1000 VA', 'Smart-UPS SRT 3000 VA', 'NetShelter SX 42U'],
  },
  // Vidéoprojection et affichage
  {
    brand: 'Epson',
    category: 'Vidéoprojection et affichage',
    price: [449, 2190],
    models: ['EB-X49', 'EB-FH52', 'EB-695Wi interactif', 'EB-L630U laser'],
  },
  {
    brand: 'Samsung',
    category: 'Vidéoprojection et affichage',
    price: [599, 3290],
    models: ['QM43R', 'QB55R « signalétique »', 'QM75C', 'Flip 2 WM65R'],
  },
  {
    brand: 'Canon',
    category: 'Vidéoprojection et affichage',
    price: [620, 1890],
    models: ['LV-WU360', 'XEED WUX500ST'],
  },
  // Sonorisation et visioconférence
  {
    brand: 'Logitech',
    category: 'Sonorisation et visioconférence',
    price: [229, 3790],
    models: ['BCC950', 'MeetUp', 'Rally Bar Mini', 'Rally Bar + micros de table'],
  },
  {
    brand: 'Bose',
    category: 'Sonorisation et visioconférence',
    price: [349, 2490],
    models: ['S1 Pro', 'L1 Pro8', 'Videobar VB1', 'L1 Pro32 + caisson « Sub2 »'],
  },
  // Mobilier de bureau
  {
    brand: 'Steelcase',
    category: 'Mobilier de bureau',
    price: [390, 1290],
    models: [
      'Kalidro 140 × 80',
      'Kalidro 160 × 80',
      'FrameOne bench 2 personnes',
      'Ology réglable en hauteur',
      'B-Free – table haute',
    ],
  },
  {
    brand: 'Majencia',
    category: 'Mobilier de bureau',
    price: [210, 890],
    models: [
      "Table d'appoint M-Basic",
      'Bureau M-Pro 140',
      'Bureau M-Pro 160 avec retour',
      'Table de réunion ovale 8 places',
      "Banque d'accueil « Horizon »",
    ],
  },
  {
    brand: 'Vinco',
    category: 'Mobilier de bureau',
    price: [160, 620],
    models: [
      'Bureau compact 120',
      'Table pliante 160',
      'Table de réunion ronde Ø 120',
      'Îlot de travail 4 places',
    ],
  },
  // Sièges de bureau
  {
    brand: 'Steelcase',
    category: 'Sièges de bureau',
    price: [290, 890],
    models: ['Series 1', 'Series 2', 'Please', 'Gesture', 'Leap V2'],
  },
  {
    brand: 'Majencia',
    category: 'Sièges de bureau',
    price: [119, 420],
    models: ['Chaise visiteur Kiva', 'Fauteuil Oxo', 'Fauteuil ergonomique Téo', "Fauteuil d'accueil Loélie"],
  },
  {
    brand: 'Vinco',
    category: 'Sièges de bureau',
    price: [69, 260],
    models: [
      'Chaise coque Ana',
      'Chaise empilable Zoé',
      "Tabouret d'atelier réglable",
      'Siège technique Éole',
    ],
  },
  // Mobilier scolaire
  {
    brand: 'Vinco',
    category: 'Mobilier scolaire',
    price: [62, 540],
    models: [
      'Chaise élève taille 6',
      'Table élève 70 × 50',
      'Table élève 130 × 50',
      'Bureau professeur 140',
      'Paillasse sèche 150 × 75',
      'Armoire de classe à rideaux',
    ],
  },
  {
    brand: 'Majencia',
    category: 'Mobilier scolaire',
    price: [74, 690],
    models: [
      'Chaise appui sur table Caméo',
      'Table mobile Hexa',
      'Table de CDI 160 × 80',
      "Lit d'internat 90 × 200",
      "Armoire d'internat 2 portes",
    ],
  },
  // Rangements et archives
  {
    brand: 'Bisley',
    category: 'Rangements et archives',
    price: [149, 890],
    models: [
      'Caisson Note 3 tiroirs',
      'Classeur 4 tiroirs BS4E',
      'Armoire à rideaux Euro 120 × 198',
      "Armoire ignifuge d'archives",
    ],
  },
  {
    brand: 'Steelcase',
    category: 'Rangements et archives',
    price: [260, 620],
    models: ['Share It 80', 'Share It 120'],
  },
  {
    brand: 'Vinco',
    category: 'Rangements et archives',
    price: [99, 480],
    models: [
      'Étagère métallique 5 niveaux',
      'Vestiaire 2 cases',
      'Vestiaire industrie salissante 4 cases',
      'Rayonnage archives double face',
    ],
  },
  // Véhicules légers
  {
    brand: 'Renault',
    category: 'Véhicules légers',
    price: [13900, 32900],
    models: ['Clio V TCe 90', 'Captur E-Tech', 'Mégane E-Tech EV60'],
  },
  {
    brand: 'Peugeot',
    category: 'Véhicules légers',
    price: [14900, 33900],
    models: ['208 PureTech 75', 'e-208 GT', '308 SW Hybrid', 'e-2008 Allure'],
  },
  {
    brand: 'Citroën',
    category: 'Véhicules légers',
    price: [12900, 28900],
    models: ['C3 PureTech 83', 'ë-C4 Feel', 'C5 Aircross Hybrid'],
  },
  // Véhicules utilitaires
  {
    brand: 'Renault',
    category: 'Véhicules utilitaires',
    price: [16900, 38900],
    models: [
      'Kangoo Express L1',
      'Kangoo E-Tech « Grand Confort »',
      'Trafic L1H1',
      'Master L2H2',
      'Master châssis benne',
    ],
  },
  {
    brand: 'Peugeot',
    category: 'Véhicules utilitaires',
    price: [17500, 36900],
    models: ['Partner BlueHDi 100', 'e-Expert 75 kWh', 'Boxer L3H2'],
  },
  {
    brand: 'Citroën',
    category: 'Véhicules utilitaires',
    price: [16500, 35900],
    models: ['Berlingo Van M', 'ë-Jumpy L'],
  },
  // Engins et espaces verts
  {
    brand: 'Kubota',
    category: 'Engins et espaces verts',
    price: [7900, 38900],
    models: [
      'GR1600 tondeuse autoportée',
      'F251 tondeuse frontale',
      'B1241 microtracteur',
      'KX019-4 mini-pelle',
      'L1421 tracteur compact',
    ],
  },
  {
    brand: 'Stihl',
    category: 'Engins et espaces verts',
    price: [290, 1290],
    models: ['HSA 94 R taille-haie', 'FSA 130 débroussailleuse', 'BGA 200 souffleur', 'MS 261 tronçonneuse'],
  },
  // Outillage électroportatif
  {
    brand: 'Makita',
    category: 'Outillage électroportatif',
    price: [119, 690],
    models: [
      'DHP484 perceuse-visseuse',
      'DGA504 meuleuse',
      'DJV182 scie sauteuse',
      'DHR242 perforateur',
      'DSP600 scie plongeante',
    ],
  },
  {
    brand: 'Bosch',
    category: 'Outillage électroportatif',
    price: [129, 590],
    models: ['GSR 18V-55', 'GWS 18V-10', 'GEX 40-150 ponceuse', 'GBH 18V-26 F', 'GKS 18V-68 GC'],
  },
  {
    brand: 'Hilti',
    category: 'Outillage électroportatif',
    price: [420, 1490],
    models: ['SF 6H-A22', 'TE 6-A22', 'PM 30-MG laser multiligne'],
  },
  // Machines-outils
  {
    brand: 'Mécanuméric',
    category: 'Machines-outils',
    price: [9900, 46900],
    models: [
      'CharlyRobot CR4',
      'Néo 600 – fraiseuse pédagogique',
      "NX50 PRO découpe jet d'eau",
      'Lasermec 13090',
      'Norma 2040 usinage 3 axes',
    ],
  },
  {
    brand: 'Würth',
    category: 'Machines-outils',
    price: [890, 4290],
    models: ['Perceuse à colonne SBM-32', "Touret d'affûtage DSM 200", 'Poste à souder MIG-MAG 250'],
  },
  // Matériel de garage
  {
    brand: 'Facom',
    category: 'Matériel de garage',
    price: [390, 3890],
    models: [
      'Servante Jet+ 7 tiroirs',
      'Cric rouleur DL.3T',
      "Fosse d'outillage U.60P",
      'Banc de diagnostic DX.TSCAN',
      'Servante JLS3 « Édition spéciale »',
    ],
  },
  {
    brand: 'Würth',
    category: 'Matériel de garage',
    price: [690, 5190],
    models: [
      'Démonte-pneu WTC-24',
      'Équilibreuse WBM-65',
      'Pont élévateur 2 colonnes 3,5 t',
      'Station de climatisation COOLIUS',
    ],
  },
  {
    brand: 'Bosch',
    category: 'Matériel de garage',
    price: [790, 6490],
    models: ['BAT 690 chargeur', 'KTS 560', 'BEA 550 analyseur de gaz'],
  },
  // Matériel de cuisine
  {
    brand: 'Rational',
    category: 'Matériel de cuisine',
    price: [8900, 19900],
    models: ['iCombi Classic 6-1/1', 'iCombi Pro 10-1/1', 'iVario 2-S', 'iCombi Pro 20-2/1'],
  },
  {
    brand: 'Electrolux',
    category: 'Matériel de cuisine',
    price: [1290, 12900],
    models: [
      'Armoire réfrigérée ecostore 670',
      'Armoire négative ecostore 1430',
      'Cellule de refroidissement 30 kg',
      'Lave-vaisselle à capot hygiene&clean',
      'Sauteuse basculante 80 l',
      'Lave-batterie "green&clean" grande capacité',
    ],
  },
  {
    brand: 'Bosch',
    category: 'Matériel de cuisine',
    price: [199, 690],
    models: ['Réfrigérateur Série 4 table top', 'Lave-linge Série 6 internat', 'Four encastrable Série 6'],
  },
  // Matériel scientifique
  {
    brand: 'Jeulin',
    category: 'Matériel scientifique',
    price: [189, 2990],
    models: [
      'Balance de précision 0,01 g',
      'Microscope binoculaire Primo',
      'Oscilloscope numérique 2 voies',
      'Interface Foxy® EXAO',
      "Banc d'optique Ovio",
      'Spectrophotomètre UV-visible',
      'Hotte à filtration « Tornado »',
    ],
  },
  {
    brand: 'Epson',
    category: 'Matériel scientifique',
    price: [390, 890],
    models: ['ELP-DC13 visualiseur de paillasse', 'ELP-DC21 visualiseur HD'],
  },
  {
    brand: 'HP',
    category: 'Matériel scientifique',
    price: [450, 590],
    models: ['Prime G2 – valise de 10 calculatrices', "Prime G2 – valise d'examen"],
  },
  // Matériel médical et de secours
  {
    brand: 'Schiller',
    category: 'Matériel médical et de secours',
    price: [990, 2890],
    models: [
      'FRED PA-1',
      'FRED easyport plus',
      'MS-2015 électrocardiographe',
      "FRED PA-1 avec armoire d'extérieur chauffée",
    ],
  },
  {
    brand: null,
    category: 'Matériel médical et de secours',
    price: [240, 1690],
    models: ["Divan d'examen fixe", 'Chariot de soins inox', 'Lit médicalisé Alizé'],
  },
  // Nettoyage et entretien
  {
    brand: 'Kärcher',
    category: 'Nettoyage et entretien',
    price: [290, 5690],
    models: [
      'NT 30/1 Tact',
      'Puzzi 10/1',
      'HDS 8/18-4 M',
      'BD 43/25 C Bp',
      'KM 75/40 balayeuse',
      'BR 45/22 C autolaveuse',
    ],
  },
  {
    brand: 'Nilfisk',
    category: 'Nettoyage et entretien',
    price: [190, 4990],
    models: ['VP300 Éco', 'ATTIX 33', 'SC250', 'SC401 autolaveuse', 'SW750 balayeuse'],
  },
  // Installations techniques
  {
    brand: 'Atlantic',
    category: 'Installations techniques',
    price: [690, 8900],
    models: [
      'Chauffe-eau Zénéo 300 l',
      'VMC Duocosy HR',
      'Pompe à chaleur Alféa Extensa',
      'Chaudière à condensation Varfree',
      'Chaudière Condensinox 100',
    ],
  },
  {
    brand: 'Daikin',
    category: 'Installations techniques',
    price: [990, 14900],
    models: [
      'Split Perfera FTXM35',
      'Cassette Sky Air FCAG71',
      'VRV IV-S 6 HP',
      'Armoire de climatisation de salle serveurs',
    ],
  },
  {
    brand: 'Schneider Electric',
    category: 'Installations techniques',
    price: [890, 12900],
    models: [
      'EVlink Pro AC 22 kW',
      'Prisma G armoire 630 A',
      'Galaxy VS onduleur 20 kVA',
      'Galaxy VS onduleur 60 kVA',
    ],
  },
  // Équipements sportifs et extérieurs
  {
    brand: 'Casal Sport',
    category: 'Équipements sportifs et extérieurs',
    price: [390, 3290],
    models: [
      'Tapis de réception 200 × 150',
      'Table de tennis de table « Outdoor »',
      'Buts de handball (la paire)',
      'Panier de basket mobile',
      'Praticable de gymnastique 12 m',
    ],
  },
  {
    brand: 'Vinci Play',
    category: 'Équipements sportifs et extérieurs',
    price: [890, 8900],
    models: [
      'Banc Solo',
      'Station de musculation Workout WK-2',
      'Abri vélos 10 places',
      "Parcours d'agilité Maxx",
      "Structure d'escalade Crooc 4",
    ],
  },

  // Matériel sans marque, hors nomenclature ou très longuement désigné
  {
    brand: null,
    category: 'Rangements et archives',
    price: [180, 420],
    models: ["Vitrine d'exposition", "Armoire de l'ancien rectorat"],
    inactive: true,
    until: 2021,
  },
  {
    brand: null,
    category: 'Mobilier de bureau',
    price: [240, 980],
    models: ["Table d'œuvres « Le Goëland »", "Pupitre de l'hémicycle"],
  },
  {
    brand: null,
    category: null,
    price: [1200, 6800],
    models: [
      "Tapisserie « Les Îles d'Armor »",
      'Sculpture « Granit & Houle »',
      'Maquette du port de commerce',
    ],
    unamortized: true,
  },
  {
    brand: 'Canon',
    category: null,
    price: [890, 2490],
    models: ['EOS 250D (service communication)', 'EOS R6 + objectif 24-105 mm'],
  },
  {
    brand: 'Peugeot',
    category: 'Véhicules légers',
    price: [850, 2190],
    models: ['eLC01 vélo à assistance électrique', "eLT01 vélo cargo de l'accueil"],
    unamortized: true,
  },
  {
    brand: 'Steelcase',
    category: 'Mobilier de bureau',
    price: [2900, 2900],
    models: [
      "Ensemble complet de mobilier pour la salle de réunion du conseil – table modulaire en six éléments, piètements rabattables à roulettes, plateau stratifié chêne clair, trappes d'accès aux prises, goulottes verticales, voile de fond « Armor »",
    ],
  },
  {
    brand: 'Schneider Electric',
    category: 'Installations techniques',
    price: [18900, 18900],
    models: [
      "Armoire générale basse tension du bâtiment B (remplacement de l'existant) : jeu de barres 1 250 A, disjoncteur général débrochable, départs ondulés et non ondulés, comptage d'énergie par étage, télésurveillance et coffret d'arrêt",
    ],
  },
  {
    brand: 'Electrolux',
    category: 'Matériel de cuisine',
    price: [23900, 23900],
    models: [
      "Ligne de self-service « Îlot gourmand » du lycée – meuble d'entrée, meuble neutre, deux meubles réfrigérés à cuve, meuble chauffant sur étuve, niveau plateau continu, éclairage à DEL, habillage chêne et rampes en inox brossé posées",
    ],
  },
  {
    brand: 'Mécanuméric',
    category: 'Machines-outils',
    price: [38900, 38900],
    models: [
      "Cellule d'usinage pédagogique complète pour la section « Productique » : centre vertical trois axes, robot de chargement, carter vitré, aspiration des copeaux, poste de programmation, licences élèves, mise en service et formation",
    ],
  },
];
