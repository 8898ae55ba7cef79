import { CHARACTERS, checkDigit, keyOf } from './gs1.js';

/** What an RFID tag says of a thing. */
export interface Epc {
  /** Its pure identity URI, such as `urn:epc:id:giai:0614141.12345400`, which is how it is kept. */
  uri: string;
  /** The key of its GIAI or GRAI. */
  key: string;
}

const URI = /^urn:epc:(?:id:(giai|grai):|tag:(giai-96|giai-202|grai-96):[0-7]\.)(.*)$/i;
/** GIAI-96 and GRAI-96 have 96 bits; GIAI-202 fills up its last digit or last word with zeros. */
const HEX = /^(?:3[34][0-9a-f]{22}|38[0-9a-f]{49,62})$/i;
/** The bits as one number, in hexadecimal or decimal digits, behind how many there are. */
const RAW = /^urn:epc:raw:(\d{1,3})\.(x[0-9a-f]{1,64}|\d{1,64})$/i;
const BITS = { giai96: 96, giai202: 202 };
/** Header, filter value and partition come first. */
const PARTITION = 11;
const PREFIX = 14;
/** How many bits the company's prefix has, by the partition: one of twelve digits first. */
const PREFIX_BITS = [40, 37, 34, 30, 27, 24, 20];
const CHARACTER_BITS = 7;
const COMPANY = /^\d{6,12}$/;
const NUMBER = /^(0|[1-9]\d*)$/;
const ASSET = new RegExp(`^${CHARACTERS}+$`);
/** What a URI has only percent-encoded (EPC Tag Data Standard, annex A). */
const ESCAPED = /["%&/<>?]/g;

/** An EPC of a GIAI or GRAI as readers tell it, the bits as hexadecimal digits, or as a URI; null where it is none. */
export function readEpc(text: string): Epc | null {
  const given = text.trim();
  const hex = hexOf(given);
  if (HEX.test(hex)) return ofBits(hex);
  const [, pure, tag, body] = URI.exec(given) ?? [];
  if (body === undefined) return null;
  const scheme = (pure ?? tag ?? '').toLowerCase();
  const [company, ...rest] = body.split('.');
  try {
    if (scheme.startsWith('giai')) {
      const asset = decodeURIComponent(rest.join('.'));
      return scheme === 'giai-96' && !NUMBER.test(asset) ? null : giai(company!, asset);
    }
    const [type, ...serials] = rest;
    const serial = decodeURIComponent(serials.join('.'));
    return scheme === 'grai-96' && !NUMBER.test(serial) ? null : grai(company!, type ?? '', serial);
  } catch {
    return null;
  }
}

/** The bits of a raw URI from the first one on, as readers tell them; any other text as it is. */
function hexOf(text: string): string {
  const [, bits, digits] = RAW.exec(text) ?? [];
  if (digits === undefined) return text;
  const size = Number(bits);
  const value = BigInt(/^x/i.test(digits) ? `0${digits}` : digits);
  const width = Math.ceil(size / 4);
  return (value << BigInt(width * 4 - size)).toString(16).padStart(width, '0');
}

function giai(company: string, asset: string): Epc | null {
  const key = COMPANY.test(company) && ASSET.test(asset) ? keyOf('8004', company + asset) : null;
  return key === null ? null : { key, uri: `urn:epc:id:giai:${company}.${escaped(asset)}` };
}

function grai(company: string, type: string, serial: string): Epc | null {
  const digits = company + type;
  if (!COMPANY.test(company) || !/^\d{12}$/.test(digits) || serial === '') return null;
  const key = keyOf('8003', `0${digits}${checkDigit(digits)}${serial}`);
  return key === null ? null : { key, uri: `urn:epc:id:grai:${company}.${type}.${escaped(serial)}` };
}

const escaped = (text: string): string =>
  text.replace(ESCAPED, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

function ofBits(hex: string): Epc | null {
  const value = BigInt(`0x${hex}`);
  const size = hex.length * 4;
  const take = (from: number, to: number): bigint => BigInt.asUintN(to - from, value >> BigInt(size - to));
  const partition = Number(take(PARTITION, PREFIX));
  const prefixBits = PREFIX_BITS[partition];
  if (prefixBits === undefined) return null;
  const behind = PREFIX + prefixBits;
  const company = digitsOf(take(PREFIX, behind), 12 - partition);
  if (company.length > 12 - partition) return null; // of another partition, or of none
  if (hex.startsWith('33')) {
    // Company and type are 44 bits and 12 digits together.
    const type = digitsOf(take(behind, PREFIX + 44), partition);
    return grai(company, type, String(take(PREFIX + 44, BITS.giai96)));
  }
  if (hex.startsWith('34')) return giai(company, String(take(behind, BITS.giai96)));
  let asset = '';
  let at = behind;
  for (; at + CHARACTER_BITS <= BITS.giai202; at += CHARACTER_BITS) {
    const character = Number(take(at, at + CHARACTER_BITS));
    if (character === 0) break;
    asset += String.fromCharCode(character);
  }
  return take(at, size) === 0n ? giai(company, asset) : null;
}

/** With its leading zeros; longer where the bits hold more. */
const digitsOf = (value: bigint, digits: number): string =>
  digits === 0 && value === 0n ? '' : String(value).padStart(digits, '0');
