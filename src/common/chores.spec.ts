import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import { Chores } from './chores.js';

describe('A chore', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  it('is done again and again until the service ends, also after it failed', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const chores = new Chores();
    let done = 0;
    chores.every(60_000, 'Counting', () =>
      ++done === 2 ? Promise.reject(new Error('no')) : Promise.resolve(),
    );
    await jest.advanceTimersByTimeAsync(59_999);
    expect(done).toBe(0);
    await jest.advanceTimersByTimeAsync(120_001);
    expect(done).toBe(3);
    expect(warned.mock.calls).toEqual([[{ err: new Error('no') }, 'Counting: not this time']]);
    chores.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(600_000);
    expect(done).toBe(3);
  });

  it('that the end of the service breaks off is not told', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const chores = new Chores();
    let breakOff = (_: Error): void => undefined;
    const first = chores.atOnceAndEvery(
      60_000,
      'Reading',
      () => new Promise((_, reject) => (breakOff = reject)),
    );
    chores.beforeApplicationShutdown();
    breakOff(new Error('Cannot use a pool after calling end on the pool'));
    await first;
    expect(warned).not.toHaveBeenCalled();
    chores.onApplicationShutdown();
  });

  it('is not begun again while it goes on', async () => {
    const chores = new Chores();
    let end = (): void => undefined;
    let begun = 0;
    chores.every(60_000, 'Copying', () => {
      begun++;
      return new Promise((resolve) => (end = resolve));
    });
    await jest.advanceTimersByTimeAsync(300_000);
    expect(begun).toBe(1);
    end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(begun).toBe(2);
    chores.onApplicationShutdown();
  });

  it('that is done at once is not begun again either while it goes on', async () => {
    const chores = new Chores();
    let end = (): void => undefined;
    let begun = 0;
    const first = chores.atOnceAndEvery(60_000, 'Reading', () => {
      begun++;
      return new Promise((resolve) => (end = resolve));
    });
    await jest.advanceTimersByTimeAsync(90_000);
    expect(begun).toBe(1);
    end();
    await first;
    await jest.advanceTimersByTimeAsync(30_000);
    expect(begun).toBe(2);
    chores.onApplicationShutdown();
  });
});
