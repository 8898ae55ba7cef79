import { beginning } from './lines.js';

/** Which mark stands before the decimals. */
export type Decimal = 'point' | 'comma';

/** Its sign, its three letters, or what people write for them. */
const WRITTEN = String.raw`(?:US|CA|AU|NZ|HK|[CAR])?\p{Sc}|S?Fr\.|[Ee]uros?|kr\.?|zł|Kč|Ft|lei|Rs\.?`;
const CURRENCY = new RegExp(
  String.raw`^(?:${WRITTEN}|[A-Z]{3}(?=[\s\d-]))\s*|\s*(?:${WRITTEN}|(?<=[\s\d])[A-Z]{3})$`,
  'gu',
);
/** What stands between thousands beside the other mark: blanks of any width and apostrophes. */
const BETWEEN = " \u00a0\u2009\u202f'’";
const whole = (mark: string): string =>
  `(?:\\d{1,15}|[1-9]\\d{0,2}([${BETWEEN}${mark}])\\d{3}(?:\\1\\d{3}){0,3})`;
const PATTERNS: Record<Decimal, RegExp> = {
  point: new RegExp(`^-?${whole(',')}(?:\\.(\\d{1,15}))?$`),
  comma: new RegExp(`^-?${whole('.')}(?:,(\\d{1,15}))?$`),
};

/** Far more than an amount takes; what looks for its currency takes seconds for 30 000 blanks. */
const MAX_LENGTH = 100;

/** The amount that a text says, with a currency and thousands separators or without; undefined where it is none so. */
export function readAmount(text: string, decimal: Decimal): number | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const bare = text.replace(CURRENCY, '').replace(/^[\u2212]/, '-');
  const [found, , decimals] = PATTERNS[decimal].exec(bare) ?? [];
  if (found === undefined) return undefined;
  const digits = found.slice(0, decimals ? -decimals.length - 1 : undefined).replace(/[^\d-]/g, '');
  return Number(decimals ? `${digits}.${decimals}` : digits);
}

/** A number without thousands separators, whatever mark stands before its decimals. */
export function readPlain(text: string): number | undefined {
  return /^-?\d{1,12}([.,]\d{1,15})?$/.test(text) ? Number(text.replace(',', '.')) : undefined;
}

/** What a cell says once it is read: an amount, or a day. */
export type Value = number | string;

interface Found {
  line: number;
  text: string;
}

/** A cell that fits two readings, and what it is in each. */
interface Doubt extends Found {
  readings: [Value, Value];
}

/** How a whole column is read: its rows that fit one way only decide for those that fit both. */
export class TwoWays {
  /** The first cell that only the one way fits, and the first that only the other does. */
  readonly only: [Found | undefined, Found | undefined] = [undefined, undefined];
  private open?: Doubt;

  /** @param read what a text says in each way; undefined where it does not fit */
  constructor(private readonly read: (text: string, way: 0 | 1) => Value | undefined) {}

  add(text: string, line: number): void {
    const [one, other] = [this.read(text, 0), this.read(text, 1)];
    if (one === undefined && other === undefined) return; // the line is told what it must be
    const found = (): Found => ({ line, text: beginning(text) });
    if (other === undefined) this.only[0] ??= found();
    else if (one === undefined) this.only[1] ??= found();
    else if (one !== other) this.open ??= { ...found(), readings: [one, other] };
  }

  /** 'each' where there are rows for the one way only and rows for the other only. */
  get way(): 0 | 1 | 'each' {
    if (this.only[1]) return this.only[0] ? 'each' : 1;
    return 0;
  }

  /** The first cell that keeps both ways open, where none decides. */
  get doubt(): Doubt | undefined {
    return this.only[0] || this.only[1] ? undefined : this.open;
  }
}
