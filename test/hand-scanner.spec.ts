// By a path that is no literal: the pages have types of their own, see web/tsconfig.json.
const path = '../web/src/scanning/hand-scanner.js';
const { Typing } = (await import(path)) as { Typing: new () => Typing };

interface Typing {
  text: string;
  isScanner: boolean;
  key: (key: string, at: number) => void;
  clear: () => void;
}

/** A line whose keys come after these pauses. */
function typed(text: string, pauses: number[]): Typing {
  const typing = new Typing();
  let at = 5000;
  for (const [nth, key] of [...text].entries()) typing.key(key, (at += pauses[nth] ?? pauses.at(-1)!));
  return typing;
}

describe('What a hand scanner types', () => {
  it('comes faster than anybody types', () => {
    expect(typed('INV0000014', [0, 8])).toMatchObject({ isScanner: true, text: 'INV0000014' });
    expect(typed('INV0000014', [0, 110]).isScanner).toBe(false);
  });

  it('is whole where a busy phone lets a few keys wait', () => {
    expect(typed('INV0000014', [0, 5, 400, 5, 5, 300, 5])).toMatchObject({
      isScanner: true,
      text: 'INV0000014',
    });
  });

  it('begins anew after a pause, and is no single key', () => {
    expect(typed('xINV0000014', [0, 1500, 5]).text).toBe('INV0000014');
    expect(typed('1', [0]).isScanner).toBe(false);
    expect(typed('T1', [0, 5]).isScanner).toBe(true);
  });

  it('is not taken for slow since the code before it was a while ago', () => {
    const typing = typed('T1', [0, 5]);
    typing.clear();
    typing.key('T', 5200);
    typing.key('2', 5205);
    expect(typing).toMatchObject({ isScanner: true, text: 'T2' });
  });
});
