import { keccak_256 } from '@noble/hashes/sha3.js';
import {
  type AddressResult,
  acceptAddress,
  cleanAddressText,
  refuseAddress,
  refuseShape,
} from '#domain/address-text.ts';

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`;
const DEAD_ADDRESS = '0x000000000000000000000000000000000000dead';

/**
 * Reads an address of an EVM network. Canonical in lower case, shown with the checksum of EIP-55. One letter case
 * throughout carries no checksum and is a warning; a mixed case that does not match is refused.
 */
export function parseEvmAddress(text: string): AddressResult {
  const clean = cleanAddressText(text);
  if (clean.kind === 'refused') return clean;
  if (/^(0x)?[0-9a-f]{64}$/i.test(clean.text)) {
    return refuseAddress(
      'address_malformed',
      'This has the length of a transaction hash or a private key, not of an address.',
    );
  }
  if (/^[0-9a-f]{40}$/i.test(clean.text)) return refuseAddress('address_malformed', 'The address must begin with 0x.');
  // Upper case throughout, prefix included, is what QR codes are made of.
  const match = /^0[xX]([0-9a-fA-F]{40})$/.exec(clean.text);
  const digits = match?.[1];
  if (digits === undefined)
    return refuseShape(clean.text, 'evm', 'An address here is 0x and 40 hexadecimal characters.');
  const canonical = `0x${digits.toLowerCase()}`;
  if (canonical === ZERO_ADDRESS || canonical === DEAD_ADDRESS) {
    return refuseAddress('address_unusable', 'This is an address for burning coins: nobody holds its keys.');
  }
  const display = checksummed(canonical);
  if (`0x${digits}` === display) return acceptAddress('evm', canonical, { display });
  if (digits === digits.toLowerCase() || digits === digits.toUpperCase()) {
    return acceptAddress('evm', canonical, { display, warnings: ['no_checksum'] });
  }
  return refuseAddress('address_checksum', 'The capital letters do not match the checksum: a character is wrong.');
}

function checksummed(canonical: string): string {
  const digits = canonical.slice(2);
  const hash = keccak_256(new TextEncoder().encode(digits));
  const letters = [...digits].map((digit, index) => {
    const byte = hash[index >> 1] ?? 0;
    const nibble = index % 2 === 0 ? byte >> 4 : byte & 15;
    return nibble >= 8 ? digit.toUpperCase() : digit;
  });
  return `0x${letters.join('')}`;
}
