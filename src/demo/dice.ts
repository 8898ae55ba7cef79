import type { RoomKind } from './catalogue.data.js';
import { rooms } from './places.data.js';

/** All chance comes from here (mulberry32): the same seed always deals the same organisation. */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between = (min: number, max: number) => min + Math.floor(this.next() * (max - min + 1));
  pick = <T>(list: readonly T[]) => list[this.between(0, list.length - 1)]!;
  chance = (share: number) => this.next() < share;
  maybe = <T>(share: number, value: T) => (this.chance(share) ? value : null);

  /** # gives a digit, ? a letter, * either. */
  fill = (pattern: string) =>
    pattern.replace(/[#?*]/g, (sign) =>
      this.pick([...(sign === '?' ? '' : '0123456789'), ...(sign === '#' ? '' : 'ABCDEFGHJKLMNPRSTUVWXYZ')]),
    );

  roomOf = (kinds: readonly RoomKind[]) =>
    rooms.indexOf(this.pick(rooms.filter(({ kind }) => kinds.includes(kind))));
}
