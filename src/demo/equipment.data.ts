import type { RoomKind } from './catalogue.data.js';

export type EquipmentStatus = 'in_service' | 'under_repair' | 'out_of_service';

/** What may be noted beside each status. */
export const equipmentNotes: Record<EquipmentStatus, string[]> = {
  in_service: [
    'Visite annuelle faite.',
    "Contrat d'entretien en cours.",
    'Prochaine vérification au printemps.',
    'Bruit léger au démarrage, à surveiller.',
  ],
  under_repair: [
    'En attente de pièce.',
    'Intervention demandée, devis reçu.',
    'Parti en atelier.',
    'Panne intermittente, diagnostic en cours.',
  ],
  out_of_service: [
    'À réformer.',
    "Arrêté à la demande de l'organisme de contrôle.",
    'Remplacé, à évacuer.',
    'Irréparable, pièces introuvables.',
  ],
};

type EquipmentModel = [
  name: string,
  brand: string | null,
  model: string | null,
  category: string,
  room: RoomKind,
];

export const equipmentModels: EquipmentModel[] = [
  ['Groupe électrogène', 'SDMO', 'J110K', 'Énergie', 'datacentre'],
  ['Onduleur', 'Schneider Electric', 'Galaxy VS 60', 'Énergie', 'datacentre'],
  ['Tableau général basse tension', 'Schneider Electric', 'Okken', 'Énergie', 'workshop'],
  ['Borne de recharge', 'Hager', 'Witty Park 22 kW', 'Énergie', 'garage'],
  ['Panneaux photovoltaïques', 'Systovi', 'V-Sys Pro', 'Énergie', 'grounds'],
  ['Chaudière gaz', 'De Dietrich', 'C 230 Éco', 'Chauffage et climatisation', 'kitchen'],
  ['Chaudière bois', 'Hargassner', 'Eco-HK 120', 'Chauffage et climatisation', 'workshop'],
  ['Pompe à chaleur', 'Atlantic', 'Alféa Extensa', 'Chauffage et climatisation', 'office'],
  ["Centrale de traitement d'air", 'France Air', "Power Box'Air", 'Chauffage et climatisation', 'classroom'],
  ['Climatiseur de salle serveurs', 'Daikin', 'VRV IV-S', 'Chauffage et climatisation', 'datacentre'],
  ["Ballon d'eau chaude", 'Atlantic', 'Corflex 1000', 'Chauffage et climatisation', 'kitchen'],
  ['Ascenseur', 'Otis', 'Gen2 Life', 'Levage', 'office'],
  ['Monte-charge', 'Kone', 'TranSys', 'Levage', 'kitchen'],
  ['Pont élévateur', 'Ravaglioli', 'KPX 337', 'Levage', 'garage'],
  ['Pont roulant', 'Konecranes', 'CXT 5 t', 'Levage', 'workshop'],
  ['Chariot élévateur', 'Fenwick', 'E16', 'Levage', 'workshop'],
  ['Transpalette électrique', 'Jungheinrich', 'EJE 116', 'Levage', 'kitchen'],
  ['Compresseur', 'Atlas Copco', 'GA 11', 'Atelier', 'workshop'],
  ['Tour parallèle', 'Cazeneuve', 'Optica 360', 'Atelier', 'workshop'],
  ['Centre d’usinage', 'Haas', 'VF-2', 'Atelier', 'workshop'],
  ['Cabine de peinture', 'Omia', 'Évolution 7 m', 'Atelier', 'garage'],
  ['Aspiration centralisée', 'Coral', 'Antismog 5', 'Atelier', 'workshop'],
  ['Scie à panneaux', 'Felder', 'K 700 S', 'Atelier', 'workshop'],
  ['Banc de freinage', 'Cartec', 'Vidéoline 204', 'Garage', 'garage'],
  ['Station de lavage', 'Kärcher', 'CB 1/28', 'Garage', 'garage'],
  ['Cuve à carburant', null, null, 'Garage', 'garage'],
  ['Chambre froide', 'Dagard', 'CR1', 'Restauration', 'kitchen'],
  ['Lave-vaisselle à convoyeur', 'Hobart', 'FTPi', 'Restauration', 'kitchen'],
  ['Four mixte', 'Rational', 'iCombi Pro 20-1/1', 'Restauration', 'kitchen'],
  ['Hotte d’extraction', 'Halton', 'KVF', 'Restauration', 'kitchen'],
  ['Centrale incendie', 'Siemens', 'Cerberus FC20', 'Sécurité', 'office'],
  ['Extinction automatique à gaz', 'DEF', 'Inert-Siex 300', 'Sécurité', 'datacentre'],
  ['Vidéosurveillance', 'Axis', 'Camera Station S1132', 'Sécurité', 'office'],
  ['Contrôle d’accès', 'Til Technologies', 'Micro-SESAME', 'Sécurité', 'office'],
  ['Barrière levante', 'Came', 'Gard GT4', 'Sécurité', 'garage'],
  ['Défibrillateur', 'Schiller', 'FRED PA-1', 'Sécurité', 'grounds'],
  ['Autocommutateur', 'Alcatel-Lucent', 'OmniPCX Enterprise', 'Télécommunications', 'datacentre'],
  ['Régie audiovisuelle', 'Crestron', 'DM NVX', 'Télécommunications', 'office'],
  ['Simulateur de passerelle', 'Kongsberg', 'K-Sim', 'Pédagogie', 'classroom'],
  ['Sorbonne de laboratoire', 'Delabo', 'Sorbo 150', 'Pédagogie', 'classroom'],
];
