import fc from 'fast-check';
import { PatchOf } from './field.js';
import {
  BooleanField,
  ChoiceField,
  DateField,
  EmailField,
  IdField,
  IntegerField,
  MAX_MONEY,
  MoneyField,
  PasswordField,
  ScannedField,
  TextField,
  isMoney,
} from './fields.js';
import { NamesField } from './list-fields.js';
import { check } from './validation.pipe.js';

class Fields {
  @TextField({ max: 5 })
  name: string;

  @TextField({ max: 5, optional: true, nullable: true })
  note?: string | null;

  @TextField({ max: 5, min: 0, optional: true })
  search?: string;

  @EmailField({ optional: true, nullable: true })
  email?: string | null;

  @PasswordField({ min: 8, optional: true })
  password?: string;

  @ScannedField({ max: 5, optional: true })
  scanned?: string;

  @IntegerField({ min: -1, max: 3, optional: true })
  integer?: number;

  @IdField({ optional: true, nullable: true })
  id?: number | null;

  @MoneyField({ optional: true, nullable: true })
  price?: number | null;

  @DateField({ optional: true, nullable: true })
  date?: string | null;

  @BooleanField({ optional: true })
  flag?: boolean;

  @ChoiceField({ optional: true, of: ['a', 'b'] })
  choice?: string;

  @NamesField({ optional: true })
  names?: string[];
}

class Patch extends PatchOf(Fields) {}

/** The value as it is taken over, or 'refused'. */
function taken(field: keyof Fields, value: unknown): unknown {
  const { value: fields, errors } = check(Fields, { name: 'x', [field]: value });
  return errors ? (Object.keys(errors).join() === field ? 'refused' : errors) : fields[field];
}

