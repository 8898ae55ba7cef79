import pg from 'pg';

const parse = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ) as (text: string) => Date;

/** PostgreSQL's form of one in UTC that has milliseconds: trailing zeros are left out. */
const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,3})?\+00$/;

/**
 * An instant as PostgreSQL has sent it, which keeps its form in answers: to find it anew for each of a hundred takes a tenth of
 * the CPU of a page of fifty (bench/PROFILES.md). Nobody may change it, as no Date that was read.
 */
class Instant extends Date {
  constructor(private readonly iso: string) {
    super(iso);
  }

  override toJSON(): string {
    return this.iso;
  }
}

/** Of a `timestamptz`. Those of sessions in another time zone, and far away or finer than milliseconds, are plain Dates. */
export function instantOf(text: string): Date {
  if (!UTC.test(text)) return parse(text);
  const [day, time] = [text.slice(0, 10), text.slice(11, -3)];
  return new Instant(`${day}T${time.length === 8 ? `${time}.000` : time.padEnd(12, '0')}Z`);
}
