/** For what people search by: accents and case make no difference, as in the service. */
export const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
