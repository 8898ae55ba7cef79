import fc from 'fast-check';
import { gunzipSync } from 'node:zlib';
import { GzipStream, sharedText } from './gzip-stream.js';
import type { SharedText } from './gzip-stream.js';

/** What readers get who are told these one after the other. */
function told(pieces: readonly (string | SharedText)[]): Buffer {
  const stream = new GzipStream();
  const parts: Buffer[] = [stream.head];
  for (const piece of pieces)
    parts.push(typeof piece === 'string' ? stream.short(piece) : stream.shared(piece));
  return Buffer.concat([...parts, stream.end()]);
}

const said = (pieces: readonly (string | SharedText)[]): string =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.plain.toString())).join('');

describe('A stream in gzip of texts that many share', () => {
  const pieces = fc.array(
    fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 3000 }), isShared: fc.boolean() }),
    { maxLength: 20 },
  );

  it('says what they say, with the checksum and length of all', () =>
    fc.assert(
      fc.asyncProperty(pieces, async (some) => {
        const all: (string | SharedText)[] = [];
        for (const { text, isShared } of some)
          all.push(isShared ? await sharedText(Buffer.from(text)) : text);
        expect(gunzipSync(told(all)).toString()).toBe(said(all));
      }),
    ));

  it('takes long texts and many', async () => {
    const long = await sharedText(Buffer.from('é'.repeat(200_000)));
    const many = Array.from({ length: 300 }, (_, n) => (n % 3 ? `:${n}\n\n` : long));
    const packed = told(many);
    expect(gunzipSync(packed).toString()).toBe(said(many));
    expect(packed.length).toBeLessThan(long.plain.length); // of 200
  });

  it('takes short ones of up to 64 KiB', () => {
    const text = 'x'.repeat(65_535);
    expect(gunzipSync(told([text, text])).toString()).toBe(text + text);
  });
});
