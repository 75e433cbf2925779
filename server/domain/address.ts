import { parseBitcoinAddress } from '#domain/address-bitcoin.ts';
import { parseEvmAddress } from '#domain/address-evm.ts';
import { parseSolanaAddress } from '#domain/address-solana.ts';
import type { AddressResult } from '#domain/address-text.ts';
import { parseTronAddress } from '#domain/address-tron.ts';
import { parseXrpAddress } from '#domain/address-xrp.ts';
import type { NetworkFamily } from '#domain/asset.ts';

export type { AddressResult } from '#domain/address-text.ts';

const PARSERS: Readonly<Record<NetworkFamily, (text: string) => AddressResult>> = {
  evm: parseEvmAddress,
  bitcoin: parseBitcoinAddress,
  tron: parseTronAddress,
  solana: parseSolanaAddress,
  xrp: parseXrpAddress,
};

/**
 * Reads an address of a network family, for the server, which knows them all. A page loads the one file of its family
 * instead, because the codecs together weigh more than the page.
 *
 * @returns the canonical address, or the exact reason why it is none
 */
export function parseAddress(family: NetworkFamily, text: string): AddressResult {
  return PARSERS[family](text);
}
