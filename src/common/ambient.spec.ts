import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ambient } from './ambient.js';

describe('What is ambient', () => {
  it('holds for whatever some work calls, and for nobody else', async () => {
    const ambient = new Ambient<string>();
    const seen = (value: string) =>
      ambient.run(value, async () => {
        const before = ambient.current;
        await sleep(1);
        return [before, await Promise.resolve(ambient.current)];
      });
    const both = Promise.all([seen('one'), seen('two')]);
    expect(ambient.current).toBeUndefined();
    await expect(both).resolves.toEqual([
      ['one', 'one'],
      ['two', 'two'],
    ]);
    expect(ambient.current).toBeUndefined();
  });

  it('goes on for the work outside when the work within has ended', async () => {
    const ambient = new Ambient<string>();
    const outside = await ambient.run('outside', async () => {
      const inside = await ambient.run('inside', () => Promise.resolve(ambient.current));
      await sleep(1);
      return [inside, ambient.current];
    });
    expect(outside).toEqual(['inside', 'outside']);
  });

  it('passes on what fails, and holds again for what comes after', async () => {
    const ambient = new Ambient<string>();
    await expect(ambient.run('first', () => Promise.reject(new Error('No')))).rejects.toThrow('No');
    await expect(ambient.run('second', async () => Promise.resolve(ambient.current))).resolves.toBe('second');
  });

  it('has Node.js tell of promises no longer than the work takes', () => {
    // In a process of its own: Jest has it tell of them all the time. By such a number Node.js knows one that it tells of.
    const script = `
      import { executionAsyncId } from 'node:async_hooks';
      import { Ambient } from './dist/common/ambient.js';
      const isTold = async () => {
        await Promise.resolve();
        return executionAsyncId() > 0;
      };
      const ambient = new Ambient();
      const told = [await isTold()];
      const first = ambient.run('first', isTold);
      await ambient.run('second', async () => told.push(await isTold()));
      told.push(await first, await isTold());
      await ambient.run('third', async () => told.push(await isTold(), ambient.current));
      console.log(JSON.stringify([...told, await isTold()]));`;
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      encoding: 'utf8',
    });
    const within = parseInt(process.versions.node) < 24; // which tells of none
    expect(JSON.parse(output)).toEqual([false, within, within, false, within, 'third', false]);
  });
});
