/* eslint-disable @typescript-eslint/no-explicit-any -- the document is walked as plain JSON */
import fc from 'fast-check';
import type { Arbitrary } from 'fast-check';

/** Who asks: nobody sends no token, a stranger one that is not there. */
export const CALLERS = ['nobody', 'stranger', 'viewer', 'operator', 'manager', 'admin'] as const;
export type Caller = (typeof CALLERS)[number];

export interface FuzzOperation {
  id: string;
  method: string;
  template: string;
  parameters: any[];
  /** Schema of the body, its reference followed; undefined where the operation takes none. */
  body?: any;
  definition: any;
}

export interface FuzzRequest {
  operation: FuzzOperation;
  caller: Caller;
  /** The parameters in the path, percent-encoded. */
  inPath: string[];
  query: string;
  /** A line each: a name may come again. */
  headers: Entry[];
  body: Body;
}

interface Body {
  text: string;
  type: string;
  /** Whether a field stands twice in it, which JSON.parse does not tell. */
  repeats: boolean;
}

interface Field {
  name: string;
  required: boolean;
  value: Arbitrary<string>;
  odd: Arbitrary<string>;
}

/** A field or parameter with its value as it is sent: JSON, percent-encoded, or as it is. */
type Entry = [name: string, value: string];

/** Values of the test's world by the name of the field, and entity tags by the path, so that requests hit rows. */
export type KnownValues = Record<string, unknown[]>;

export const pathOf = ({ operation, inPath }: Pick<FuzzRequest, 'operation' | 'inPath'>): string =>
  filled(operation.template, inPath);

/** The path of a template with its parameters, in their order. */
export const filled = (template: string, values: string[]): string => {
  const rest = [...values];
  return template.replace(/\{\w+\}/g, () => rest.shift()!);
};

export const targetOf = (request: FuzzRequest): string =>
  pathOf(request) + (request.query && `?${request.query}`);

export const linesOf = ({ headers }: FuzzRequest, header: string): string[] =>
  headers.filter(([name]) => name === header).map(([, value]) => value);

export function operationsOf(document: any): FuzzOperation[] {
  return Object.entries<any>(document.paths).flatMap(([template, item]) =>
    Object.entries<any>(item).map(([method, definition]) => {
      const reference = definition.requestBody?.content['application/json']?.schema.$ref as
        string | undefined;
      return {
        id: definition.operationId as string,
        method: method.toUpperCase(),
        template,
        parameters: definition.parameters ?? [],
        body: reference && document.components.schemas[reference.split('/').at(-1) as string],
        definition: { ...definition, responses: resolved(document, definition.responses) },
      };
    }),
  );
}

/** The problems stand once, among the components. */
function resolved(document: any, responses: object): object {
  const shared = (reference: string) => document.components.responses[reference.split('/').at(-1) as string];
  return Object.fromEntries(
    Object.entries<any>(responses).map(([status, { $ref, ...own }]) => [status, $ref ? shared($ref) : own]),
  );
}

const HOSTILE = [
  ...[
    '',
    ' ',
    '\t\n',
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '\ufeff',
    '\u200b',
    '\u2028',
    '\u0085',
    '\u001b[2J',
  ],
  ...[
    '👩‍👩‍👧‍👦🇫🇷',
    '\u202eעברית',
    'e\u0301',
    'ﬁ',
    'ß',
    'İ',
    '＠',
    '¨',
    "' OR 1=1 --",
    '"; DROP TABLE users; --',
    '$1',
    '%',
    '_%\\',
  ],
  ...['__proto__', 'constructor', 'toString', 'null', 'NaN', 'true', '0', '-1', '1e3', '0x10', '1_000', '٣'],
  ...[
    '{{7*7}}',
    '${7*7}',
    '../../etc/passwd',
    '<script>',
    ']C1000123',
    'http://x.example/%E0%A4%A',
    'a@b',
    '@',
    'é@exämple.fr',
  ],
  ...[
    '2026-02-30',
    '0000-01-01',
    '10000-01-01',
    '2026-01-01T00:00:00',
    '2026-01-01T24:00:00Z',
    '2026-13-01T00:00:00Z',
  ],
];
const SIZES = [8, 60, 64, 100, 255, 256, 2048, 2049, 5001, 20_000];

