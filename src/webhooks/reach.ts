import ipaddr from 'ipaddr.js';
import type { IPv4, IPv6 } from 'ipaddr.js';
import { lookup } from 'node:dns/promises';
import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { Limit } from '../common/limit.js';

/** Names are asked for by threads of which Node has four, for files and passwords too. */
const PATIENCE_MS = 10_000;
/** A name for which the resolver took so long the last time does so again, most likely: it holds up only its like. */
const SLOW_MS = 2000;

/** An address at which nothing of ours may be sent. */
export class OutOfReach extends Error {
  constructor(readonly address: string) {
    super(`${address} is not reachable from everywhere`);
  }
}

/** The IPv4 address to which a gateway or the host itself takes an IPv6 address; null for all others. */
function within(address: IPv6): IPv4 | null {
  const { parts } = address;
  const of = (high = 0, low = 0) => new ipaddr.IPv4([high >> 8, high & 255, low >> 8, low & 255]);
  switch (address.range()) {
    case 'ipv4Mapped':
    case 'rfc6145':
      return of(parts[6], parts[7]);
    case 'rfc6052': // but not 64:ff9b:1::/48, which each network uses as it likes
      return parts[2] === 0 ? of(parts[6], parts[7]) : null;
    case '6to4':
      return of(parts[1], parts[2]);
    default:
      return null;
  }
}

/** Whether IANA's registries of special-purpose addresses leave it to be reached from everywhere (RFC 6890). */
function isGlobal(address: IPv4 | IPv6): boolean {
  if (address.kind() === 'ipv4') return address.range() === 'unicast';
  const inner = within(address as IPv6);
  if (inner) return isGlobal(inner);
  const [first = 0] = (address as IPv6).parts;
  return address.range() === 'unicast' && first >> 13 === 1; // 2000::/3 is all that was ever given out
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

/** Where messages may be sent: to addresses that everybody reaches, and to those that the operator allows. */
export class Reach {
  private readonly allowed: [IPv4 | IPv6, number][];
  private readonly prompt = new Limit(1, PATIENCE_MS);
  private readonly patient = new Limit(1, PATIENCE_MS);
  private readonly slow = new Set<string>();
  /** What is asked for now. */
  private readonly asked = new Map<string, Promise<LookupAddress[]>>();

  constructor(
    cidrs: string[],
    private readonly ask = (host: string) => lookup(host, { all: true }),
  ) {
    this.allowed = cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  }

  isOpen(text: string): boolean {
    const address = ipaddr.parse(text);
    const inner = address.kind() === 'ipv6' ? within(address as IPv6) : null;
    return isGlobal(address) || this.isAllowed(address) || (inner !== null && this.isAllowed(inner));
  }

  /** Of a literal nobody asks, neither the resolver nor the socket. @throws OutOfReach */
  checkLiteral(hostname: string): void {
    const host = bare(hostname);
    if (isIP(host) && !this.isOpen(host)) throw new OutOfReach(host);
  }

  private isAllowed(address: IPv4 | IPv6): boolean {
    return this.allowed.some(
      ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
    );
  }

  /**
   * The addresses of a host as a URL has it, which spells every literal in one way; all or none of them are open.
   * @throws OutOfReach, and what the resolver throws
   */
  async resolve(hostname: string): Promise<LookupAddress[]> {
    const host = bare(hostname);
    const family = isIP(host);
    const found = family ? [{ address: host, family }] : await this.addressesOf(host);
    const closed = found.find(({ address }) => !this.isOpen(address));
    if (closed) throw new OutOfReach(closed.address);
    return found;
  }

  /** Whoever asks for the same name meanwhile has the same answer. */
  private addressesOf(host: string): Promise<LookupAddress[]> {
    const asked = this.asked.get(host);
    if (asked) return asked;
    const limit = this.slow.has(host) ? this.patient : this.prompt;
    const answer = limit.run(() => this.timed(host)).finally(() => this.asked.delete(host));
    this.asked.set(host, answer);
    return answer;
  }

  private async timed(host: string): Promise<LookupAddress[]> {
    const began = performance.now();
    try {
      return await this.ask(host);
    } finally {
      if (performance.now() - began > SLOW_MS) this.slow.add(host);
      else this.slow.delete(host);
    }
  }

  /** For sockets: what is connected to is what was judged, whatever the name means a moment later. */
  readonly lookup: LookupFunction = (hostname, { all }, done) => {
    this.resolve(hostname).then(
      (found) => (all ? done(null, found) : done(null, found[0]!.address, found[0]!.family)),
      (error: unknown) => done(error as NodeJS.ErrnoException, ''),
    );
  };
}
