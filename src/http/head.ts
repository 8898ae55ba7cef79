import { DomainError } from '../common/errors.js';
import type { AppRequest } from './request.js';

/** Of an address, and of all headers. */
const MAX_LENGTH = 16_384;

/** What Node reads of a head: enough that an address or headers that are too long can be answered like any request. */
export const MAX_HEAD = 2 * MAX_LENGTH;

/**
 * Whether an overflow of that, at `at` of the piece that came last, was one of the address, as far as is seen there: of
 * a head in several pieces, the last may begin in the middle of a line.
 */
export function isAddressTooLong(piece: Buffer, at: number): boolean {
  const head = piece.lastIndexOf('\r\n\r\n', at);
  const start = head < 0 ? 0 : head + 4;
  const end = piece.indexOf('\r\n', start);
  const line = piece.toString('latin1', start, end < 0 ? piece.length : end);
  const isWhole = /^[A-Z]+ /.test(line);
  return isWhole ? end < 0 || line.length > MAX_LENGTH : / HTTP\/\d\.\d$/.test(line);
}

/** What is wrong with the head of a request, but for what the routes say of it. */
export function problemOfHead(request: AppRequest): DomainError | null {
  if (request.url.length > MAX_LENGTH) return new DomainError('address-too-long');
  const { rawHeaders, httpVersionMinor } = request;
  let length = 0;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    length += name.length + rawHeaders[at + 1]!.length;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  // Two hosts, or none (RFC 9112, 3.2): each of the servers on the way could take another one.
  const isRight = length <= MAX_LENGTH && (hosts === 1 || (hosts === 0 && httpVersionMinor === 0));
  return isRight ? null : new DomainError('bad-request');
}