describe('isMoney', () => {
  const cents = fc.integer({ min: 0, max: 999_999_999_999 });

  it('takes every amount of whole cents', () => {
    fc.assert(
      fc.property(cents, (amount) => {
        const text = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}`;
        expect(isMoney(Number(text))).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });

  it('refuses every amount with more decimals', () => {
    fc.assert(
      fc.property(cents, fc.integer({ min: 1, max: 9 }), fc.nat(2), (amount, digit, zeros) => {
        const text = `${Math.floor(amount / 100)}.${String(amount % 100).padStart(2, '0')}${'0'.repeat(zeros)}${digit}`;
        expect(isMoney(Number(text))).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('takes 0 to 9 999 999 999.99', () => {
    for (const value of [0, -0, 0.01, 1, 1e2, MAX_MONEY]) expect(isMoney(value)).toBe(true);
    for (const value of [-0.01, -1, 1e10, MAX_MONEY + 0.01, 1e21, Number('1e400'), -Infinity, NaN, 5e-324]) {
      expect(isMoney(value)).toBe(false);
    }
  });

  it('takes numbers only', () => {
    const others = fc.anything().filter((value) => typeof value !== 'number');
    fc.assert(fc.property(others, (value) => expect(isMoney(value)).toBe(false)));
  });
});

describe('TextField', () => {
  const text = fc.string({ unit: 'binary', maxLength: 8 }).filter((value) => !value.includes('\0'));

  it('trims, and takes 1 to max code points', () => {
    fc.assert(
      fc.property(text, (value) => {
        const { length } = [...value.trim()];
        expect(taken('name', value)).toBe(length >= 1 && length <= 5 ? value.trim() : 'refused');
      }),
      { numRuns: 1000 },
    );
  });

  it('takes an empty text for none where null may be', () => {
    for (const value of ['', ' ', '\u00a0', null]) expect(taken('note', value)).toBeNull();
    for (const value of ['', ' ', null]) expect(taken('name', value)).toBe('refused');
    expect(taken('search', ' ')).toBe('');
    expect(taken('search', null)).toBe('refused');
  });

  it('refuses NUL, lone surrogates, and what is no text', () => {
    for (const value of ['a\0', '\0', '\ud83d', 'a\udc00b', 1, true, [], ['a'], {}, { length: 1 }]) {
      expect(taken('name', value)).toBe('refused');
      expect(taken('note', value)).toBe('refused');
    }
  });
});

describe('the other fields', () => {
  it.each([
    ['email', ' a@b.example ', 'a@b.example'],
    ['email', '', null],
    ['email', 'a@b', 'refused'],
    ['email', `${'a'.repeat(250)}@b.example`, 'refused'],
    ['password', ' 8 chars ', ' 8 chars '],
    ['password', '7 chars', 'refused'],
    ['password', '😀'.repeat(8), '😀'.repeat(8)],
    ['password', '😀'.repeat(7), 'refused'],
    ['password', 'x'.repeat(256), 'x'.repeat(256)],
    ['password', 'x'.repeat(257), 'refused'],
    ['scanned', ' a\0 ', ' a\0 '],
    ['scanned', '\ud800', '\ud800'],
    ['scanned', ' \r\n', 'refused'],
    ['scanned', '😀'.repeat(5), '😀'.repeat(5)],
    ['scanned', 'xxxxxx', 'refused'],
    ['scanned', 1, 'refused'],
    ['integer', -1, -1],
    ['integer', 3, 3],
    ['integer', -2, 'refused'],
    ['integer', 4, 'refused'],
    ['integer', 1.5, 'refused'],
    ['integer', '1', 'refused'],
    ['integer', NaN, 'refused'],
    ['integer', null, 'refused'],
    ['id', 1, 1],
    ['id', 2147483647, 2147483647],
    ['id', 0, 'refused'],
    ['id', 2147483648, 'refused'],
    ['id', null, null],
    ['price', 0.1, 0.1],
    ['price', '0.1', 'refused'],
    ['price', 0.001, 'refused'],
    ['price', null, null],
    ['date', ' 2024-02-29 ', '2024-02-29'],
    ['date', '2026-02-30', 'refused'],
    ['date', '', 'refused'],
    ['date', null, null],
    ['flag', false, false],
    ['flag', 'false', 'refused'],
    ['flag', 0, 'refused'],
    ['flag', null, 'refused'],
    ['choice', 'b', 'b'],
    ['choice', 'B', 'refused'],
    ['choice', 'constructor', 'refused'],
    ['choice', ['a'], 'refused'],
    ['names', ['a', 'b'], ['a', 'b']],
    ['names', [], []],
    ['names', ['a', 'a'], 'refused'],
    ['names', [''], 'refused'],
    ['names', [1], 'refused'],
    ['names', 'a', 'refused'],
    ['names', { 0: 'a', length: 1 }, 'refused'],
    ['names', Array.from({ length: 101 }, (_, at) => `n${at}`), 'refused'],
  ] as const)('%s: %j becomes %j', (field, value, expected) => {
    expect(taken(field, value)).toEqual(expected);
  });
});

describe('check', () => {
  it('tells all errors at once, by field', () => {
    const { errors } = check(Fields, { note: 1, flag: 'x', nope: 1, __proto__: null, constructor: 1 });
    expect(Object.keys(errors ?? {}).sort()).toEqual(['constructor', 'flag', 'name', 'nope', 'note']);
    expect(Object.keys(check(Fields, JSON.parse('{"name":"x","__proto__":1}')).errors ?? {})).toEqual([
      '__proto__',
    ]);
  });

  it('takes objects only', () => {
    for (const value of [null, [], 'x', 1, true, undefined]) {
      expect(check(Fields, value).errors).toHaveProperty('body');
    }
  });

  it('needs nothing for a change, and keeps what is empty', () => {
    expect(check(Patch, {})).toEqual({ value: new Patch() });
    expect(Object.keys(check(Patch, {}).value)).toEqual([]);
    expect({ ...check(Patch, { note: '', price: null }).value }).toEqual({ note: null, price: null });
    expect(check(Patch, { name: null }).errors).toHaveProperty('name');
    expect(check(Patch, { name: 'too long' }).errors).toHaveProperty('name');
  });

  it('never throws, whatever is sent', () => {
    const names = ['name', 'note', 'email', 'scanned', 'integer', 'price', 'date', 'choice', 'names'];
    const bodies = fc.dictionary(fc.constantFrom(...names), fc.jsonValue());
    fc.assert(fc.property(bodies, (body) => expect(check(Fields, body).value).toBeInstanceOf(Fields)));
  });
});
