import { jest } from '@jest/globals';
import type { DomainError } from '../common/errors.js';
import { RateLimit, networkOf } from './rate-limit.js';

describe('A rate limit', () => {
  let now = 1_000_000;
  beforeAll(() => void jest.spyOn(performance, 'now').mockImplementation(() => now));
  afterAll(() => void jest.restoreAllMocks());

  /** What Retry-After says; null where the request may come in. */
  function ask(limit: RateLimit<string>, key: string): string | null {
    try {
      limit.count(key);
      return null;
    } catch (error) {
      expect(error).toMatchObject({ code: 'too-many-requests' });
      return (error as DomainError).headers['Retry-After'] ?? '';
    }
  }
  const times = (count: number, limit: RateLimit<string>, key: string) =>
    Array.from({ length: count }, () => ask(limit, key)).filter((answer) => answer === null).length;

  it('lets ten seconds’ worth in at once, and again in the next ten', () => {
    const limit = new RateLimit<string>(3);
    expect(times(50, limit, 'a')).toBe(30);
    now += 9_999;
    expect(times(50, limit, 'a')).toBe(0);
    now += 1;
    expect(times(50, limit, 'a')).toBe(30);
  });

  it('says how long the window still lasts', () => {
    const limit = new RateLimit<string>(1);
    times(10, limit, 'a');
    expect(ask(limit, 'a')).toBe('10');
    now += 7_500;
    expect(ask(limit, 'a')).toBe('3');
    now += 2_499;
    expect(ask(limit, 'a')).toBe('1');
  });

  it('counts each caller alone', () => {
    const limit = new RateLimit<string>(1);
    expect(times(20, limit, 'a')).toBe(10);
    expect(times(20, limit, 'b')).toBe(10);
  });

  it('of 0 is none', () => {
    expect(times(10_000, new RateLimit<string>(0), 'a')).toBe(10_000);
  });

  it('holds a bounded number of callers, and lets the others in', () => {
    const limit = new RateLimit<string>(1);
    for (let n = 0; n < 100_000; n++) limit.count(`caller ${n}`);
    expect(times(20, limit, 'one more')).toBe(20);
    expect(times(20, limit, 'caller 1')).toBe(9);
    expect((limit as unknown as { counts: Map<string, number> }).counts.size).toBe(100_000);
  });
});

describe('The network of an address', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002::', '2001:db8:1:2'],
    ['2001:db8::6', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['', 'unknown'],
    ['192.0.2.7:4711', '192.0.2.7'],
    ['[2001:db8:1:2::3]:443', '2001:db8:1:2'],
    ['[2001:db8:1:2::3]', '2001:db8:1:2'],
    ['192.0.2.7:4711:1', 'unknown'],
    ['[192.0.2.7', 'unknown'],
    ['x'.repeat(5000), 'unknown'],
  ])('%.40s → %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
