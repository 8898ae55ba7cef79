/** Codes are compared as in the database: without regard to case, in whatever form their accents come. */
export const keyOf = (code: string): string =>
  code.normalize('NFD').toLowerCase().toUpperCase().normalize('NFC');
