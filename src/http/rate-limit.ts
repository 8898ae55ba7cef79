import { Injectable } from '@nestjs/common';
import { isIPv4, isIPv6 } from 'node:net';
import { tooMany } from '../common/errors.js';
import { Env } from '../config/env.js';
import type { AppRequest } from './request.js';

const WINDOW_S = 10;
/** So many files has the app in the browser, which a site of phones loads at once and keeps then. */
const FILES_OF_APP = 40;
/** More callers than this in one window are not told apart, so that memory stays bounded; they are let through. */
const MAX_KEYS = 100_000;

/**
 * How many requests each caller may send, counted by this instance alone. In windows of ten seconds: a phone that
 * catches up may do so at once. On the way of every request, so that nothing here allocates or waits.
 */
export class RateLimit<Key extends string | number> {
  private readonly counts = new Map<Key, number>();
  private readonly max: number;
  private end = 0;

  /** 0 for no limit. */
  constructor(perSecond: number) {
    this.max = perSecond * WINDOW_S;
  }

  /** Counts a request. @throws DomainError too-many-requests */
  count(key: Key): void {
    if (this.max === 0) return;
    const now = performance.now(); // which no correction of the clock turns back
    if (now >= this.end) {
      this.counts.clear();
      this.end = now + WINDOW_S * 1000;
    }
    const count = this.counts.get(key) ?? 0;
    if (count >= this.max) throw tooMany(Math.ceil((this.end - now) / 1000));
    if (count > 0 || this.counts.size < MAX_KEYS) this.counts.set(key, count + 1);
  }
}

/** Requests without a good token, by where they come from. */
@Injectable()
export class AddressLimit {
  private readonly ofOthers: RateLimit<string>;
  /** By itself: whatever else comes from the address of a proxy, it must not take the instance for a sick one. */
  private readonly ofHealth: RateLimit<string>;
  /** Files of the app: as many people may open it as may log in. */
  private readonly ofFiles: RateLimit<string>;
  private readonly isBehindProxy: boolean;

  constructor({ ADDRESS_RATE_LIMIT, TRUST_PROXY }: Env) {
    this.ofOthers = new RateLimit(ADDRESS_RATE_LIMIT);
    this.ofHealth = new RateLimit(ADDRESS_RATE_LIMIT);
    this.ofFiles = new RateLimit(ADDRESS_RATE_LIMIT * FILES_OF_APP);
    this.isBehindProxy = TRUST_PROXY > 0;
  }

  /** Counts a request. @throws DomainError too-many-requests */
  count({ address, headers, entry }: AppRequest): void {
    const template = entry?.template ?? '';
    if (template.startsWith('/app')) this.ofFiles.count(networkOf(address));
    else if (!template.startsWith('/health/')) this.ofOthers.count(networkOf(address));
    // Behind a proxy, what was passed on for nobody is a check of its own, or of who runs the instance.
    else if (!this.isBehindProxy || headers['x-forwarded-for'] !== undefined)
      this.ofHealth.count(networkOf(address));
  }
}

/** As some proxies pass them on: `192.0.2.7:4711`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/**
 * Whom an address stands for: an IPv6 network (/64) as a whole, since whoever is in it has as many addresses as he likes.
 * What proxies pass on that is no address counts as one.
 */
export function networkOf(given: string): string {
  const [, before, within] = WITH_PORT.exec(given) ?? [];
  const address = before ?? within ?? given;
  if (!isIPv6(address)) return isIPv4(address) ? address : 'unknown';
  const [, ipv4] = /^::ffff:([\d.]+)$/i.exec(address) ?? [];
  if (ipv4) return ipv4;
  const [head = [], tail] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = tail ? Array<string>(8 - head.length - tail.length).fill('0') : [];
  const groups = [...head, ...zeros, ...(tail ?? [])].slice(0, 4);
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':');
}
