import fc from 'fast-check';
import { render } from '../common/messages.js';
import { columnsOf } from './names.js';
import { TwoWays, readAmount } from './numbers.js';
import { survey } from './survey.js';
import type { Cell, Table } from './table.js';
import { readDay, readSerial } from './written-dates.js';

/** A table of one column. */
const tableOf = (name: string, cells: Cell[]): Table => ({
  header: { line: 1, cells: [name] },
  errors: [],
  // eslint-disable-next-line @typescript-eslint/require-await -- as a file comes
  batches: async function* () {
    yield { rows: cells.map((cell, at) => ({ line: at + 2, cells: [cell] })), errors: [] };
  },
});

/** What the cells of a column say, or why the file is refused. */
async function readColumn(name: string, cells: Cell[], options = {}) {
  const columns = columnsOf([name], 'purchases', ['purchase_date', 'purchase_price']);
  const { readings, errors } = await survey(tableOf(name, cells), columns, new Map(), options);
  if (errors.length > 0) return errors.map(({ line, message }) => `${line}: ${render(message)}`);
  return cells.map((cell) => readings.get(0)!(cell).value);
}
const prices = (cells: Cell[], options = {}) => readColumn('purchase_price', cells, options);
const dates = (cells: Cell[], options = {}) => readColumn('purchase_date', cells, options);

describe('amounts', () => {
  it('may have thousands separators and a currency', async () => {
    const written = [
      '1 161,71 €',
      '1\u00a0161,71',
      '1\u202f161,71€',
      '1161,71',
      '1.161,71',
      "1'161,71",
      '€ 1161,71',
      '1 161,71 euros',
      '1 161,71 kr',
    ];
    expect(await prices(written)).toEqual(written.map(() => 1161.71));
    const english = [
      '$1,161.71',
      '1161.71 USD',
      'EUR 1,161.71',
      '£1161.71',
      '1’161.71',
      'US$ 1,161.71',
      'Fr. 1’161.71',
    ];
    expect(await prices(english)).toEqual(english.map(() => 1161.71));
    expect(await prices(['1.234.567', '1,5'])).toEqual([1_234_567, 1.5]);
  });

  it('are read as the rows that fit one way only say', async () => {
    expect(await prices(['1.000', '1,5'])).toEqual([1000, 1.5]);
    expect(await prices(['1.000', '1.5'])).toEqual([1, 1.5]);
    expect(await prices(['1,000', '1,234,567.00'])).toEqual([1000, 1_234_567]);
    expect(await prices(['1161', '0.500'])).toEqual([1161, 0.5]);
  });

  it('that all fit two readings are refused with both, unless it is said which', async () => {
    expect(await prices(['12', '1.000', '1,161'])).toEqual([
      '3: may mean 1.00 or 1000.00, as all of this column may: 1.000; say which by decimal=point or decimal=comma',
    ]);
    expect(await prices(['12', '1.000', '1,161'], { decimal: 'comma' })).toEqual([12, 1000, 1.161]);
    expect(await prices(['1.000'], { decimal: 'point' })).toEqual([1]);
  });

  it('are taken as they are where a workbook has numbers', async () => {
    expect(await prices([1161.71, 1.161, 1161.7099999999998, '12,50'])).toEqual([
      1161.71, 1.161, 1161.71, 12.5,
    ]);
  });

  it('may have marks of direction, which nobody sees', async () => {
    expect(await prices(['\u200e1161,71\u00a0€\u200f', '12'])).toEqual([1161.71, 12]);
    expect(await dates(['\u200e15/\u200e03/\u200e2024'])).toEqual(['2024-03-15']);
  });

  it('stay texts where they are none', async () => {
    const wrong = [
      'abc',
      '1e3',
      '0x10',
      'NaN',
      '1 16',
      '1.16.2',
      '12,34,567',
      '--1',
      '1,',
      ',5',
      '',
      '1 000 00',
      '12 k€',
      '12 pcs',
      '3 EURO EUR',
    ];
    expect(await prices(wrong)).toEqual(wrong);
  });

  it('are read back as they were written, in any of the usual ways', async () => {
    const amount = fc.integer({ min: 0, max: 999_999_999_999 });
    const style = fc.record({
      decimal: fc.constantFrom('point' as const, 'comma' as const),
      group: fc.constantFrom('', ' ', '\u00a0', '\u202f', '\u2009', "'", '’', 'other'),
      currency: fc.constantFrom('', ' €', '€', ' EUR', '$ '),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(amount, { minLength: 1 }),
        style,
        async (cents, { decimal, group, currency }) => {
          const mark = decimal === 'point' ? '.' : ',';
          const between = group === 'other' ? (decimal === 'point' ? ',' : '.') : group;
          const written = cents.map((value) => {
            const whole = String(Math.floor(value / 100)).replace(/(?<=\d)(?=(\d{3})+$)/g, between);
            const text = `${whole}${mark}${String(value % 100).padStart(2, '0')}`;
            return currency === '$ ' ? currency + text : text + currency;
          });
          expect(await prices(written)).toEqual(cents.map((value) => value / 100));
        },
      ),
    );
  });

  it('have one reading each, or two that are both told', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'019., €'), maxLength: 9 }), (text) => {
        const ways = new TwoWays((given, way) => readAmount(given, way === 0 ? 'point' : 'comma'));
        ways.add(text, 1);
        const readings = [readAmount(text, 'point'), readAmount(text, 'comma')];
        const known = readings.filter((value) => value !== undefined);
        if (new Set(known).size === 2) expect(ways.doubt?.readings).toEqual(readings);
        else expect(ways.doubt).toBeUndefined();
      }),
    );
  });
});

