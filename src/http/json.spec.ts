import fc from 'fast-check';
import { MAX_VALUES, readJson, textOf } from './json.js';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
/** Values whose keys and texts are full of what could lead a reader astray. */
const nasty = fc.oneof(
  fc.string(),
  fc.constantFrom('"', '\\', '\\"', '{', '}', '[', ']', ',', ':', '{"a":1}', '__proto__'),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'medium' }, nasty, fc.double(), fc.boolean(), fc.constant(null), tie('list'), tie('object')),
  list: fc.array(tie('value'), { maxLength: 5 }),
  object: fc.dictionary(nasty, tie('value'), { maxKeys: 5, noNullPrototype: false }),
})).value; // prettier-ignore

const read = (text: string, maxDepth: number) => readJson(textOf(Buffer.from(text)), maxDepth);

describe('readJson', () => {
  it('finds no repetition where there is none, and the right depth', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const meant: unknown = JSON.parse(text);
        const depth = depthOf(meant);
        expect(read(text, depth)).toEqual({ excess: null, value: meant, repeated: [] });
        if (depth > 0) expect(read(text, depth - 1).excess).toBe('depth');
      }),
      { numRuns: 1000 },
    );
  });

  it('finds a field that is planted a second time, wherever it is', () => {
    fc.assert(
      fc.property(nasty, json, json, json, fc.nat(3), (key, first, between, second, depth) => {
        const name = JSON.stringify(key);
        const other = JSON.stringify(`${key}?`);
        const [one, two, three] = [first, between, second].map((value) => JSON.stringify(value));
        const object = `{${name}:${one},${other} : ${two} , ${name} :${three}}`;
        const text = `[[],{"x":${object}},`.repeat(depth) + object + ']'.repeat(depth);
        expect(read(text, 1000).repeated).toEqual(Array.from({ length: depth + 1 }, () => key));
      }),
    );
  });

  it('compares names as they are meant, not as they are written', () => {
    expect(read('{"name":1,"n\\u0061me":2}', 1000).repeated).toEqual(['name']);
    expect(read('{"\\/":1,"/":2}', 1000).repeated).toEqual(['/']);
    expect(read('{"__proto__":1,"__proto__":2}', 1000).repeated).toEqual(['__proto__']);
    expect(read('{"a":1,"A":2,"a ":3,"\u00e9":4,"e\u0301":5}', 1000).repeated).toEqual([]);
  });

  it('names a field once for every repetition', () => {
    expect(read('{"a":1,"a":2,"a":3}', 1000).repeated).toEqual(['a', 'a']);
  });

  it('does not mix objects beside or within each other', () => {
    expect(read('[{"a":1},{"a":1}]', 1000).repeated).toEqual([]);
    expect(read('{"a":{"a":{"a":["a","a",{"a":"a"}]}}}', 1000).repeated).toEqual([]);
    expect(read('{"a":[{}],"b":{},"a":0}', 1000).repeated).toEqual(['a']);
  });

  it.each([
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['{}', 1],
    ['[{}]', 2],
    ['[[],[[]]]', 3],
    ['{"a":{"b":[1,{"c":{}}]},"d":{}}', 5],
  ])('%s is %i deep', (text, depth) => {
    expect(read(text, depth).excess).toBeNull();
    if (depth > 0) expect(read(text, depth - 1).excess).toBe('depth');
  });

  it('stops at the first level too deep', () => {
    const repeated = '{"a":1,"a":2}';
    const within = (levels: number) => `${'['.repeat(levels)}${repeated}${']'.repeat(levels)}`;
    expect(read(within(31), 32)).toMatchObject({ excess: null, repeated: ['a'] });
    // What comes after it is not read: a repetition there is not found, nor what is no JSON.
    for (const rest of [repeated, '!'])
      expect(read(`${'['.repeat(33)}${']'.repeat(33)}${rest}`, 32)).toEqual({
        excess: 'depth',
        repeated: [],
      });
    expect(read('{'.repeat(1_000_000), 32)).toEqual({ excess: 'depth', repeated: [] });
  });

  it('stops at one value too many, of whatever kind', () => {
    for (const empty of ['[]', '{}']) {
      const many = (count: number) => `[${Array<string>(count).fill(empty).join()}]`;
      expect(read(many(MAX_VALUES / 2 - 1), 32).excess).toBeNull();
      expect(read(many(MAX_VALUES / 2), 32).excess).toBe('values');
    }
    for (const one of ['1', '"a":1', '""', 'null'])
      expect(read(`[${`${one},`.repeat(MAX_VALUES)}`, 32)).toEqual({ excess: 'values', repeated: [] });
  });

  it('compares names with escapes up to a length of them all, and else says that there is something', () => {
    const names = (count: number) => Array.from({ length: count }, (_, n) => `"${'\\n'.repeat(100)}${n}":1`);
    const twice = '"\\u0061":1,"a":2';
    expect(read(`{${[...names(300), twice].join()}}`, 32).repeated).toEqual(['a']);
    expect(read(`{${[...names(400), twice].join()}}`, 32).repeated).toEqual(['body']);
    expect(read(`{${[twice, ...names(400)].join()}}`, 32).repeated).toEqual(['a']);
    expect(read(`{${names(400).join()}}`, 32).repeated).toEqual([]);
  });

  it('reads UTF-8 as it is, but for a byte order mark', () => {
    const texts = fc.string({ unit: 'binary' });
    fc.assert(fc.property(texts, (text) => expect(textOf(Buffer.from(`${text}.`))).toBe(`${text}.`.replace(/^\uFEFF/, ''))));
    expect(textOf(Buffer.from('\uFEFF{}'))).toBe('{}');
  }); // prettier-ignore

  it('throws on what is no JSON, and nothing else', () => {
    const broken = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '\\u12', '"a"')).map((all) => all.join(''));
    const attempt = (text: string): unknown => {
      try {
        return read(text, 32);
      } catch (error) {
        return error;
      }
    };
    const isJson = (text: string): boolean => {
      try {
        return JSON.parse(text) !== undefined;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(fc.oneof(broken, fc.string()), (text) => {
        const told = attempt(text);
        if (told instanceof Error) expect([told.name, isJson(text)]).toEqual(['SyntaxError', false]);
        else expect(told).toHaveProperty('excess');
      }),
    );
  }); // prettier-ignore
});
