import { eurosOf } from '../amortization/asset.js';
import { render, say } from '../common/messages.js';
import type { Language, Message } from '../common/messages.js';

const LOCALES = { fr: 'fr-FR', en: 'en-GB' };

/** How pages say things, numbers and dates to people. */
export class Wording {
  readonly locale;
  readonly number: (value: number) => string;
  private readonly amount: Intl.NumberFormat;
  private readonly share: Intl.NumberFormat;
  private readonly instants: Intl.DateTimeFormat;
  private readonly days: Intl.DateTimeFormat;

  constructor(
    readonly language: Language,
    timeZone: string,
  ) {
    const locale = (this.locale = LOCALES[language]);
    const numbers = new Intl.NumberFormat(locale);
    this.number = (value) => numbers.format(value);
    this.amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
    this.share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
    this.instants = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone });
    this.days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
  }

  say(message: Message, ...values: (string | number)[]): string {
    return render(say(message, ...values), this.language);
  }

  /** Of cents, in euros. */
  money(cents: number | null): string {
    return cents === null ? '–' : this.amount.format(eurosOf(cents));
  }

  /** What is not quite all is not rounded to 100 %, nor little to 0 %. */
  percent(part: number, whole: number): string {
    if (whole === 0) return '–';
    const share = part / whole;
    return this.share.format(share > 0 && share < 1 ? Math.min(Math.max(share, 0.001), 0.999) : share);
  }

  instant(at: Date): string {
    return this.instants.format(at);
  }

  /** Of YYYY-MM-DD. */
  day(text: string): string {
    return this.days.format(new Date(`${text}T00:00:00Z`));
  }
}
