/** Places of a model: `a` and `b` lie in `site`, which is the scope of the session; `far` does not. */
export const PLACES = ['site', 'a', 'b', 'far'] as const;
export type PlaceName = (typeof PLACES)[number];
export type Person = 'phone' | 'manager';

export interface Message {
  /** Which of its ids a phone gave it; null for none. */
  id: number | null;
  code: string;
  place: PlaceName | null;
  move: boolean;
  /** By the clock of the phone, where it tells: of long ago. */
  device: number | null;
}

interface Scan {
  /** From when it counts; null for now. */
  at: number | null;
  by: Person;
  id: number | null;
  place: PlaceName | null;
  device: number | null;
}

interface Thing {
  label: string;
  place: PlaceName | null;
  isDeleted: boolean;
  isExpected: boolean;
  /** During which closing it was bought, if so. */
  closing: number | null;
  scan: Scan | null;
  misplaced: { expected: PlaceName; found: PlaceName; resolution: 'moved' | 'ignored' | null } | null;
}

interface Unknown {
  times: number;
  status: 'open' | 'linked' | 'dismissed';
  purchase: number | null;
  first: Scan;
}

interface Late extends Message {
  by: Person;
  purchase: number | null;
  status: 'waiting' | 'accepted' | 'refused';
}

/** What a scan is answered, as far as the model goes. */
export interface Told {
  reason: string;
  purchase: number | null;
  /** Where a place was sent. */
  misplaced?: boolean;
  expected?: PlaceName | null;
}

const isWithin = (one: PlaceName, other: PlaceName) => one === other || (other === 'site' && one !== 'far');
const isElsewhere = (place: PlaceName | null, found: PlaceName | null): boolean =>
  place !== null && found !== null && !isWithin(place, found) && !isWithin(found, place);
const isInScope = ({ place }: Thing) => place !== null && place !== 'far';

/** What a session should hold and answer, by the contract alone. Decisions answer the status of their requests. */
export class SessionModel {
  readonly things: Thing[] = [];
  readonly unknown = new Map<string, Unknown>();
  readonly late: Late[] = [];
  readonly aliases = new Map<string, number>();
  isClosed = false;
  /** State of each thing at the last closing. */
  frozen: [number, string, boolean][] = [];
  private closings = 0;
  private readonly answers = new Map<number, { code: string; told: Told }>();

  buy(label: string, place: PlaceName | null): number {
    if (this.ownerOf(label) !== null) return 422;
    const thing: Thing = {
      label,
      place,
      isDeleted: false,
      isExpected: false,
      closing: this.isClosed ? this.closings : null,
      scan: null,
      misplaced: null,
    };
    thing.isExpected = !this.isClosed && isInScope(thing);
    this.things.push(thing);
    return 201;
  }

  delete(n: number): number {
    const thing = this.things[n]!;
    if (thing.isDeleted) return 404;
    thing.isDeleted = true;
    if (!this.isClosed && !thing.scan) thing.isExpected = false;
    return 200;
  }

  relocate(n: number, place: PlaceName): number {
    if (this.things[n]!.isDeleted) return 404;
    this.things[n]!.place = place;
    return 200;
  }

  scan(message: Message, by: Person): Told {
    const { id, code } = message;
    const before = id === null ? undefined : this.answers.get(id);
    if (before && before.code !== code) return this.tell('client-id-reused', null, message);
    if (before) return before.told;
    const told = this.judge(message, by);
    if (id !== null && told.reason !== 'session-closed') this.answers.set(id, { code, told });
    return told;
  }

  private judge(message: Message, by: Person): Told {
    const { code, place, device, id } = message;
    const purchase = this.find(code);
    if (this.isClosed && device !== null) {
      this.late.push({ ...message, by, purchase, status: 'waiting' });
      return this.tell('late', purchase, message);
    }
    if (this.isClosed) return this.tell('session-closed', purchase, message);
    return this.count(message, { at: null, by, id, place, device });
  }

  /** A scan of an open session. */
  private count(message: Message, scan: Scan): Told {
    const { code, place, move } = message;
    const n = this.find(code);
    if (n === null) {
      this.note(code, scan);
      return this.tell('unknown-code', null, message);
    }
    const thing = this.things[n]!;
    const isAgain = thing.scan !== null;
    const told = this.tell(
      isAgain ? 'already-scanned' : thing.isExpected ? 'recorded' : 'out-of-scope',
      n,
      message,
    );
    if (!isAgain) {
      thing.scan = scan;
      if (isElsewhere(thing.place, place))
        thing.misplaced = { expected: thing.place!, found: place!, resolution: null };
    }
    if (move && !thing.isDeleted && thing.place !== place) {
      thing.place = place;
      if (thing.misplaced)
        thing.misplaced.resolution ??= thing.misplaced.found === place ? 'moved' : 'ignored';
    }
    return told;
  }

