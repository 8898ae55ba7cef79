import fc from 'fast-check';
import { gunzipSync } from 'node:zlib';
import { GzipStream, joined, sharedText, shortText } from './gzip-stream.js';
import type { SharedText } from './gzip-stream.js';

/** What readers get who are told these one after the other. */
function told(pieces: readonly SharedText[]): Buffer {
  const stream = new GzipStream();
  return Buffer.concat([stream.head, ...pieces.map((piece) => stream.piece(piece)), stream.end()]);
}

const said = (pieces: readonly SharedText[]): string => pieces.map(({ plain }) => plain.toString()).join('');

describe('A stream in gzip of texts that many share', () => {
  const pieces = fc.array(
    fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 3000 }), isShared: fc.boolean() }),
    { maxLength: 20 },
  );

  it('says what they say, with the checksum and length of all', () =>
    fc.assert(
      fc.asyncProperty(pieces, async (some) => {
        const all: SharedText[] = [];
        for (const { text, isShared } of some)
          all.push(isShared ? await sharedText(Buffer.from(text)) : shortText(text));
        expect(gunzipSync(told(all)).toString()).toBe(said(all));
      }),
    ));

  it('says the same where some of it comes in one piece', () =>
    fc.assert(
      fc.asyncProperty(pieces, pieces, async (some, others) => {
        const all = await Promise.all([...some, ...others].map(({ text }) => sharedText(Buffer.from(text))));
        const [first, second] = [all.slice(0, some.length), all.slice(some.length)];
        expect(gunzipSync(told([joined(first), joined(second)])).toString()).toBe(said(all));
      }),
    ));

  it('takes long texts and many', async () => {
    const long = await sharedText(Buffer.from('é'.repeat(200_000)));
    const many = Array.from({ length: 300 }, (_, n) => (n % 3 ? shortText(`:${n}\n\n`) : long));
    const packed = told(many);
    expect(gunzipSync(packed).toString()).toBe(said(many));
    expect(packed.length).toBeLessThan(long.plain.length); // of 200
  });

  it('takes short ones of up to 64 KiB', () => {
    const text = shortText('x'.repeat(65_535));
    expect(gunzipSync(told([text, text])).toString()).toBe(said([text, text]));
  });
});
