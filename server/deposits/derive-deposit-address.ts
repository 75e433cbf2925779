import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { createBase58check } from '@scure/base';
import { p2wpkh } from '@scure/btc-signer';
import { encodeAccountID } from 'ripple-address-codec';
import { HDKey, publicKeyToAddress } from 'viem/accounts';
import type { NetworkFamily } from '#domain/asset.ts';

/**
 * Public, of the demo's published mnemonic (m/44'/60'/7'): whoever has it can look at the addresses and spend nothing. The
 * private half is custody's, as every key is.
 */
const DEMO_ACCOUNT_XPUB =
  'xpub6Ce9NcJvTk37JBtr1eY9EsMZtMiNE1eTP4tmjVpfv5jBrmMxag6m2Vx99tzFbrPSgbYYCGJE82UetSJzNurv8JAzgEx2Duh3aa4p5ZW2gHX';

export interface DepositAddress {
  readonly address: string;
  readonly memo: string | null;
}

/**
 * The address of a customer's number on a network of this family, always the same; null for Solana, whose keys cannot be
 * derived from a public one.
 */
export function deriveDepositAddress(family: NetworkFamily, index: number): DepositAddress | null {
  switch (family) {
    case 'evm':
      return { address: evmAddressOf(index), memo: null };
    case 'tron': {
      const digits = Uint8Array.from(Buffer.from(`41${evmAddressOf(index).slice(2)}`, 'hex'));
      return { address: createBase58check(sha256).encode(digits), memo: null };
    }
    case 'bitcoin': {
      const { address } = p2wpkh(publicKeyOf(index));
      return address === undefined ? null : { address, memo: null };
    }
    case 'xrp':
      // One address of the house's; the tag says whose coins they are.
      return { address: encodeAccountID(ripemd160(sha256(publicKeyOf(0)))), memo: String(index) };
    case 'solana':
      return null;
  }
}

function publicKeyOf(index: number): Uint8Array {
  const { publicKey } = HDKey.fromExtendedKey(DEMO_ACCOUNT_XPUB).deriveChild(index);
  if (publicKey === null) throw new Error('a derived key has a public half');
  return publicKey;
}

function evmAddressOf(index: number): string {
  const whole = secp256k1.Point.fromBytes(publicKeyOf(index)).toBytes(false);
  return publicKeyToAddress(`0x${bytesToHex(whole)}`);
}
