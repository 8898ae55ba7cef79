import { createHook } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { hashPassword, isPassword } from './passwords.js';

/** The most argon2 that are at work at once while `work` runs. */
async function mostAtOnce(work: () => Promise<unknown>): Promise<number> {
  const running = new Set<number>();
  let most = 0;
  // The binding's work in the thread pool is the one kind of asynchronous resource without a name.
  const hook = createHook({
    init: (id, type) => {
      if (type === 'undefined') most = Math.max(most, running.add(id).size);
    },
    before: (id) => void running.delete(id),
    destroy: (id) => void running.delete(id),
  });
  hook.enable();
  await work();
  hook.disable();
  return most;
}

describe('reliability-08-bounded-hashing: argon2', () => {
  it('runs on half the processors at most, and on fewer threads than there are', async () => {
    const most = await mostAtOnce(() =>
      Promise.all(Array.from({ length: 20 }, () => isPassword(undefined, 'x'))),
    );
    expect(most).toBe(Math.min(3, Math.max(1, Math.floor(availableParallelism() / 2))));
  });

  it('has a line of a hundred, and refuses who comes then (503)', async () => {
    const tries = await Promise.allSettled(Array.from({ length: 150 }, () => isPassword(undefined, 'x')));
    const refused = tries
      .filter(({ status }) => status === 'rejected')
      .map((one) => Reflect.get(one, 'reason'));
    expect(refused.length).toBeGreaterThan(40);
    for (const error of refused)
      expect(error).toMatchObject({ code: 'unavailable', headers: { 'Retry-After': '1' } });
    expect(await isPassword(await hashPassword('x'), 'x')).toBe(true);
  });
});
