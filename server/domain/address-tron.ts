import { sha256 } from '@noble/hashes/sha2.js';
import { base58, createBase58check } from '@scure/base';
import {
  type AddressResult,
  acceptAddress,
  cleanAddressText,
  refuseAddress,
  refuseShape,
} from '#domain/address-text.ts';

const base58check = createBase58check(sha256);

const MAIN_VERSION = 0x41;
const OLD_TEST_VERSION = 0xa0;

const MALFORMED = 'A Tron address begins with T and has 34 characters.';

/** Reads a Tron address: base58check of version 0x41. The hexadecimal spelling is refused, for it has no checksum. */
export function parseTronAddress(text: string): AddressResult {
  const clean = cleanAddressText(text);
  if (clean.kind === 'refused') return clean;
  if (/^(0x)?41[0-9a-f]{40}$/i.test(clean.text)) {
    return refuseAddress('address_malformed', 'This is the hexadecimal spelling. Paste the one that begins with T.');
  }
  if (!/^[1-9A-HJ-NP-Za-km-z]{30,36}$/.test(clean.text)) return refuseShape(clean.text, 'tron', MALFORMED);
  const payload = decodeBase58Check(clean.text);
  if (payload === null) {
    if (!/^T.{33}$/.test(clean.text) || base58.decode(clean.text).length !== 25) {
      return refuseShape(clean.text, 'tron', MALFORMED);
    }
    return refuseAddress('address_checksum', 'The address does not match its checksum: a character is wrong.');
  }
  if (payload.length !== 21) return refuseShape(clean.text, 'tron', MALFORMED);
  if (payload[0] === OLD_TEST_VERSION) {
    return refuseAddress('address_wrong_network', 'This is an address of a Tron test network.');
  }
  if (payload[0] !== MAIN_VERSION) return refuseShape(clean.text, 'tron', MALFORMED);
  if (payload.subarray(1).every((byte) => byte === 0)) {
    return refuseAddress('address_unusable', 'This is an address for burning coins: nobody holds its keys.');
  }
  return acceptAddress('tron', clean.text);
}

function decodeBase58Check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    // The codec has one error for every fault; the caller tells shape from checksum.
    return null;
  }
}
