import fc from 'fast-check';
import { MAX_VALUES, inspectJson } from './json.js';

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

const inspect = (text: string, maxDepth: number) => inspectJson(Buffer.from(text), maxDepth);

describe('inspectJson', () => {
  it('finds no repetition where there is none, and the right depth', () => {
    fc.assert(
      fc.property(json, fc.constantFrom(undefined, 1, '\t'), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const depth = depthOf(JSON.parse(text));
        expect(inspect(text, depth)).toEqual({ excess: null, repeated: [] });
        if (depth > 0) expect(inspect(text, depth - 1).excess).toBe('depth');
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
        expect(inspect(text, 1000).repeated).toEqual(Array.from({ length: depth + 1 }, () => key));
      }),
    );
  });

  it('compares names as they are meant, not as they are written', () => {
    expect(inspect('{"name":1,"n\\u0061me":2}', 1000).repeated).toEqual(['name']);
    expect(inspect('{"\\/":1,"/":2}', 1000).repeated).toEqual(['/']);
    expect(inspect('{"__proto__":1,"__proto__":2}', 1000).repeated).toEqual(['__proto__']);
    expect(inspect('{"a":1,"A":2,"a ":3,"\u00e9":4,"e\u0301":5}', 1000).repeated).toEqual([]);
  });

  it('names a field once for every repetition', () => {
    expect(inspect('{"a":1,"a":2,"a":3}', 1000).repeated).toEqual(['a', 'a']);
  });

  it('does not mix objects beside or within each other', () => {
    expect(inspect('[{"a":1},{"a":1}]', 1000).repeated).toEqual([]);
    expect(inspect('{"a":{"a":{"a":["a","a",{"a":"a"}]}}}', 1000).repeated).toEqual([]);
    expect(inspect('{"a":[{}],"b":{},"a":0}', 1000).repeated).toEqual(['a']);
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
    expect(inspect(text, depth).excess).toBeNull();
    if (depth > 0) expect(inspect(text, depth - 1).excess).toBe('depth');
  });

  it('stops at the first level too deep', () => {
    const repeated = '{"a":1,"a":2}';
    expect(inspect('['.repeat(31) + repeated, 32)).toEqual({ excess: null, repeated: ['a'] });
    // What comes after it is not read: a repetition there is not found.
    expect(inspect(`${'['.repeat(33)}${']'.repeat(33)}${repeated}`, 32)).toEqual({
      excess: 'depth',
      repeated: [],
    });
    expect(inspect('{'.repeat(1_000_000), 32)).toEqual({ excess: 'depth', repeated: [] });
  });

  it('stops at one value too many, of whatever kind', () => {
    for (const empty of ['[]', '{}']) {
      const many = (count: number) => `[${Array<string>(count).fill(empty).join()}]`;
      expect(inspect(many(MAX_VALUES / 2 - 1), 32).excess).toBeNull();
      expect(inspect(many(MAX_VALUES / 2), 32).excess).toBe('values');
    }
    for (const one of ['1', '"a":1', '""', 'null'])
      expect(inspect(`[${`${one},`.repeat(MAX_VALUES)}`, 32)).toEqual({ excess: 'values', repeated: [] });
  });

  it('never throws on what is no JSON', () => {
    const broken = fc.array(fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', '\\u12', '"a"')).map((all) => all.join(''));
    fc.assert(fc.property(fc.oneof(broken, fc.string()), (text) => expect(inspect(text, 32)).toHaveProperty('excess')));
  }); // prettier-ignore
});