  private note(code: string, read: Scan): void {
    const row = this.unknown.get(code);
    if (!row) this.unknown.set(code, { times: 1, status: 'open', purchase: null, first: read });
    else {
      row.times++;
      if (row.status === 'linked') Object.assign(row, { status: 'open', purchase: null }); // which is gone
      if ((read.at ?? Infinity) < (row.first.at ?? Infinity)) row.first = read;
    }
  }

  undo(n: number): number {
    if (this.isClosed) return 409;
    const thing = this.things[n]!;
    const before = this.answers.get(thing.scan!.id ?? -1);
    if (before) before.told = { ...before.told, reason: 'undone' };
    thing.scan = thing.misplaced = null;
    if (thing.isDeleted) thing.isExpected = false;
    return 200;
  }

  link(code: string, n: number): number {
    const thing = this.things[n]!;
    const row = this.unknown.get(code)!;
    if (this.isClosed || row.status !== 'open') return 409;
    if (thing.isDeleted) return 422;
    if ((this.ownerOf(code) ?? n) !== n) return 422;
    this.aliases.set(code, n);
    Object.assign(row, { status: 'linked', purchase: n });
    const { first } = row;
    const at = { ...first, id: null };
    this.count({ id: null, code, place: first.place, move: false, device: first.device }, at);
    return 200;
  }

  dismiss(code: string): number {
    const row = this.unknown.get(code)!;
    if (this.isClosed || row.status !== 'open') return 409;
    row.status = 'dismissed';
    return 200;
  }

  reopenCode(code: string): number {
    const row = this.unknown.get(code)!;
    if (this.isClosed || row.status !== 'dismissed') return 409;
    row.status = 'open';
    return 200;
  }

  settle(n: number, how: 'moved' | 'ignored'): number {
    const { misplaced, isDeleted } = this.things[n]!;
    if (this.isClosed) return 409;
    if (!misplaced) return 404;
    if (misplaced.resolution) return 409;
    if (how === 'moved' && isDeleted) return 404;
    misplaced.resolution = how;
    if (how === 'moved') this.things[n]!.place = misplaced.found;
    return 200;
  }

  close(): number {
    if (this.isClosed) return 409;
    this.isClosed = true;
    this.closings++;
    this.frozen = this.things.flatMap(({ isExpected, scan, misplaced }, n): typeof this.frozen =>
      isExpected || scan
        ? [[n, !isExpected ? 'unexpected' : scan ? 'scanned' : 'missing', misplaced !== null]]
        : [],
    );
    return 200;
  }

  reopen(): number {
    if (!this.isClosed) return 409;
    this.isClosed = false;
    this.frozen = [];
    for (const thing of this.things) {
      if (thing.isDeleted && !thing.scan) thing.isExpected = false;
      else if (!thing.isDeleted && thing.closing === this.closings && isInScope(thing))
        thing.isExpected = true;
    }
    return 200;
  }

  decide(at: number, status: 'accepted' | 'refused'): number {
    const late = this.late[at]!;
    if (this.isClosed || late.status !== 'waiting') return 409;
    late.status = status;
    const before = this.answers.get(late.id ?? -1);
    if (status === 'refused') {
      if (before) before.told = { ...before.told, reason: 'refused' };
      return 200;
    }
    const { by, id, place, device } = late;
    const told = this.count({ ...late, move: false }, { at: device, by, id, place, device });
    late.purchase = told.purchase;
    if (before) before.told = told;
    return 200;
  }

  /** Deleted ones are found where the session has scanned them. */
  private find(code: string): number | null {
    const n = this.ownerOf(code);
    return n !== null && (!this.things[n]!.isDeleted || this.things[n]!.scan) ? n : null;
  }

  private ownerOf(code: string): number | null {
    const n = this.things.findIndex(({ label }) => label === code);
    return n >= 0 ? n : (this.aliases.get(code) ?? null);
  }

  private tell(reason: string, purchase: number | null, { place }: Message): Told {
    const expected = purchase === null ? null : this.things[purchase]!.place;
    return { reason, purchase, ...(place && { misplaced: isElsewhere(expected, place), expected }) };
  }
}
