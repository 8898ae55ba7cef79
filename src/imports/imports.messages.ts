import type { Messages } from '../common/messages.js';

export const importMessages = {
  ambiguous: ['matches {0} rows', 'correspond à {0} lignes'],
  no_match: ['matches nothing: {0}', 'ne correspond à rien : {0}'],
  no_article: [
    'matches no article: {0}; with format=list those that are not known are made',
    'ne correspond à aucun article : {0} ; avec format=list, ceux qui ne sont pas connus sont créés',
  ],
  repeated: ['is on line {0} too', 'est aussi à la ligne {0}'],
  columns: ['has {0} columns instead of {1}', 'a {0} colonnes au lieu de {1}'],
  shortened: [
    'is what a spreadsheet makes of a long number; format the column as text, write it again and save the file',
    'est ce qu’un tableur fait d’un long nombre ; mettez la colonne au format texte, ressaisissez-le et enregistrez le fichier',
  ],
  formula_error: [
    'is the error of a formula; mend or empty the cell',
    'est l’erreur d’une formule ; corrigez ou videz la cellule',
  ],
  warranty: [
    'must be a whole number of months or years, at most {0} months, such as 24, 24 months or 2 years',
    'doit être un nombre entier de mois ou d’années, {0} mois au plus, comme 24, 24 mois ou 2 ans',
  ],
  known_already: ['is known already', 'est déjà connu'],
  not_known: ['is not known yet', 'n’est pas encore connu'],
  quote_open: ['has a quote that is never closed', 'a un guillemet qui n’est jamais fermé'],
  quote_inside: [
    'has a quote in the middle of a cell; such a cell stands in quotes, with each of its own written twice',
    'a un guillemet au milieu d’une cellule ; une telle cellule se met entre guillemets, les siens étant doublés',
  ],
  not_utf8: [
    'is not UTF-8; save the file as CSV UTF-8',
    'n’est pas en UTF-8 ; enregistrez le fichier au format CSV UTF-8',
  ],
  line_size: ['is longer than 1 MiB', 'dépasse 1 Mio'],
  record_size: [
    'is longer than 1 MiB; a quote before it may never be closed',
    'dépasse 1 Mio ; un guillemet n’y est peut-être jamais fermé',
  ],
  two_readings: [
    'may mean {0} or {1}; write it in one of these ways',
    'peut signifier {0} ou {1} ; écrivez-le de l’une de ces façons',
  ],
  two_amounts: [
    'may mean {1} or {2}, as all of this column may: {0}; say which by decimal=point or decimal=comma',
    'peut signifier {1} ou {2}, comme toute la colonne : {0} ; précisez par decimal=point ou decimal=comma',
  ],
  two_days: [
    'may mean {1} or {2}, as all of this column may: {0}; say which by dates=dmy or dates=mdy',
    'peut signifier {1} ou {2}, comme toute la colonne : {0} ; précisez par dates=dmy ou dates=mdy',
  ],
  mixed_days: [
    'has the day first on line {1} ({0}) and the month first on line {3} ({2}); write all of the column in one way',
    'a le jour en premier à la ligne {1} ({0}) et le mois en premier à la ligne {3} ({2}) ; écrivez toute la colonne de la même façon',
  ],
  none: ['There is no such import.', 'Il n’y a pas de tel import.'],
  format_kind: ['is for purchases only', 'n’est possible que pour les achats'],
  busy: [
    'Too many imports are waiting. Please try again in a moment.',
    'Trop d’imports attendent. Veuillez réessayer dans un instant.',
  ],
  stopped: [
    'The service was stopped meanwhile; nothing was written. Please send the file again.',
    'Le service a été arrêté entre-temps ; rien n’a été écrit. Veuillez renvoyer le fichier.',
  ],
  no_turn: [
    'Another import has gone on for too long; nothing was written. Please send the file again later.',
    'Un autre import dure depuis trop longtemps ; rien n’a été écrit. Veuillez renvoyer le fichier plus tard.',
  ],
  overtaken: [
    'Someone else wrote the same rows meanwhile; nothing was written. Please send the file again.',
    'Quelqu’un d’autre a écrit les mêmes lignes entre-temps ; rien n’a été écrit. Veuillez renvoyer le fichier.',
  ],
  went_wrong: [
    'Something went wrong, and was logged; nothing was written.',
    'Une erreur s’est produite et a été consignée ; rien n’a été écrit.',
  ],
  file_macros: [
    'is a workbook with macros; save it as XLSX without them',
    'est un classeur avec des macros ; enregistrez-le au format XLSX, sans elles',
  ],
  file_encrypted: [
    'is protected by a password; save it without one',
    'est protégé par un mot de passe ; enregistrez-le sans',
  ],
  file_bomb: [
    'is far larger unpacked than we read; split it, or save its sheet as CSV UTF-8',
    'est bien plus gros, décompressé, que ce que nous lisons ; divisez-le ou enregistrez sa feuille au format CSV UTF-8',
  ],
  too_wide: [
    'has more than {0} columns; is it separated by something else?',
    'a plus de {0} colonnes ; est-il séparé par autre chose ?',
  ],
  file_damaged: [
    'is no workbook that can be read; open it in a spreadsheet and save it anew as XLSX',
    'n’est pas un classeur lisible ; ouvrez-le dans un tableur et enregistrez-le de nouveau au format XLSX',
  ],
  no_sheet: [
    'has no sheet of this name: {0}; see its tabs',
    'n’a pas de feuille de ce nom : {0} ; voyez ses onglets',
  ],
  file_xls: [
    'is an old Excel workbook (XLS); save its sheet as CSV UTF-8 and import that',
    'est un ancien classeur Excel (XLS) ; enregistrez sa feuille au format CSV UTF-8 et importez celle-ci',
  ],
  file_ods: [
    'is an OpenDocument spreadsheet (ODS); save its sheet as CSV in UTF-8 and import that',
    'est un classeur OpenDocument (ODS) ; enregistrez sa feuille au format CSV en UTF-8 et importez celle-ci',
  ],
  file_zip: [
    'is a ZIP archive, but no workbook (XLSX); unpack it and import the file in it',
    'est une archive ZIP, mais pas un classeur (XLSX) ; décompressez-la et importez le fichier qu’elle contient',
  ],
  file_gzip: [
    'is compressed by gzip; unpack it and import the CSV file in it',
    'est compressé par gzip ; décompressez-le et importez le fichier CSV qu’il contient',
  ],
  file_pdf: [
    'is a PDF document; export the table that it was made from as CSV UTF-8',
    'est un document PDF ; exportez au format CSV UTF-8 le tableau dont il est tiré',
  ],
  file_html: [
    'is a web page (HTML); open it in a spreadsheet and save the table as CSV UTF-8',
    'est une page web (HTML) ; ouvrez-la dans un tableur et enregistrez le tableau au format CSV UTF-8',
  ],
  file_xml: [
    'is XML; open it in a spreadsheet and save the table as CSV UTF-8',
    'est du XML ; ouvrez-le dans un tableur et enregistrez le tableau au format CSV UTF-8',
  ],
  file_json: [
    'is JSON; export the rows as CSV UTF-8',
    'est du JSON ; exportez les lignes au format CSV UTF-8',
  ],
  file_binary: [
    'is no text; save the table as CSV UTF-8',
    'n’est pas du texte ; enregistrez le tableau au format CSV UTF-8',
  ],
} as const satisfies Messages;
