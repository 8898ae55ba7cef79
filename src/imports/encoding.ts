import iconv from 'iconv-lite';

export const ENCODINGS = ['auto', 'utf-8', 'utf-16', 'windows-1252'] as const;
type Asked = (typeof ENCODINGS)[number];
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';

/** Bytes that can be read again from the start. */
export type Source = () => AsyncIterable<Buffer>;

const MARKS: [Encoding, Buffer][] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/**
 * How a text is written that begins with `head`: as its mark says; else it is UTF-8 where all of it can be, or most of its
 * letters, or Windows-1252.
 */
export async function encodingOf(source: Source, head: Buffer, asked: Asked = 'auto'): Promise<Encoding> {
  const marked = MARKS.find(([, mark]) => head.subarray(0, mark.length).equals(mark))?.[0];
  if (asked === 'utf-16') return marked?.startsWith('utf-16') ? marked : (unmarkedUtf16(head) ?? 'utf-16le');
  if (asked !== 'auto') return asked;
  return (
    marked ??
    unmarkedUtf16(head) ??
    ((await isUtf8(source)) || (await isMostlyUtf8(source)) ? 'utf-8' : 'windows-1252')
  );
}

/** Of the letters of a header, one of two bytes is a NUL. */
function unmarkedUtf16(head: Buffer): Encoding | undefined {
  const start = head.toString('latin1', 0, 4);
  if (/^([^\0]\0){2}/.test(start)) return 'utf-16le';
  return /^(\0[^\0]){2}/.test(start) ? 'utf-16be' : undefined;
}

async function isUtf8(source: Source): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const chunk of source()) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return false;
    throw error;
  }
}

/**
 * Where some program has cut a letter in two, its line is told of. In Windows-1252 all the others would be two or three
 * letters each, and nobody would be told.
 */
async function isMostlyUtf8(source: Source): Promise<boolean> {
  const decoder = new TextDecoder('utf-8');
  let [whole, broken] = [0, 0];
  for await (const chunk of source()) {
    const text = decoder.decode(chunk, { stream: true });
    whole += text.match(/[\u0080-\uFFFC]/g)?.length ?? 0;
    broken += text.match(/\uFFFD/g)?.length ?? 0;
  }
  return whole > broken;
}

/** What stands for a byte that an encoding does not have; and what no UTF-8 has, so that its line is told of. */
const NONE = Buffer.from('\uFFFD');
const NO_UTF8 = 0xff;

/** The text in UTF-8, without its mark. */
export async function* inUtf8(source: Source, encoding: Encoding): AsyncGenerator<Buffer> {
  const mark = MARKS.find(([marked]) => marked === encoding)?.[1] ?? Buffer.alloc(0);
  const chunks = withoutMark(source(), mark);
  if (encoding === 'utf-8') {
    yield* chunks;
    return;
  }
  const decoder = iconv.getDecoder(encoding);
  let half = '';
  for await (const chunk of chunks) {
    const text = half + decoder.write(chunk);
    half = /[\uD800-\uDBFF]$/.exec(text)?.[0] ?? '';
    const bytes = Buffer.from(half ? text.slice(0, -1) : text);
    yield encoding === 'windows-1252' ? withGaps(bytes) : bytes;
  }
  yield Buffer.from(half + (decoder.end() ?? ''));
}

function withGaps(bytes: Buffer): Buffer {
  for (let at = bytes.indexOf(NONE); at >= 0; at = bytes.indexOf(NONE, at))
    bytes.fill(NO_UTF8, at, at + NONE.length);
  return bytes;
}

async function* withoutMark(chunks: AsyncIterable<Buffer>, mark: Buffer): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < mark.length) continue;
    yield head.subarray(head.subarray(0, mark.length).equals(mark) ? mark.length : 0);
    head = undefined;
  }
  if (head) yield head;
}
