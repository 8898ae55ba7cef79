/** Prints the key figure of a drill, past what Jest does with the output of tests. */
export function report(drill: string, figures: string): void {
  process.stderr.write(`${drill}: ${figures}\n`);
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

/** How many of each kind there are. */
export function tally(list: (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of list) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
}

/** The value that so many of a hundred are at or below. */
export function percentile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * share) / 100) - 1] ?? NaN;
}