const hostileText = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.string({ unit: 'binary' }),
  fc
    .tuple(fc.constantFrom('x', 'é', '😀', ' ', '%'), fc.constantFrom(...SIZES))
    .map(([one, size]) => one.repeat(size)),
);
const ODD_NUMBERS = [
  '1e400',
  '-1e400',
  '-0',
  '0',
  '-1',
  '1.5',
  '1.0',
  '1e2',
  '0.005',
  '1e-7',
  '2147483648',
  '9007199254740993',
  '10000000000',
];
const oddJson = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    'false',
    '[]',
    '{}',
    '[null]',
    '{"__proto__":{"x":1}}',
    '["operator","operator"]',
    ...ODD_NUMBERS,
  ),
  hostileText.map((text) => JSON.stringify(text)),
  fc.json({ maxDepth: 2 }),
);
const oddBody = fc.constantFrom(
  ...[
    '{',
    'null',
    '[]',
    '[{}]',
    '"x"',
    '5',
    '{}',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '\ufeff{}',
    '\0',
    'x=1',
  ],
  ...[
    '['.repeat(40) + ']'.repeat(40),
    '{"a":'.repeat(33) + '1' + '}'.repeat(33),
    `"${'x'.repeat(1_100_000)}"`,
  ],
);
/** Not too long, since Node refuses more than 16 KiB of address and headers by itself. */
const encode = (text: string): string => encodeURIComponent([...text.toWellFormed()].slice(0, 300).join(''));
const oddQueryValue = fc.oneof(
  hostileText.map(encode),
  fc.constantFrom(
    ...ODD_NUMBERS.map(encode),
    '01',
    '%00',
    '%ff',
    '%ED%A0%80',
    '%',
    '%zz',
    'a=b',
    '[]',
    '1,2',
    '+1',
    '2147483647',
  ),
);
const oddPath = fc.oneof(
  hostileText.map((text) => encode(text) || '0'),
  fc.constantFrom(
    ...[
      '0',
      '-1',
      '+1',
      '007',
      '1.0',
      '1e0',
      '0x1',
      '2147483647',
      '2147483648',
      '99999999999',
      '%00',
      '%2F',
      '%ff',
      '%zz',
      'x',
    ],
  ),
);
const unknownName = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'id',
  'deleted_at',
  'ID',
  'nope',
  '',
  'errors',
  'name[]',
);

const within = (min: number, max: number): Arbitrary<string> =>
  fc
    .oneof(
      { weight: 6, arbitrary: fc.integer({ min, max: Math.min(max, min + 5) }) },
      { weight: 1, arbitrary: fc.constantFrom(min, max) },
      { weight: 1, arbitrary: fc.integer({ min, max }) },
    )
    .map(String);

const day = fc.oneof(
  fc.constantFrom('0001-01-01', '9999-12-31', '2024-02-29'),
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10)),
);
const TIMES = ['00:00:00Z', '23:59:59.123456789z', '23:59:59-23:59', '00:00:00+23:59', '12:30:00.5+14:00'];
const instant = fc
  .tuple(day, fc.constantFrom('T', 't'), fc.constantFrom(...TIMES))
  .map((parts) => parts.join(''));
const ODD_TIMES = [
  ...['T08:30Z', 'T08:30:00', 't08:30:00z', 'T08:30:00z ', ' 08:30:00Z', 'T08:30:00Zulu', 'T08:30:00 02'],
  ...['T24:00:00Z', 'T23:60:00Z', 'T23:59:60Z', 'T08:30:00.Z', 'T08:30:00,5Z', 'T08:30:00.1234567890Z'],
  ...['T08:30:00+24:00', 'T08:30:00-24:00', 'T08:30:00+02:60', 'T08:30:00+0200', 'T08:30:00+02'],
];
const oddMoment = fc.constantFrom(
  ...ODD_TIMES.map((time) => `2026-10-15${time}`),
  ...['2026-02-30', '0000-01-01', '2026-1-1', '10000-01-01'].flatMap((odd) => [odd, `${odd}T00:00:00Z`]),
  '',
);
const isMoment = (schema: any): boolean => Boolean(schema.pattern?.includes('[Tt]'));

/** What a schema of the document allows, mostly; the oracle decides. Numbers and booleans as their JSON, texts bare. */
function allowed(schema: any, values: unknown[]): Arbitrary<string> {
  const known = values.length > 0 ? [{ weight: 4, arbitrary: fc.constantFrom(...values.map(String)) }] : [];
  return fc.oneof(...known, { weight: 4, arbitrary: bySchema(schema) });
}

