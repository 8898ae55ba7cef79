import { jest } from '@jest/globals';
import fc from 'fast-check';
import { OutOfReach, Reach } from './reach.js';

const reach = new Reach([]);
/** As a URL has it. */
const judge = (url: string, by = reach) =>
  by.resolve(new URL(url).hostname).then(
    () => 'open',
    () => 'closed',
  );

describe('An address', () => {
  it.each([
    ['as it is', 'http://169.254.169.254/'],
    ['in decimal', 'http://2852039166/'],
    ['in hexadecimal', 'http://0xa9fea9fe/'],
    ['in octal', 'http://0251.0376.0251.0376/'],
    ['in hexadecimal parts', 'http://0xa9.0xfe.0xa9.0xfe/'],
    ['with fewer parts', 'http://169.16689662/'],
    ['with a dot at the end', 'http://169.254.169.254./'],
    ['in full-width digits', 'http://１６９.254.169.254/'],
    ['percent-encoded', 'http://%31%36%39.254.169.254/'],
    ['in IPv6', 'http://[::ffff:169.254.169.254]/'],
    ['in IPv6, in hexadecimal', 'http://[::ffff:a9fe:a9fe]/'],
    ['in IPv6, as of old', 'http://[::169.254.169.254]/'],
    ['in IPv6, translated', 'http://[::ffff:0:169.254.169.254]/'],
    ['by NAT64', 'http://[64:ff9b::169.254.169.254]/'],
    ['by NAT64 of one network', 'http://[64:ff9b:1::169.254.169.254]/'],
    ['by 6to4', 'http://[2002:a9fe:a9fe::1]/'],
    ['by Teredo', 'http://[2001:0:a9fe:a9fe::1]/'],
    ['as AWS has it in IPv6', 'http://[fd00:ec2::254]/'],
  ])('of the metadata service is refused %s', async (_, url) => {
    expect(await judge(url)).toBe('closed');
  });

  it.each([
    '0.0.0.0', '0.1.2.3', '10.0.0.1', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254', '172.16.0.1',
    '172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.7',
    '203.0.113.9', '224.0.0.1', '239.255.255.250', '240.0.0.1', '255.255.255.255',
    '::', '::1', 'fe80::1', 'fec0::1', 'fc00::1', 'fdff::1', 'ff02::1', '100::1', '2001:db8::1', '3fff::1', '5f00::1',
    '2001:2::1', '2001:10::1', '4000::1', '2002:7f00:1::', '64:ff9b::10.1.2.3',
  ])('such as %s is refused', (address) => {
    expect(reach.isOpen(address)).toBe(false);
  }); // prettier-ignore

  it.each([
    '1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.1',
    '172.15.255.255', '172.32.0.0', '192.0.1.1', '198.17.255.255', '198.20.0.0', '223.255.255.254',
    '2606:4700:4700::1111', '2a00:1450:4007::1', '64:ff9b::8.8.8.8', '2002:808:808::1', '::ffff:8.8.8.8',
  ])('such as %s is taken', (address) => {
    expect(reach.isOpen(address)).toBe(true);
  }); // prettier-ignore

  it('of a private network is refused however it is wrapped in IPv6', () => {
    const quad = fc.tuple(fc.constantFrom(10, 127, 0, 224, 240), fc.nat(255), fc.nat(255), fc.nat(255));
    const wrapped = fc.constantFrom('::ffff:', '::', '::ffff:0:', '64:ff9b::', '64:ff9b:1::', 'fd00::');
    fc.assert(
      fc.property(quad, wrapped, (parts, before) => {
        expect(reach.isOpen(parts.join('.'))).toBe(false);
        expect(reach.isOpen(before + parts.join('.'))).toBe(false);
      }),
    );
  });

  it('is taken where the operator allows it, and so are the same in IPv6', () => {
    const allowing = new Reach(['10.1.0.0/16', '::1/128']);
    for (const open of ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', '::1'])
      expect([open, allowing.isOpen(open)]).toEqual([open, true]);
    for (const closed of ['10.2.0.1', '127.0.0.1', '::ffff:10.2.0.1', '::2'])
      expect([closed, allowing.isOpen(closed)]).toEqual([closed, false]);
  });

  it('of a name is that which it has when it is asked for', async () => {
    expect(await judge('http://localhost/')).toBe('closed');
    expect(await judge('http://localhost/', new Reach(['127.0.0.0/8', '::1/128']))).toBe('open');
    await expect(reach.resolve('localhost')).rejects.toBeInstanceOf(OutOfReach);
    await expect(reach.resolve('nobody.invalid')).rejects.not.toBeInstanceOf(OutOfReach);
  });
});

describe('A name', () => {
  it('that the resolver is slow with holds up no other name, and is asked for once', async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
    const asked: string[] = [];
    const by = new Reach([], async (host) => {
      asked.push(host);
      if (host.startsWith('dead')) await new Promise((resolve) => setTimeout(resolve, 20_000));
      return [{ address: '1.1.1.1', family: 4 }];
    });
    const all = async (hosts: string[]) => {
      const found = Promise.allSettled(hosts.map((host) => by.resolve(host)));
      await jest.advanceTimersByTimeAsync(60_000);
      return (await found).map(({ status }) => status);
    };
    await all(['dead.test']);
    asked.length = 0;
    const names = ['dead.test', 'dead.test', 'good.test'];
    expect(await all(names)).toEqual(names.map(() => 'fulfilled'));
    expect(asked).toEqual(['dead.test', 'good.test']);
    await all(['dead2.test']);
    const during = all(['dead.test', 'dead2.test', 'good.test', 'better.test']);
    expect(await during).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    jest.useRealTimers();
  });
});
