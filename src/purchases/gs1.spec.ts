import fc from 'fast-check';
import { codeCandidates } from './code.js';
import { readEpc } from './epc.js';
import { checkDigit, gs1Key, keyOf } from './gs1.js';

const GIAI = '(8004)061414112345400';
const GRAI = '(8003)00614141123452400';
const FNC1 = '\x1d';

const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength });
const CHARACTERS = `!"%&'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz`;
const characters = (minLength: number, maxLength: number) =>
  fc
    .string({ unit: fc.constantFrom(...CHARACTERS), minLength, maxLength })
    .filter((text) => !/\(\d{2,4}\)/.test(text));
const giai = fc
  .tuple(digits(4, 12), characters(0, 18))
  .map(([company, asset]) => company + asset)
  .filter((value) => !/\(\d{2,4}\)/.test(value));
const grai = fc
  .tuple(digits(12, 12), characters(0, 16))
  .map(([number, serial]) => `0${number}${checkDigit(number)}${serial}`);
const key = fc.oneof(
  giai.map((value) => ['8004', value] as const),
  grai.map((value) => ['8003', value] as const),
);

describe('gs1Key', () => {
  // The EPC Tag Data Standard and the GS1 General Specifications have these as examples.
  it.each([
    ['(8004)061414112345400', GIAI],
    ['8004061414112345400', GIAI],
    [`]C18004061414112345400`, GIAI],
    [`]d28004061414112345400\r\n`, GIAI],
    [`]Q3${FNC1}8004061414112345400${FNC1}`, GIAI],
    ['https://id.gs1.org/8004/061414112345400', GIAI],
    ['HTTPS://example.com/some/path/8004/061414112345400/?linkType=all#top', GIAI],
    [']Q1http://example.com:8080/8004/0614141%31%32345400', GIAI],
    ['(8003) 00614141123452400', GRAI],
    [`]e0800300614141123452400`, GRAI],
    ['https://example.com/8003/00614141123452400', GRAI],
    ['https://example.com/8003/01234567890128abc%2F1', '(8003)01234567890128abc/1'],
    ['(8004)061414132a/b', '(8004)061414132a/b'],
    // With more in the same string, before and after.
    [`(01)09501101530003(17)250101(8004)061414112345400(21)A`, GIAI],
    [`0109501101530003172501018004061414112345400${FNC1}21A`, GIAI],
    [`]C121A${FNC1}10LOT${FNC1}8004061414112345400`, GIAI],
    [`]C121A${FNC1}800300614141123452400${FNC1}10LOT`, GRAI],
  ])('understands %j', (text, expected) => {
    expect(gs1Key(text)).toBe(expected);
  });

  it.each([
    '', '8004', '(8004)', '(8004', '()', '(8004)061', 'INV8004061414112345400', '(8004)ABC', '(8004)0614141 2',
    `(8004)${'1'.repeat(31)}`, '(8004)0614141é', '80040614(10)1', // an identifier in a value
    '800300614141123453400', // a wrong check digit
    '(8003)10614141123459400', '(8003)0614141', `(8003)0061414112345${'2'.padEnd(18, '1')}`,
    '0109501101530003', '0180040614141123454', // all of it a GTIN
    '21A8004061414112345400', // a serial number to the end
    'x(8004)061414112345400', 'https://example.com/8004', 'https://example.com/8004/061414112345400/x',
    'https://example.com/8004/0614141%zz', 'https://example.com?/8004/061414112345400',
    'ftp://example.com/8004/061414112345400',
  ])('finds nothing in %j', (text) => {
    expect(gs1Key(text)).toBeNull();
  }); // prettier-ignore

  it('reads one key whatever it is written as, and its own spelling', () => {
    fc.assert(
      fc.property(key, ([identifier, value]) => {
        const expected = `(${identifier})${value}`;
        expect(keyOf(identifier, value)).toBe(expected);
        for (const text of [
          expected,
          identifier + value,
          `]C1${identifier}${value}${FNC1}99X`,
          `]d2${FNC1}10LOT${FNC1}${identifier}${value}`,
          `(10)LOT${expected}(99)X`,
          `https://x.example/a/${identifier}/${encodeURIComponent(value)}?x=/1`,
        ])
          expect(gs1Key(text)).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe('readEpc', () => {
  // Of the EPC Tag Data Standard, and of implementations that were checked against GS1's own.
  it.each([
    ['3474257BF40000000000162E', 'urn:epc:tag:giai-96:3.0614141.5678', 'urn:epc:id:giai:0614141.5678', '(8004)06141415678'],
    ['3414257BF400000000BC6038', 'urn:epc:tag:giai-96:0.0614141.12345400', 'urn:epc:id:giai:0614141.12345400', GIAI],
    ['341816E80000000000010015', 'urn:epc:tag:giai-96:0.023456.65557', 'urn:epc:id:giai:023456.65557', '(8004)02345665557'],
    ['341800004000000000000001', 'urn:epc:tag:giai-96:0.000001.1', 'urn:epc:id:giai:000001.1', '(8004)0000011'],
    ['34344B5A1C00000000000001', 'urn:epc:tag:giai-96:1.1234567.1', 'urn:epc:id:giai:1234567.1', '(8004)12345671'],
    ['3374257BF40C0E400000162E', 'urn:epc:tag:grai-96:3.0614141.12345.5678', 'urn:epc:id:grai:0614141.12345.5678', '(8003)006141411234525678'],
    ['3874257BF59B2C2BF1000000000000000000000000000000000', 'urn:epc:tag:giai-202:3.0614141.32a%2Fb', 'urn:epc:id:giai:0614141.32a%2Fb', '(8004)061414132a/b'],
    ['3874257BF59B2C2BF10000000000000000000000000000000000', 'urn:epc:tag:giai-202:3.0614141.32a%2Fb', 'urn:epc:id:giai:0614141.32a%2Fb', '(8004)061414132a/b'],
  ])('reads %s as %s does', (hex, tag, uri, expected) => {
    const raw = `urn:epc:raw:${hex.length * 4}.x${hex}`;
    const decimal = `urn:epc:raw:${hex.length * 4}.${BigInt(`0x${hex}`)}`;
    for (const text of [hex, hex.toLowerCase(), ` ${hex}\r\n`, tag, uri, uri.replace('urn:epc:id', 'URN:EPC:ID'), raw, raw.toUpperCase(), decimal])
      expect(readEpc(text)).toEqual({ uri, key: expected });
  }); // prettier-ignore

  it('reads the raw bits of a tag also where they are no whole digits', () => {
    const bits = BigInt('0x3874257BF59B2C2BF1000000000000000000000000000000000') >> 2n; // 51 digits have two more
    for (const text of [`x${bits.toString(16).toUpperCase()}`, `x0${bits.toString(16)}`, String(bits)])
      expect(readEpc(`urn:epc:raw:202.${text}`)?.uri).toBe('urn:epc:id:giai:0614141.32a%2Fb');
  });

  it.each([
    '', 'urn:epc:id:giai:', 'urn:epc:id:giai:0614141', 'urn:epc:id:giai:0614141.', 'urn:epc:id:giai:061.1',
    'urn:epc:id:giai:0614141.é', 'urn:epc:id:giai:0614141.%', `urn:epc:id:giai:0614141.${'1'.repeat(24)}`,
    'urn:epc:id:grai:0614141.12345', 'urn:epc:id:grai:0614141.1234.1', 'urn:epc:id:sgtin:0614141.112345.400',
    'urn:epc:tag:giai-96:8.0614141.1', 'urn:epc:tag:giai-96:3.0614141.A', 'urn:epc:tag:giai-96:3.0614141.01',
    '3074257BF7194E4000001A85', // an SGTIN
    '347C257BF40000000000162E', // no such partition
    'urn:epc:raw:96.x3074257BF7194E4000001A85', 'urn:epc:raw:96.x3474257BF40000000000162E0', 'urn:epc:raw:95.x3474257BF40000000000162E',
    'urn:epc:raw:96.x34.x74', 'urn:epc:raw:96.x', 'urn:epc:raw:96.3474257BF40000000000162E', 'urn:epc:raw:0.x0', `urn:epc:raw:96.${'9'.repeat(29)}`,
    '34740003FFFFFFFFFFFFFFFFF', '3474257BF40000000000162', 'G474257BF40000000000162E',
    '3463FFFFFFFFFFFFFFFFFFFF', // a company of 13 digits
    '3477FFFFFC00000000000001', '3877FFFFFD88000000000000000000000000000000000000000', // one of eight where its partition has seven
    '3874257BF59B2C2BF1000000000000000000000000000000001', // more behind the end
  ])('finds nothing in %j', (text) => {
    expect(readEpc(text)).toBeNull();
  }); // prettier-ignore

  const PREFIX_BITS = [40, 37, 34, 30, 27, 24, 20];
  /** Bits as a tag has them, the shortest way of writing them. */
  const hexOf = (fields: [value: bigint, bits: number][], size: number): string => {
    const bits = fields.map(([value, width]) => value.toString(2).padStart(width, '0')).join('');
    return BigInt(`0b${bits.padEnd(size, '0')}`)
      .toString(16)
      .toUpperCase();
  };
  const partition = fc.integer({ min: 0, max: 6 });
  const filter = fc.integer({ min: 0, max: 7 });

  it('reads what a tag of 96 bits was made of, and its URI again', () => {
    fc.assert(
      fc.property(partition, filter, digits(12, 12), fc.nat(), (part, kind, number, serial) => {
        const company = number.slice(0, 12 - part);
        const type = number.slice(12 - part);
        const bits = PREFIX_BITS[part]!;
        const head = (header: number): [bigint, number][] => [
          [BigInt(header), 8],
          [BigInt(kind), 3],
          [BigInt(part), 3],
          [BigInt(company), bits],
        ];
        const asset = hexOf([...head(0x34), [BigInt(serial), 82 - bits]], 96);
        const giaiUri = `urn:epc:id:giai:${company}.${serial}`;
        expect(readEpc(asset)).toEqual({ uri: giaiUri, key: `(8004)${company}${serial}` });
        const returned = hexOf([...head(0x33), [BigInt(type), 44 - bits], [BigInt(serial), 38]], 96);
        const graiUri = `urn:epc:id:grai:${company}.${type}.${serial}`;
        expect(readEpc(returned)).toEqual({
          uri: graiUri,
          key: `(8003)0${number}${checkDigit(number)}${serial}`,
        });
        for (const uri of [giaiUri, graiUri]) expect(readEpc(uri)?.uri).toBe(uri);
      }),
      { numRuns: 500 },
    );
  });

  it('reads what a tag of 202 bits was made of, and its URI again', () => {
    fc.assert(
      fc.property(partition, filter, digits(12, 12), characters(1, 18), (part, kind, number, asset) => {
        const company = number.slice(0, 12 - part);
        const hex = hexOf(
          [
            [0x38n, 8],
            [BigInt(kind), 3],
            [BigInt(part), 3],
            [BigInt(company), PREFIX_BITS[part]!],
            ...[...asset].map((character): [bigint, number] => [BigInt(character.charCodeAt(0)), 7]),
          ],
          208,
        );
        const expected = keyOf('8004', company + asset);
        const epc = readEpc(hex);
        expect(epc?.key ?? null).toBe(expected);
        if (epc) expect(readEpc(epc.uri)).toEqual(epc);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what a scanner may read', () => {
  const pieces = fc.constantFrom(
    '(', ')', '8004', '8003', '(8004)', '(8003)', '0614141', '01', '10', FNC1, ']C1', '0', '3', '34', '38', 'F'.repeat(22),
    '0'.repeat(50), 'urn:epc:', 'id:giai:', 'tag:grai-96:', '.', ':', '%', '%2F', 'https://', 'x', '/', '?', ' ', '\0', '\ud800', 'é',
  ); // prettier-ignore
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 10 }).map((texts) => texts.join('')),
    fc.string({ unit: 'binary' }),
  );

  it('never throws', () => {
    fc.assert(
      fc.property(text, (one) => {
        const found = [gs1Key(one), readEpc(one)?.key].filter((it) => typeof it === 'string');
        for (const it of found) expect(gs1Key(it)).toBe(it);
      }),
      { numRuns: 3000 },
    );
  });

  it('is tried as what it says once its own text was', () => {
    expect(codeCandidates('8004061414112345400')).toEqual(['8004061414112345400', GIAI]);
    expect(codeCandidates(GIAI)).toEqual([GIAI]);
    expect(codeCandidates('3414257BF400000000BC6038')).toEqual(['3414257BF400000000BC6038', GIAI]);
    expect(codeCandidates('https://x.example/8004/061414112345400')).toEqual([
      'https://x.example/8004/061414112345400',
      '061414112345400',
      GIAI,
    ]);
    expect(codeCandidates('INV8004')).toEqual(['INV8004']);
  });
});
