import type { NetworkName } from '../asset-table.ts';

export type Fate = 'included' | 'fails' | 'stuck' | 'rejected';

export type Payment = {
  transferId: string;
  asset: string;
  address: string;
  memo: string | null;
  amountMinor: bigint;
  /** What a fault switch wants to become of it; a real chain can only be made to fail it. */
  fate: Fate;
};

export type SignedPayment = { hash: string; nonce: bigint; raw: string };
export type Inclusion = { height: number; block: string; success: boolean };
export type ChainBlock = {
  height: number;
  hash: string;
  parentHash: string;
  transactions: { hash: string; success: boolean }[];
};
/** `sent`: the network has it, now or from before. `later`: it was not taken; the same bytes are offered again. */
export type BroadcastResult = 'sent' | 'later';

/**
 * What the engine needs of a network, real or simulated. Every method but `sign` and `replace` talks to the network and
 * may throw when it does not answer; the engine then tries again and changes nothing.
 */
export type PaymentNetwork = {
  name: NetworkName;
  /** The hot wallet's address on this network. */
  account: string;
  /** The first number no included transaction of the hot wallet has used. */
  nextNonce(): Promise<bigint>;
  /** Pure of effects: the bytes are stored by the caller before anybody else sees them. */
  sign(payments: readonly Payment[], firstNonce: bigint): Promise<SignedPayment[]>;
  /** Another transaction for the same payment and number, worth more to miners. */
  replace(raw: string): Promise<SignedPayment>;
  broadcast(transactions: readonly { hash: string; raw: string }[]): Promise<BroadcastResult[]>;
  head(): Promise<{ height: number; hash: string; parentHash: string }>;
  block(height: number): Promise<ChainBlock>;
  findInclusions(hashes: readonly string[]): Promise<(Inclusion | null)[]>;
  /** What the chain says the hot wallet has, by asset, in minor units. */
  balances(): Promise<Map<string, bigint>>;
};
