import { setTimeout as sleep } from 'node:timers/promises';
import { Limit, Turns } from './limit.js';

describe('A limit', () => {
  it('runs so many at once, the others in the order in which they came', async () => {
    const limit = new Limit(2, 10_000);
    const began: number[] = [];
    let running = 0;
    let most = 0;
    const work = (n: number) =>
      limit.run(async () => {
        began.push(n);
        most = Math.max(most, ++running);
        await sleep(1);
        running--;
        return n;
      });
    const numbers = [1, 2, 3, 4, 5, 6, 7];
    expect(await Promise.all(numbers.map(work))).toEqual(numbers);
    expect(began).toEqual(numbers);
    expect(most).toBe(2);
  });

  it('refuses who has waited too long, and goes on', async () => {
    const limit = new Limit(1, 20);
    let end = () => {};
    const first = limit.run(() => new Promise<void>((resolve) => (end = resolve)));
    await expect(limit.run(() => Promise.resolve('late'))).rejects.toMatchObject({ code: 'unavailable' });
    end();
    await first;
    expect(await limit.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('refuses at once who finds the line full, and goes on', async () => {
    const limit = new Limit(1, 10_000, 2);
    let end = () => {};
    const first = limit.run(() => new Promise<void>((resolve) => (end = resolve)));
    const line = [limit.run(() => Promise.resolve(1)), limit.run(() => Promise.resolve(2))];
    await expect(limit.run(() => Promise.resolve(3))).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'Retry-After': '1' },
    });
    end();
    await first;
    expect(await Promise.all(line)).toEqual([1, 2]);
    expect(await limit.run(() => Promise.resolve('next'))).toBe('next');
  });

  it('gives turns in rounds, and lets the last of who has most waiting give way', async () => {
    const limit = new Limit(1, 10_000, 4);
    let end = () => {};
    const first = limit.run(() => new Promise<void>((resolve) => (end = resolve)));
    const began: string[] = [];
    const refused: string[] = [];
    const come = (name: string, whose: string) =>
      limit.run(() => Promise.resolve(began.push(name)), whose).catch(() => refused.push(name));
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1', 'b3'].map((name) => come(name, name[0]!));
    end();
    await Promise.all([first, ...all]);
    expect(began).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect(refused.sort()).toEqual(['a3', 'a4', 'a5', 'b2', 'b3']);
    await come('a6', 'a');
    expect(began.at(-1)).toBe('a6');
  });

  it('gives the turn of what fails to the next', async () => {
    const limit = new Limit(1, 10_000);
    const failing = limit.run(() => Promise.reject(new Error('no')));
    const next = limit.run(() => Promise.resolve('yes'));
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('yes');
  });
});

describe('Turns', () => {
  it('are one at once of each name, and leave nothing behind', async () => {
    const turns = new Turns(10_000, 10);
    const running: string[] = [];
    const seen = new Set<string>();
    const work = (name: string) => async () => {
      running.push(name);
      seen.add([...running].sort().join());
      await sleep(1);
      running.splice(running.indexOf(name), 1);
    };
    await Promise.all(['a', 'b', 'a', 'b', 'a', 'b'].map((name) => turns.run(name, work(name))));
    expect([...seen].every((names) => ['a', 'b', 'a,b'].includes(names))).toBe(true);
    expect(seen).toContain('a,b');
    expect((turns as unknown as { limits: Map<string, unknown> }).limits.size).toBe(0);
  });

  it('are given on by those that fail, and refused past the end of the line', async () => {
    const turns = new Turns(10_000, 1);
    const all = ['no', 'yes', 'late'].map((text) =>
      turns.run('a', () => (text === 'no' ? Promise.reject(new Error(text)) : Promise.resolve(text))),
    );
    expect(await Promise.allSettled(all)).toMatchObject([
      { reason: { message: 'no' } },
      { value: 'yes' },
      { reason: { code: 'unavailable' } },
    ]);
  });
});