describe('days', () => {
  const day = fc.date({ min: new Date('1969-01-01'), max: new Date('2068-12-31'), noInvalidDate: true });
  const parts = (date: Date) => date.toISOString().slice(0, 10).split('-') as [string, string, string];

  it('are read in all the usual forms', () => {
    const written = [
      '2024-03-15', '2024/3/15', '20240315', '2024-03-15T00:00:00Z', '2024-03-15 13:45', '2024-03-15T00:00:00.000+01:00',
      '15/03/2024', '15/3/24', '15.03.24', '15-03-2024', '15 mars 2024', '15-Mar-2024', 'Mar 15, 2024', 'vendredi 15 mars 2024', 'Fri, 15 Mar 2024', 'Fri Mar 15, 2024',
      'March 15th, 2024', '15th March 2024', 'March 15, 2024', '45366', '45366.5', '15/03/2024 00:00:00',
    ]; // prettier-ignore
    expect(written.map((text) => readDay(text, 'dmy'))).toEqual(written.map(() => '2024-03-15'));
    expect(readDay('3/15/24', 'mdy')).toBe('2024-03-15');
    expect(readDay('1er août 2024', 'dmy')).toBe('2024-08-01');
    expect(['juin', 'juillet', 'June', 'July'].map((month) => readDay(`3 ${month} 2024`, 'dmy'))).toEqual([
      '2024-06-03', '2024-07-03', '2024-06-03', '2024-07-03',
    ]); // prettier-ignore
    expect(['1/1/69', '1/1/68'].map((text) => readDay(text, 'dmy'))).toEqual(['1969-01-01', '2068-01-01']);
  });

  it('are no days otherwise', () => {
    const wrong = [
      '2024-02-30',
      '31/04/2024',
      '13/13/2024',
      '2024-03-14T23:00:00Z',
      '5',
      '123456',
      '3 foo 2024',
      '5. marraskuuta 2024',
      'x',
      '1/2',
      '',
    ];
    for (const text of wrong) expect(readDay(text, 'dmy')).toBeUndefined();
  });

  it('come from Excel as it counts them', () => {
    expect([25_569, 36_526, 45_306, 60_000.99].map(readSerial)).toEqual([
      '1970-01-01',
      '2000-01-01',
      '2024-01-15',
      '2064-04-08',
    ]);
    expect([0, 9999, 100_000, NaN].map(readSerial)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('come from workbooks of old Macs as these count them', async () => {
    const columns = columnsOf(['purchase_date'], 'purchases', ['purchase_date']);
    const table = { ...tableOf('purchase_date', [43_893]), isFrom1904: true };
    const { readings } = await survey(table, columns, new Map(), {});
    expect(readings.get(0)!(43_893).value).toBe('2024-03-04');
    expect(readings.get(0)!('2024-03-04').value).toBe('2024-03-04');
  });

  it('are read as the rows that fit one way only say', async () => {
    expect(await dates(['03/04/2024', '15/04/2024'])).toEqual(['2024-04-03', '2024-04-15']);
    expect(await dates(['03/04/2024', '4/15/24'])).toEqual(['2024-03-04', '2024-04-15']);
    expect(await dates(['05/05/2024', '2024-01-15', '45306', 45_306, '03.04.24'])).toEqual([
      '2024-05-05', '2024-01-15', '2024-01-15', '2024-01-15', '2024-04-03',
    ]); // prettier-ignore
  });

  it('that all fit two readings are refused with both, unless it is said which', async () => {
    expect(await dates(['2024-01-15', '03/04/2024', '01/02/2024'])).toEqual([
      '3: may mean 2024-04-03 or 2024-03-04, as all of this column may: 03/04/2024; say which by dates=dmy or dates=mdy',
    ]);
    expect(await dates(['03/04/2024'], { dates: 'dmy' })).toEqual(['2024-04-03']);
    expect(await dates(['03/04/2024'], { dates: 'mdy' })).toEqual(['2024-03-04']);
    expect(await dates(['15/04/2024', '2024-04-15'], { dates: 'iso' })).toEqual(['15/04/2024', '2024-04-15']);
  });

  it('that are written in both ways are refused', async () => {
    expect(await dates(['15/04/2024', '03/04/2024', '4/15/24'])).toEqual([
      expect.stringMatching(
        /^4: has the day first on line 2 \(15\/04\/2024\) and the month first on line 4 \(4\/15\/24\)/,
      ),
    ]);
  });

  it('are read back as they were written, or the file is refused, but never another day', async () => {
    const style = fc.constantFrom('dmy', 'mdy', 'dotted', 'iso', 'serial');
    await fc.assert(
      fc.asyncProperty(fc.array(day, { minLength: 1, maxLength: 30 }), style, async (days, style) => {
        const written = days.map((date) => {
          const [year, month, day] = parts(date);
          if (style === 'dmy') return `${day}/${month}/${year}`;
          if (style === 'mdy') return `${Number(month)}/${Number(day)}/${year.slice(2)}`;
          if (style === 'dotted') return `${day}.${month}.${year}`;
          return style === 'iso'
            ? `${year}-${month}-${day}`
            : String(Math.floor(date.getTime() / 86_400_000) + 25_569);
        });
        const meant = days.map((date) => parts(date).join('-'));
        const read = await dates(written);
        const isDecided = !['dmy', 'mdy'].includes(style) || days.some((date) => date.getUTCDate() > 12);
        if (isDecided || meant.every((date) => date.slice(5, 7) === date.slice(8)))
          expect(read).toEqual(meant);
        else expect(read).toEqual([expect.stringContaining('may mean')]);
      }),
    );
  });
});

describe('the names of columns', () => {
  const FIELDS = ['article', 'code', 'supplier', 'location', 'purchase_date', 'purchase_price', 'serial_number', 'notes',
    'warranty_end_date', 'in_service_date']; // prettier-ignore
  const fieldsOf = (...header: string[]) => columnsOf(header, 'purchases', FIELDS).map(({ field }) => field);

  it('are known in English and in French, whatever the case, accents, blanks and marks', () => {
    expect(fieldsOf('Désignation', 'Code-barres', 'FOURNISSEUR', 'Emplacement', 'Date d’achat')).toEqual([
      'article', 'code', 'supplier', 'location', 'purchase_date',
    ]); // prettier-ignore
    expect(fieldsOf("date d'achat", 'PRIX D ACHAT (€)', 'N° de série', 'Remarques')).toEqual([
      'purchase_date', 'purchase_price', 'serial_number', 'notes',
    ]); // prettier-ignore
    expect(fieldsOf('Purchase Date', 'purchase-price', 'SERIAL NUMBER', 'Fin de garantie', 'Mise en service')).toEqual([
      'purchase_date', 'purchase_price', 'serial_number', 'warranty_end_date', 'in_service_date',
    ]); // prettier-ignore
    expect(fieldsOf('Date achat', 'Prix achat HT', 'Numéro série', 'Fin garantie', 'Date mise en service')).toEqual([
      'purchase_date', 'purchase_price', 'serial_number', 'warranty_end_date', 'in_service_date',
    ]); // prettier-ignore
    expect(fieldsOf('Date achat', 'Date d’achat', 'date')).toEqual([null, 'purchase_date', null]);
    expect(fieldsOf('libellé', 'libelle\u0301'.normalize('NFD'))).toEqual(['article', 'article']);
  });

  it('that nobody knows are left out', () => {
    expect(columnsOf(['code', 'Order Number', '', '__proto__'], 'purchases', FIELDS)).toEqual([
      { name: 'code', field: 'code' },
      { name: 'Order Number', field: null },
      { name: 'column 3', field: null },
      { name: '__proto__', field: null },
    ]);
  });

  it('that mean one field are one: its own name first', () => {
    expect(fieldsOf('Asset Tag', 'code', 'étiquette')).toEqual([null, 'code', null]);
    expect(fieldsOf('Asset Tag', 'étiquette')).toEqual([null, 'code']);
  });

  it('of a list of names may be the word for what is in it', () => {
    expect(columnsOf(['Marque'], 'brands', ['name'])[0]!.field).toBe('name');
    expect(columnsOf(['Fournisseur', 'Réf.'], 'suppliers', ['name', 'reference']).map(({ field }) => field)).toEqual([
      'name', 'reference',
    ]); // prettier-ignore
  });
});
