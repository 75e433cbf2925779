import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import { z } from 'zod';
import { type BlockTransfer, ChainAnswerRefused, type ChainBlock } from '#server/chain/chain-port.ts';

const quantity = z.string().regex(/^0x[0-9a-f]+$/i);
const hash = z
  .string()
  .regex(/^0x[0-9a-f]{64}$/i)
  .transform((text) => text.toLowerCase());
const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => text.toLowerCase());
const bytes = z
  .string()
  .regex(/^0x([0-9a-f]{2})*$/i)
  .transform((text) => text.toLowerCase());

export const headerSchema = z.object({ number: quantity, hash, parentHash: hash }).nullable();

const transactionSchema = z.object({ hash, from: address, to: address.nullable(), value: quantity });

export const blockSchema = z
  .object({
    number: quantity,
    hash,
    parentHash: hash,
    timestamp: quantity,
    logsBloom: bytes,
    transactions: z.array(transactionSchema),
  })
  .nullable();

const logSchema = z.object({
  address,
  topics: z.array(hash),
  data: bytes,
  blockHash: hash,
  transactionHash: hash,
  logIndex: quantity,
});

export const receiptsSchema = z
  .array(
    z.object({
      transactionHash: hash,
      transactionIndex: quantity,
      blockHash: hash,
      status: z.enum(['0x0', '0x1']),
      logs: z.array(logSchema),
    }),
  )
  .nullable();

export const receiptSchema = z.object({ blockNumber: quantity, status: z.enum(['0x0', '0x1']) }).nullable();
export const costSchema = z
  .object({
    transactionHash: hash,
    blockNumber: quantity,
    blockHash: hash,
    from: address,
    status: z.enum(['0x0', '0x1']),
    gasUsed: quantity,
    effectiveGasPrice: quantity,
  })
  .nullable();
export const transactionBySchema = z.object({ from: address, nonce: quantity }).nullable();

type WireBlock = NonNullable<z.infer<typeof blockSchema>>;
type WireReceipts = NonNullable<z.infer<typeof receiptsSchema>>;
type WireLog = z.infer<typeof logSchema>;

/** Transfer(address,address,uint256) */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/**
 * Reads a block the way a suspicious reader does: receipts of another block, a missing or doubled one, a gap between log
 * indexes, or logs that do not make up the block's own bloom are refused.
 *
 * @param watched contracts in lower case; the network's own coin is always read
 * @throws ChainAnswerRefused
 */
export function readBlock(block: WireBlock, receipts: WireReceipts, watched: ReadonlySet<string>): ChainBlock {
  const refuse = (reason: string): never => {
    throw new ChainAnswerRefused(`block ${Number(block.number)}: ${reason}`);
  };
  if (receipts.length !== block.transactions.length) refuse('receipts are missing');
  const transfers: BlockTransfer[] = [];
  const bloom = new Uint8Array(256);
  const seen = new Set<string>();
  let nextLogIndex = 0;
  for (const [index, receipt] of receipts.entries()) {
    const transaction = block.transactions[index];
    if (transaction === undefined || receipt.transactionHash !== transaction.hash)
      return refuse('a receipt out of place');
    if (receipt.blockHash !== block.hash) refuse('a receipt of another block');
    if (Number(receipt.transactionIndex) !== index) refuse('a receipt with another index');
    for (const [position, log] of receipt.logs.entries()) {
      if (log.blockHash !== block.hash || log.transactionHash !== transaction.hash) refuse('a log of another block');
      if (Number(log.logIndex) !== nextLogIndex) refuse('a gap between log indexes');
      nextLogIndex += 1;
      addToBloom(bloom, seen, log);
      const transfer = readTokenTransfer(log, position + 1);
      if (transfer !== null && watched.has(log.address)) transfers.push(transfer);
    }
    const value = BigInt(transaction.value);
    // A transaction that failed moved nothing.
    if (receipt.status !== '0x1' || value === 0n || transaction.to === null) continue;
    const { from, to } = transaction;
    transfers.push({ transactionHash: transaction.hash, ordinal: 0, contract: null, from, to, amountMinor: value });
  }
  if (`0x${bytesToHex(bloom)}` !== block.logsBloom) refuse('logs that do not make up the bloom');
  return {
    number: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    minedAt: new Date(Number(block.timestamp) * 1_000),
    transfers,
  };
}

function readTokenTransfer(log: WireLog, ordinal: number): BlockTransfer | null {
  const [topic, from, to] = log.topics;
  if (topic !== TRANSFER_TOPIC || from === undefined || to === undefined) return null;
  // A fourth topic is a token that cannot be divided; other data is no amount.
  if (log.topics.length !== 3 || log.data.length !== 66) return null;
  return {
    transactionHash: log.transactionHash,
    ordinal,
    contract: log.address,
    from: `0x${from.slice(26)}`,
    to: `0x${to.slice(26)}`,
    amountMinor: BigInt(log.data),
  };
}

/** Contracts, topics and addresses repeat within a block, and a hash of each costs more than all else that is checked. */
function addToBloom(bloom: Uint8Array, seen: Set<string>, log: WireLog): void {
  for (const item of [log.address, ...log.topics]) {
    if (seen.has(item)) continue;
    seen.add(item);
    const digest = keccak_256(hexToBytes(item.slice(2)));
    for (const pair of [0, 2, 4]) {
      const bit = (((digest[pair] ?? 0) << 8) | (digest[pair + 1] ?? 0)) & 2047;
      const place = 255 - (bit >> 3);
      bloom[place] = (bloom[place] ?? 0) | (1 << (bit & 7));
    }
  }
}
