/** What made-up histories begin with: one of each kind, or as many as SEEDS says. */
export const SEEDS = Array.from({ length: Number(process.env.SEEDS ?? 1) }, (_, n) => n + 1);
