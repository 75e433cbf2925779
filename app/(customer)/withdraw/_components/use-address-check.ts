'use client';

import { useEffect, useState } from 'react';
import type { AddressResult } from '#domain/address-text.ts';
import type { NetworkFamily } from '#domain/asset.ts';

export type AddressCheck = { text: string; family: NetworkFamily; result: AddressResult };

/**
 * Checks an address as it is typed, by the same rule as the server. The codecs of one network family are loaded at the
 * first character: all of them together weigh more than the page. Null while there is nothing to say.
 */
export function useAddressCheck(family: NetworkFamily | null, text: string): AddressCheck | null {
  const [check, setCheck] = useState<AddressCheck | null>(null);
  useEffect(() => {
    if (family === null || text === '') return;
    let current = true;
    checkAddress(family, text)
      .then((result) => {
        if (current) setCheck({ text, family, result });
      })
      // The codecs could not be fetched. The server checks in any case.
      .catch(() => undefined);
    return () => {
      current = false;
    };
  }, [family, text]);
  return check !== null && check.text === text && check.family === family ? check : null;
}

/** The verdict on an address, or a rejection when the codecs cannot be fetched. */
export async function checkAddress(family: NetworkFamily, text: string): Promise<AddressResult> {
  switch (family) {
    case 'evm':
      return (await import('#domain/address-evm.ts')).parseEvmAddress(text);
    case 'bitcoin':
      return (await import('#domain/address-bitcoin.ts')).parseBitcoinAddress(text);
    case 'tron':
      return (await import('#domain/address-tron.ts')).parseTronAddress(text);
    case 'solana':
      return (await import('#domain/address-solana.ts')).parseSolanaAddress(text);
    case 'xrp':
      return (await import('#domain/address-xrp.ts')).parseXrpAddress(text);
  }
}

/** Whether nothing in the address would show a wrong character, so that only eyes can. Lower case on Ethereum is warned of. */
export function mustBeCompared(address: { family: NetworkFamily; warnings: readonly string[] }): boolean {
  return address.family === 'solana' && address.warnings.includes('no_checksum');
}