function bySchema(schema: any): Arbitrary<string> {
  if (schema.enum) return fc.constantFrom(...(schema.enum as string[]));
  if (schema.format === 'date') return day;
  if (schema.format === 'date-time') return instant;
  if (isMoment(schema)) return fc.oneof(day, instant);
  if (schema.format === 'email') return fc.nat(9999).map((number) => `person${number}@fuzz.example`);
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return fc.constantFrom('true', 'false');
    case 'integer':
      return within(schema.minimum, schema.maximum);
    case 'number': {
      const { minimum = 0, maximum = 9_999_999_999.99 } = schema as Record<string, number>;
      const cents = fc.integer({ min: Math.ceil(minimum * 100), max: Math.floor(maximum * 100) });
      return cents.map((hundredths) => (hundredths / 100).toFixed(2));
    }
  }
  const { minLength = 0, maxLength = 64 } = schema as { minLength?: number; maxLength?: number };
  return fc.oneof(
    { weight: 4, arbitrary: fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 20) }) },
    { weight: 1, arbitrary: fc.constantFrom('x', '😀').map((one) => one.repeat(maxLength)) },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', minLength, maxLength: minLength + 10 }) },
    { weight: 1, arbitrary: fc.nat(99_999).map((number) => ` Fuzz ${number} ${'z'.repeat(minLength)} `) },
  );
}

/** As JSON. The examples of the document count as known values. */
function allowedJson(schema: any, values: unknown[]): Arbitrary<string> {
  const types = [schema.type].flat();
  const known = [...values, schema.example, schema.default].filter((value) => value !== undefined);
  if (types[0] === 'array' && schema.items.$ref)
    return fc.constantFrom(...known).map((list) => JSON.stringify(list));
  if (types[0] === 'array') {
    const lists = fc.uniqueArray(bySchema(schema.items), { maxLength: 3 });
    return fc.oneof(fc.constantFrom(...known), lists).map((list) => JSON.stringify(list));
  }
  const texts = known.filter((value) => value !== null);
  const json = allowed(schema, texts).map((text) => (isText(schema) ? JSON.stringify(text) : text));
  return types.includes('null') ? fc.oneof({ weight: 5, arbitrary: json }, fc.constant('null')) : json;
}

const isText = (schema: any): boolean => [schema.type].flat()[0] === 'string';

/** Just outside of what a schema allows, bare. */
function beyond(schema: any): Arbitrary<string> {
  const { minimum, maximum, minLength = 0, maxLength = 64 } = schema as Record<string, number>;
  if (schema.enum) return fc.constantFrom('nope', '', String(schema.enum[0]).toUpperCase());
  if (schema.format === 'date' || isMoment(schema)) return oddMoment;
  switch ([schema.type].flat()[0]) {
    case 'boolean':
      return fc.constantFrom('2', '"true"', 'null');
    case 'integer':
      return fc.constantFrom(Number(minimum) - 1, Number(maximum) + 1, Number(minimum) + 0.5).map(String);
    case 'number':
      return fc.constantFrom('-0.01', '0.005', '10000000000');
  }
  const texts = [' ', '\n', 'a\u0007b', 'a\u2028b', 'a\0b', '\ud800', 'a b@c', '@'];
  const long = ['x', '😀', '٣'].map((one) => one.repeat(maxLength + 1));
  return fc.constantFrom('x'.repeat(Math.max(0, minLength - 1)), ...texts, ...long);
}

/** Every required field, and an optional one as often as `share` says of 10. */
function entries(fields: Field[], share: number): Arbitrary<Entry[]> {
  const each = fields.map(({ name, required, value }) => {
    const entry = value.map((text): Entry => [name, text]);
    const absent = { weight: required ? 0 : 10 - share, arbitrary: fc.constant(null) };
    return fc.oneof(absent, { weight: required ? 10 : share, arbitrary: entry });
  });
  return fc.tuple(...each).map((all) => all.filter((entry) => entry !== null));
}

