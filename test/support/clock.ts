import { jest } from '@jest/globals';

const CLOCKS_AND_TIMERS = [
  'Date',
  'clearImmediate',
  'clearInterval',
  'clearTimeout',
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'setInterval',
  'setTimeout',
] as const;

/** Has time pass for what was set by setTimeout() as jest.advanceTimersByTime() says, beside the real time. */
export function hurryTimers(): void {
  const doNotFake = CLOCKS_AND_TIMERS.filter((name) => name !== 'setTimeout' && name !== 'clearTimeout');
  jest.useFakeTimers({ advanceTimers: true, doNotFake });
}

/** Stops one clock alone, at `now`, until jest.useRealTimers(); timers go on. */
export function stopClock(clock: 'Date' | 'performance', now = Date.now()): void {
  jest.useFakeTimers({ now, doNotFake: CLOCKS_AND_TIMERS.filter((name) => name !== clock) });
}
