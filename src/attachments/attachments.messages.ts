import type { Messages } from '../common/messages.js';

export const attachmentMessages = {
  none: ['There is no such attachment.', 'Cette pièce jointe n’existe pas.'],
  lost: [
    'The file itself is missing; whoever runs the service finds it in a backup.',
    'Le fichier lui-même manque ; l’exploitant du service le retrouvera dans une sauvegarde.',
  ],
  type: [
    'Send a photo as JPEG, PNG or WebP, or a paper as PDF: by its content the file is none of these.',
    'Envoyez une photo en JPEG, PNG ou WebP, ou un document en PDF : par son contenu, le fichier n’est rien de cela.',
  ],
  heic: [
    'Photos in HEIC or AVIF cannot be shown everywhere. On an iPhone choose Settings, Camera, Formats, “Most Compatible”, or send the photo as JPEG.',
    'Les photos en HEIC ou AVIF ne s’affichent pas partout. Sur un iPhone, choisissez Réglages, Appareil photo, Formats, « Le plus compatible », ou envoyez la photo en JPEG.',
  ],
  too_large: [
    'has more than {0} million pixels, which is too much for a picture of its kind; send a smaller photo',
    'a plus de {0} millions de pixels, ce qui est trop pour une image de ce type ; envoyez une photo plus petite',
  ],
  too_long: [
    'has a side of more than {0} pixels; send a smaller photo',
    'a un côté de plus de {0} pixels ; envoyez une photo plus petite',
  ],
  broken: [
    'is damaged: the image cannot be read to its end; send it again',
    'est endommagé : l’image est illisible jusqu’au bout ; renvoyez-la',
  ],
  no_photo: ['is for images only; a PDF is no photo', 'est réservé aux images ; un PDF n’est pas une photo'],
  no_thumbnail: ['is for images only', 'n’est possible que pour les images'],
  cover_photo: ['can only be a photo', 'ne peut être qu’une photo'],
  cover_of_scan: [
    'is for photos of a purchase, an article or an equipment; this one is of a scan',
    'est réservé aux photos d’un achat, d’un article ou d’un équipement ; celle-ci est d’un scan',
  ],
} as const satisfies Messages;