/** One thing is wrong or odd: a value, an absent, unknown or repeated field. */
function spoilt(good: Arbitrary<Entry[]>, fields: Field[], odd: Arbitrary<string>): Arbitrary<Entry[]> {
  const kinds = fc.constantFrom('odd', 'odd', 'odd', 'odd', 'absent', 'unknown', 'repeated');
  const named = fields.map((field) =>
    fc.oneof({ weight: 3, arbitrary: field.odd }, odd).map((value): Entry => [field.name, value]),
  );
  const nameless = fc.tuple(unknownName, odd);
  const spoiler = named.length > 0 ? fc.oneof(...named) : nameless;
  return fc.tuple(good, kinds, spoiler, unknownName).map(([all, kind, [one, value], unknown]) => {
    const others = all.filter(([other]) => other !== one);
    switch (kind) {
      case 'odd':
        return [...others, [one, value]];
      case 'absent':
        return others;
      case 'unknown':
        return [...all, [unknown, value]];
      default:
        return [...all, [one, value], [one, value]];
    }
  });
}

/** Many clients forget to encode a plus sign, which then stands for a space. */
const encoded = (texts: Arbitrary<string>): Arbitrary<string> =>
  fc
    .tuple(texts.map(encode), fc.boolean())
    .map(([text, forgets]) => (forgets ? text.replaceAll('%2B', '+') : text));

function queries(parameters: any[], known: KnownValues): Arbitrary<string> {
  const fields = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema }) => ({
      name,
      required,
      value: encoded(allowed(schema, known[name] ?? [])),
      odd: encoded(beyond(schema)),
    }));
  const good = entries(fields, 2);
  const bad = spoilt(good, fields, oddQueryValue);
  const all =
    fields.length > 0
      ? fc.oneof({ weight: 3, arbitrary: good }, bad)
      : fc.oneof({ weight: 9, arbitrary: good }, bad);
  return all.map((list) => list.map(([name, value]) => `${encode(name)}=${value}`).join('&'));
}

/** Of a file that is told by the whole body, or that comes in a form. */
const FILES = [
  { type: 'text/csv', text: 'name\nFuzz 1\n' },
  { type: 'text/csv', text: 'name;nope\n"' },
  ...['%PDF-1.4\n', 'name,name\n1,2\n', 'GIF89a'].map((content) => ({
    type: 'multipart/form-data; boundary=b',
    text: `--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n${content}\r\n--b--\r\n`,
  })),
];

function bodies({ body, method, definition }: FuzzOperation, known: KnownValues): Arbitrary<Body> {
  const type = 'application/json';
  const none = fc.constant({ text: '', type, repeats: false });
  if (method === 'GET') return none;
  if (definition.requestBody && !body)
    return fc.oneof(
      none,
      fc.constantFrom(...FILES).map((file) => ({ ...file, repeats: false })),
    );
  const properties = Object.entries<any>(body?.properties ?? {});
  const fields = properties.map(([name, schema]) => ({
    name,
    required: body.required?.includes(name) ?? false,
    value: allowedJson(schema, known[name] ?? []),
    odd: beyond(schema).map((text) =>
      schema.type === 'array' || isText(schema) ? JSON.stringify(text) : text,
    ),
  }));
  const good = entries(fields, 5);
  const toBody = (list: Entry[]): Body => ({
    text: `{${list.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join()}}`,
    type,
    repeats: new Set(list.map(([name]) => name)).size < list.length,
  });
  const types = fc.constantFrom(
    type,
    type,
    'application/json; charset=utf-8',
    'text/plain',
    'application/json; charset=latin1',
    '',
  );
  const odd = fc.tuple(oddBody, types).map(([text, ofType]) => ({ text, type: ofType, repeats: false }));
  const bad = spoilt(good, fields, oddJson);
  return body
    ? fc.oneof(
        { weight: 12, arbitrary: good.map(toBody) },
        { weight: 10, arbitrary: bad.map(toBody) },
        none,
        odd,
      )
    : fc.oneof({ weight: 8, arbitrary: none }, bad.map(toBody), odd);
}

