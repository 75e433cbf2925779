import { sha256 } from '@noble/hashes/sha2.js';
import { base58, bech32, bech32m, createBase58check } from '@scure/base';
import {
  type AddressResult,
  acceptAddress,
  cleanAddressText,
  type RefusedAddress,
  refuseAddress,
  refuseShape,
} from '#domain/address-text.ts';

const base58check = createBase58check(sha256);

const PAY_TO_KEY_HASH = 0x00;
const PAY_TO_SCRIPT_HASH = 0x05;
const TEST_VERSIONS: ReadonlySet<number> = new Set([0x6f, 0xc4]);
const PRIVATE_KEY_VERSIONS: ReadonlySet<number> = new Set([0x80, 0xef]);
const TEST_PREFIXES: ReadonlySet<string> = new Set(['tb', 'bcrt']);

/** BIP-173: a bech32 address has at most this many characters. */
const BECH32_LENGTH_MAX = 90;

/** Reads a Bitcoin address of the main network: base58check, bech32 (witness version 0) or bech32m (version 1). */
export function parseBitcoinAddress(text: string): AddressResult {
  const clean = cleanAddressText(text);
  if (clean.kind === 'refused') return clean;
  if (/^(bc|tb|bcrt)1/i.test(clean.text)) return parseWitnessAddress(clean.text);
  return parseBase58Address(clean.text);
}

function parseWitnessAddress(text: string): AddressResult {
  if (text !== text.toLowerCase() && text !== text.toUpperCase()) {
    return refuseAddress(
      'address_malformed',
      'Capital and small letters are mixed, which this kind of address never does.',
    );
  }
  const lower = text.toLowerCase();
  const decoded = decodeBech32(lower);
  if (decoded.kind === 'refused') return decoded;
  if (TEST_PREFIXES.has(decoded.prefix)) {
    return refuseAddress('address_wrong_network', 'This is an address of a Bitcoin test network.');
  }
  const { version, program, encoding } = decoded;
  if (version === 0 && encoding === 'bech32m') return wrongEncoding();
  if (version > 0 && encoding === 'bech32') return wrongEncoding();
  if (version === 0 && program.length !== 20 && program.length !== 32) return wrongLength();
  if (version === 1 && program.length !== 32) return wrongLength();
  if (version > 1) {
    return refuseAddress(
      'address_unusable',
      `Addresses of witness version ${version} are not in use yet: anyone could take the coins.`,
    );
  }
  return acceptAddress('bitcoin', lower);
}

type DecodedWitness = {
  readonly kind: 'ok';
  readonly prefix: string;
  readonly encoding: 'bech32' | 'bech32m';
  readonly version: number;
  readonly program: Uint8Array;
};

function decodeBech32(lower: string): DecodedWitness | RefusedAddress {
  if (!/^[a-z]+1[02-9ac-hj-np-z]{6,}$/.test(lower) || lower.length > BECH32_LENGTH_MAX) {
    return refuseAddress(
      'address_malformed',
      'The address is too short, too long or holds a character it cannot hold.',
    );
  }
  const plain = bech32.decodeUnsafe(lower);
  const modified = plain === undefined ? bech32m.decodeUnsafe(lower) : undefined;
  const decoded = plain ?? modified;
  if (decoded === undefined) {
    return refuseAddress('address_checksum', 'The address does not match its checksum: a character is wrong.');
  }
  const [version, ...words] = decoded.words;
  const program = bech32.fromWordsUnsafe(words);
  if (version === undefined || version > 16 || !program || program.length < 2 || program.length > 40)
    return wrongLength();
  return { kind: 'ok', prefix: decoded.prefix, encoding: plain ? 'bech32' : 'bech32m', version, program };
}

function wrongEncoding(): RefusedAddress {
  return refuseAddress('address_checksum', 'The address carries the checksum of another witness version.');
}

function wrongLength(): RefusedAddress {
  return refuseAddress('address_malformed', 'The address has a length that its witness version does not allow.');
}

function parseBase58Address(text: string): AddressResult {
  const malformed = 'A Bitcoin address begins with bc1, 1 or 3 and has no characters 0, O, I or l.';
  if (!/^[1-9A-HJ-NP-Za-km-z]{26,52}$/.test(text)) return refuseShape(text, 'bitcoin', malformed);
  const payload = decodeBase58Check(text);
  if (payload === null) {
    if (!/^[123mn]/.test(text) || base58.decode(text).length !== 25) return refuseShape(text, 'bitcoin', malformed);
    return refuseAddress('address_checksum', 'The address does not match its checksum: a character is wrong.');
  }
  const version = payload[0] ?? -1;
  if (PRIVATE_KEY_VERSIONS.has(version)) {
    return refuseAddress('address_malformed', 'This is a private key, not an address. Never paste it anywhere.');
  }
  if (payload.length !== 21) return refuseShape(text, 'bitcoin', malformed);
  if (TEST_VERSIONS.has(version)) {
    return refuseAddress('address_wrong_network', 'This is an address of a Bitcoin test network.');
  }
  if (version !== PAY_TO_KEY_HASH && version !== PAY_TO_SCRIPT_HASH) return refuseShape(text, 'bitcoin', malformed);
  if (payload.subarray(1).every((byte) => byte === 0)) {
    return refuseAddress('address_unusable', 'This is an address for burning coins: nobody holds its keys.');
  }
  return acceptAddress('bitcoin', text);
}

function decodeBase58Check(text: string): Uint8Array | null {
  try {
    return base58check.decode(text);
  } catch {
    // The codec has one error for every fault; the caller tells shape from checksum.
    return null;
  }
}
