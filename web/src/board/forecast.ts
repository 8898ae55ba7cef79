import type { ProgressDto } from '@recense/client';

const HOUR_MS = 3_600_000;

/** When all is scanned at the pace of the last hour, in milliseconds; null where nobody scans or nothing is left. */
export function forecast({ scanned, total }: ProgressDto, perHour: number, now: number): number | null {
  const left = total - scanned;
  return left > 0 && perHour > 0 ? now + (left / perHour) * HOUR_MS : null;
}
