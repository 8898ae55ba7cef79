import fc from 'fast-check';
import { MAX_CODE, isPrintable } from '../common/printable.js';
import { checkCharacter, codeCandidates, makeCode } from './code.js';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const payload = fc.string({ unit: fc.constantFrom(...ALPHABET), minLength: 1, maxLength: 20 });

describe('check character', () => {
  it('is the one of the standard (ISO/IEC 7064, MOD 37,36)', () => {
    // The published example: the Global Release Identifier A1-2425G-ABC1234002-M.
    expect(checkCharacter('A12425GABC1234002')).toBe('M');
  });

  it('catches every single wrong character', () => {
    fc.assert(
      fc.property(payload, fc.nat(), fc.constantFrom(...ALPHABET), (text, at, wrong) => {
        const code = text + checkCharacter(text);
        const place = at % code.length;
        const typed = code.slice(0, place) + wrong + code.slice(place + 1);
        if (typed !== code) expect(checkCharacter(typed.slice(0, -1))).not.toBe(typed.at(-1));
      }),
    );
  });

  it('catches nearly every swap of neighbours', () => {
    let swaps = 0;
    let missed = 0;
    for (let number = 0; number < 2000; number++) {
      const code = makeCode('INV', number);
      for (let at = 0; at < code.length - 1; at++) {
        const typed = code.slice(0, at) + code.charAt(at + 1) + code.charAt(at) + code.slice(at + 2);
        if (typed === code) continue;
        swaps++;
        if (checkCharacter(typed.slice(0, -1)) === typed.at(-1)) missed++;
      }
    }
    expect(missed / swaps).toBeLessThan(0.01);
  });
});

describe('makeCode', () => {
  it('is prefix, at least six digits and check character', () => {
    expect(makeCode('INV', 42)).toBe(`INV000042${checkCharacter('INV000042')}`);
    expect(makeCode('A', 1_234_567)).toMatch(/^A1234567[0-9A-Z]$/);
  });

  it('makes another code of every number', () => {
    const distinct = fc.uniqueArray(fc.nat(), { minLength: 2 });
    fc.assert(
      fc.property(distinct, (numbers) => {
        expect(new Set(numbers.map((number) => makeCode('INV', number))).size).toBe(numbers.length);
      }),
    );
  });
});

describe('codeCandidates', () => {
  // Strings of any kind, and those that look like what scanners read.
  const pieces = fc.constantFrom(
    ' ', '\t', '\r\n', '\x1d', '\0', '\u00a0', '\ufeff', '\u2028', '\u200b', '\u00ad', '%E2%80%8B', ']', ']C1', ']Q3', 'https://', 'x.example', '/', '%', '%2F',
    '%0A', '?', '#', ':', '007', 'é', 'e\u0301', '😀', '\ud800', '\udc00', 'A'.repeat(60),
  ); // prettier-ignore
  const scanned = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((texts) => texts.join('')),
    fc.string({ unit: 'binary' }),
    fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)) }),
  );
  const isPossible = (text: string) =>
    text !== '' && !text.includes('\0') && text.isWellFormed() && [...text].length <= MAX_CODE;

  it('never throws, and tries only what a code can be, each once, at most seven', () => {
    fc.assert(
      fc.property(scanned, (text) => {
        const candidates = codeCandidates(text);
        expect(candidates.every(isPossible)).toBe(true);
        expect(new Set(candidates).size).toBe(candidates.length);
        expect(candidates.length).toBeLessThanOrEqual(7);
      }),
      { numRuns: 2000 },
    );
  });

  it('tries the exact text first', () => {
    fc.assert(
      fc.property(scanned.filter(isPossible), (text) => expect(codeCandidates(text)[0]).toBe(text)),
      { numRuns: 1000 },
    );
  });

  it('tries after it only what is trimmed and free of control characters', () => {
    fc.assert(
      fc.property(scanned, (text) => {
        for (const candidate of codeCandidates(text).filter((one) => one !== text)) {
          expect(candidate).toBe(candidate.trim());
          expect(candidate).not.toMatch(/\p{Cc}/u);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves alone what is clean already', () => {
    const clean = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\p{Cc}\p{Cf}]/gu, '').trim())
      .filter((text) => isPossible(text) && !text.startsWith(']') && !text.includes('://'));
    fc.assert(fc.property(clean, (code) => expect(codeCandidates(code)).toEqual([code])));
  });

  it('finds a code in whatever a scanner puts around it', () => {
    const code = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '').trim())
      .filter((text) => isPossible(text) && isPrintable(text));
    const around = fc.constantFrom('', ' ', '\r\n', '\x1d', '\t \x04', '\u00a0');
    const symbology = fc.constantFrom('', ']C1', ']Q3', ']d2', ']E0');
    fc.assert(
      fc.property(code, around, symbology, around, (text, before, prefix, after) => {
        expect(codeCandidates(before + prefix + before + text + after)).toContain(text);
      }),
    );
    fc.assert(
      fc.property(code, symbology, around, (text, prefix, after) => {
        const url = `https://x.example/p/${encodeURIComponent(text)}`;
        expect(codeCandidates(prefix + url + after)).toContain(text);
        expect(codeCandidates(`${url}/?q=/1#/2`)).toContain(text);
      }),
    );
  });

  it('takes the bits of a tag for what they are, also where they look like digits of GS1', () => {
    expect(codeCandidates('340000000780040000000015').at(-1)).toBe('(8004)00000012288121');
  });

  it('never drops a leading zero', () => {
    expect(codeCandidates('0004521')).toEqual(['0004521']);
    expect(codeCandidates(']C10004521\r')).toEqual([']C10004521\r', ']C10004521', '0004521']);
    expect(codeCandidates('https://x.example/0004521')).toEqual(['https://x.example/0004521', '0004521']);
  });

  it.each([
    ['', []],
    [' ', [' ']],
    ['\0A', ['A']],
    [']C1', [']C1']],
    ['https://x.example', ['https://x.example']],
    ['https://x.example/a%zz', ['https://x.example/a%zz']],
    ['https://x.example/%00A', ['https://x.example/%00A', 'A']],
    ['x.example/p/A', ['x.example/p/A']],
    ['x'.repeat(65), []],
    [`${' '.repeat(64)}A`, ['A']],
    ['😀'.repeat(64), ['😀'.repeat(64)]],
    ['\u200b', ['\u200b']],
    ['A\u200bB ', ['A\u200bB ', 'A\u200bB', 'AB']],
    ['\u200e]C1A', ['\u200e]C1A', ']C1A', 'A']],
    ['x://y/A%C2%AD', ['x://y/A%C2%AD', 'A\u00ad', 'A']],
    [`https://${'x'.repeat(100)}.example/A`, ['A']],
  ])('of %j tries %j', (text, candidates) => {
    expect(codeCandidates(text)).toEqual(candidates);
  });
});

describe('isPrintable', () => {
  it('refuses control characters, line and paragraph separators, and nothing else', () => {
    for (const text of ['\0', '\t', '\n', '\x1f', '\x7f', '\x80', '\x9f', '\u2028', '\u2029']) {
      expect(isPrintable(`a${text}b`)).toBe(false);
    }
    for (const text of ['', ' ', '/', '%', '"', 'é', 'e\u0301', '👩‍👩‍👧', '漢', '\u00a0'])
      expect(isPrintable(text)).toBe(true);
  });
});