const ODD_HEADERS = [
  ...', " "" W/"" * ** "*" a "a a" "a"b" w/"a" a,b \\ "\\" "\\a" "\\"" é "é" \x80 __proto__'.split(' '),
  ...['', '*, *', '"a", b', '"a" "b"', 'a b', '"a b"', '"a\tb"', ' "a"\t', '\xa0', '\xa0*', '"a"\xa0'],
  ...[255, 256, 257, 512, 2000].flatMap((size) => ['x'.repeat(size), `"${'x'.repeat(size)}"`]),
  ...[255, 256].map((size) => `"${'\\"'.repeat(size)}"`),
  `"a"${', '.repeat(40)}b`,
];
/** Control characters are refused by Node itself. */
const latin1 = fc.integer({ min: 0x20, max: 0xff }).filter((code) => code !== 0x7f);
const oddHeader = fc.oneof(
  fc.constantFrom(...ODD_HEADERS),
  fc.string({ unit: latin1.map((code) => String.fromCharCode(code)) }),
);

/** Of every header that an operation may have; where it is not declared, it means nothing. */
const HEADERS = ['Idempotency-Key', 'If-Match', 'If-None-Match'];

/** `tags` are those that were seen at the address of the request. */
function headers({ parameters, method }: FuzzOperation, tags: string[]): Arbitrary<Entry[]> {
  const fields = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, required, schema }) => {
      const kinds = name === 'Idempotency-Key' ? [fc.uuid(), repeatedKey] : entityTags(tags);
      const byPattern = schema.pattern ? [fc.stringMatching(new RegExp(schema.pattern, 'u'))] : [];
      return { name, required, value: fc.oneof(...kinds, ...byPattern), odd: oddHeader };
    });
  // Any GET answers `If-None-Match: *` with 304, as HTTP has it.
  const names = HEADERS.filter((name) => method !== 'GET' || name !== 'If-None-Match' || fields.length > 0);
  const good = entries(fields, 4);
  const name = fc.constantFrom(...fields.flatMap((field) => Array<string>(6).fill(field.name)), ...names);
  const odd = fc.array(fc.tuple(name, oddHeader), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    { weight: 3, arbitrary: good },
    fc.tuple(good, odd).map(([some, more]) => [...some, ...more]),
  );
}

/** With and without quotes it is the same key. */
const repeatedKey = fc.constantFrom('again-1', '"again-1"', 'again-2', '"again 3"');

function entityTags(seen: string[]): Arbitrary<string>[] {
  const tag = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...seen, '"x"') },
    fc.constantFrom(...seen.map((strong) => `W/${strong}`), '""', '"a,b"', '"é"'),
  );
  const lists = fc.array(tag, { minLength: 2, maxLength: 4 }).map((list) => list.join(', '));
  return [tag, lists, fc.constant('*')];
}

/** As `paths of` an operation, `known` has the parameters which lead to something that it can be done to. */
function paths(operation: FuzzOperation, known: KnownValues): Arbitrary<string[]> {
  const parameters = operation.parameters.filter((one) => one.in === 'path');
  const any = fc.tuple(...parameters.map((parameter) => inPath(parameter, operation, known)));
  const good = (known[`paths of ${operation.id}`] ?? []) as unknown[][];
  return good.length > 0 ? fc.oneof(any, fc.constantFrom(...good.map((path) => path.map(String)))) : any;
}

function inPath(parameter: any, { id }: FuzzOperation, known: KnownValues): Arbitrary<string> {
  // The first rows of the world stay, so that requests go on hitting something: tokens are restored, and what
  // may be refused with 409 is in use there.
  const isLast = id === 'deletePurchase' || id === 'closeInventory';
  const row = isText(parameter.schema)
    ? fc.constantFrom(...(known[parameter.name] ?? ['x'])).map((text) => encode(String(text)))
    : isLast
      ? within(6, 200)
      : within(1, 200);
  return fc.oneof({ weight: 5, arbitrary: row }, oddPath);
}

/** Requests to every operation, as often to each; none needs another one to have come before. */
export function requests(operations: FuzzOperation[], known: KnownValues): Arbitrary<FuzzRequest> {
  const caller = fc.oneof(
    { weight: 5, arbitrary: fc.constant<Caller>('admin') },
    fc.constantFrom(...CALLERS),
  );
  return fc.oneof(
    ...operations.map((operation) =>
      fc
        .record({
          operation: fc.constant(operation),
          caller,
          inPath: paths(operation, known),
          query: queries(operation.parameters, known),
          body: bodies(operation, known),
        })
        .chain((request) =>
          headers(operation, (known[pathOf(request)] ?? []) as string[]).map((lines): FuzzRequest => ({
            ...request,
            headers: lines,
          })),
        ),
    ),
  );
}
