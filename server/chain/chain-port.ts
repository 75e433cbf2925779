/**
 * So many blocks are asked for at once: a request for each costs more than reading what it answers, every node takes twice as many
 * questions, and two such requests under way keep one busy without a queue before it.
 */
export const BLOCKS_A_QUESTION = 10;

/** A transfer of coins in a block. Hashes, contracts and addresses as `canonicalChainText` writes them. */
export interface BlockTransfer {
  readonly transactionHash: string;
  /** 0 is the native value; a log counts from 1 among *all* logs of its receipt, watched or not. */
  readonly ordinal: number;
  readonly contract: string | null;
  readonly from: string;
  readonly to: string;
  /** What the network itself carries beside the address, as a destination tag; absent where it knows no such thing. */
  readonly memo?: string | null;
  readonly amountMinor: bigint;
}

export interface ChainBlock {
  readonly number: number;
  readonly hash: string;
  readonly parentHash: string;
  readonly minedAt: Date;
  readonly transfers: readonly BlockTransfer[];
}

export interface ChainHead {
  readonly number: number;
  readonly hash: string;
}

/** What the node knows of one transaction of ours. */
export interface TransactionSighting {
  /** The block and the status of its receipt; null while it is in none. */
  readonly receipt: { readonly blockNumber: number; readonly succeeded: boolean } | null;
  /** Who signed it, and with which nonce; null when the node does not know it. */
  readonly signed: { readonly from: string; readonly nonce: number } | null;
  /** The last block that could have included it; absent or null where it never expires. */
  readonly lastValidNumber?: number | null;
}

/** What a mined transaction cost, by its receipt, in minor units of the network's coin. */
export interface TransactionCost {
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Who paid it. */
  readonly from: string;
  readonly minor: bigint;
  readonly succeeded: boolean;
}

/** A node that lies, lags or answers nonsense. The batch is refused and asked for again; nothing moves. */
export class ChainAnswerRefused extends Error {
  override readonly name = 'ChainAnswerRefused';
}

/** A network as we read it ourselves. @throws ChainAnswerRefused when an answer does not agree with itself */
export interface ChainPort {
  head(): Promise<ChainHead>;
  /** The blocks of the present chain from that height on, in order; fewer than asked for where the chain ends. */
  blocks(first: number, count: number, watched: ReadonlySet<string>): Promise<readonly ChainBlock[]>;
  /** Only number, hash and parent, for walking back. */
  header(number: number): Promise<{ hash: string; parentHash: string } | null>;
  transaction(hash: string): Promise<TransactionSighting>;
  /** Null while it is in no block. */
  cost(hash: string): Promise<TransactionCost | null>;
  /** How many nonces of this sender are spent as of that block. */
  spentNonces(address: string, blockNumber: number): Promise<number>;
}
