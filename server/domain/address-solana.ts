import { base58 } from '@scure/base';
import {
  type AddressResult,
  acceptAddress,
  cleanAddressText,
  refuseAddress,
  refuseShape,
} from '#domain/address-text.ts';

const MALFORMED = 'A Solana address is 32 bytes, written in 32 to 44 characters without 0, O, I and l.';

/** Programs of the network itself: code, not wallets. Coins sent to them stay there. */
const PROGRAMS: ReadonlySet<string> = new Set([
  '11111111111111111111111111111111',
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
  'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL',
  '1nc1nerator11111111111111111111111111111111',
]);

/** Reads a Solana address: 32 bytes in base58. There is no checksum, so a good one always carries the warning. */
export function parseSolanaAddress(text: string): AddressResult {
  const clean = cleanAddressText(text);
  if (clean.kind === 'refused') return clean;
  const bytes = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(clean.text) ? base58.decode(clean.text) : null;
  if (bytes === null || bytes.length !== 32) return refuseShape(clean.text, 'solana', MALFORMED);
  if (PROGRAMS.has(clean.text)) {
    return refuseAddress('address_unusable', 'This is a program of the network, not a wallet: coins would be lost.');
  }
  return acceptAddress('solana', clean.text, { warnings: ['no_checksum'] });
}
