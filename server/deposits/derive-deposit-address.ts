import { ed25519 } from '@noble/curves/ed25519.js';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { base58, createBase58check } from '@scure/base';
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

/** The program of custody's that sweeps Solana deposits: a name that everybody can compute, as the demo's keys are. */
const DEMO_SOLANA_PROGRAM = sha256(utf8ToBytes('cryptoex demo deposit program'));

/** The address of a customer's number on a network of this family, always the same. */
export function deriveDepositAddress(family: NetworkFamily, index: number): DepositAddress {
  switch (family) {
    case 'evm':
      return { address: evmAddressOf(index), memo: null };
    case 'tron': {
      const digits = Uint8Array.from(Buffer.from(`41${evmAddressOf(index).slice(2)}`, 'hex'));
      return { address: createBase58check(sha256).encode(digits), memo: null };
    }
    case 'bitcoin': {
      const { address } = p2wpkh(publicKeyOf(index));
      if (address === undefined) throw new Error('a witness program has an address');
      return { address, memo: null };
    }
    case 'xrp':
      // One address of the house's; the tag says whose coins they are.
      return { address: encodeAccountID(ripemd160(sha256(publicKeyOf(0)))), memo: String(index) };
    case 'solana':
      return { address: base58.encode(programAddressOf(index)), memo: null };
  }
}

/**
 * Solana's keys cannot be derived from a public one, but an address of a program can: a hash of the program and the number that
 * is no point of the curve, so that no key exists for it and the program alone can spend. (`find_program_address`)
 */
function programAddressOf(index: number): Uint8Array {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index, true);
  const marker = utf8ToBytes('ProgramDerivedAddress');
  for (let bump = 255; bump >= 0; bump -= 1) {
    const seeds = concatBytes(utf8ToBytes('deposit'), number, Uint8Array.of(bump));
    const candidate = sha256(concatBytes(seeds, DEMO_SOLANA_PROGRAM, marker));
    if (!isOnCurve(candidate)) return candidate;
  }
  throw new Error('every second hash is off the curve');
}

function isOnCurve(candidate: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(candidate);
    return true;
  } catch {
    // The library says by an error that there is no such point.
    return false;
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
