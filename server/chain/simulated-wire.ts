import { z } from 'zod';
import { type BlockTransfer, ChainAnswerRefused, type ChainBlock } from '#server/chain/chain-port.ts';

const height = z.number().int().nonnegative();
const blockHash = z.string().regex(/^[0-9a-f]{64}$/);
// Base58 or hexadecimal: letter case is part of it.
const transactionHash = z.string().regex(/^[0-9A-Za-z]{32,128}$/);
const account = z.string().regex(/^[0-9A-Za-z-]{1,128}$/);
const minor = z
  .string()
  .regex(/^\d{1,78}$/)
  .transform(BigInt);

export const headSchema = z.object({ height, hash: blockHash });

/** What every transaction says of itself, in a block or not. */
const signedFields = { hash: transactionHash, from: account, nonce: z.number().int().nonnegative() };

const includedSchema = z.object({
  ...signedFields,
  to: account,
  memo: z.string().max(128).nullable(),
  contract: account.nullable(),
  amountMinor: minor,
  status: z.enum(['success', 'failed']),
  height,
  blockHash,
  index: height,
});

export const blocksSchema = z.object({
  data: z.array(
    z.object({
      height,
      hash: blockHash,
      parentHash: blockHash,
      at: z.iso.datetime({ offset: true }),
      transactions: z.array(includedSchema),
    }),
  ),
});

/** One that is in no block says so in all three places. */
export const transactionSchema = z
  .object({
    ...signedFields,
    status: z.enum(['pending', 'success', 'failed', 'spent', 'expired']),
    validUntilHeight: height.nullable(),
    height: height.nullable(),
    blockHash: blockHash.nullable(),
    charged: minor,
  })
  .refine(({ status, ...of }) => {
    const isIncluded = status === 'success' || status === 'failed';
    return (of.height !== null) === isIncluded && (of.blockHash !== null) === isIncluded;
  });

export const accountSchema = z.object({ account, height, nextNonce: z.number().int().nonnegative() });

export type SimulatedBlock = z.infer<typeof blocksSchema>['data'][number];

/**
 * Reads a block of a simulated chain as suspiciously as one of a real one: a transaction of another block, out of its place, or for
 * the second time is refused. The network's own coin is ordinal 0, a token the first log of its transaction.
 *
 * @param watched contracts as the network writes them
 * @throws ChainAnswerRefused
 */
export function readSimulatedBlock(block: SimulatedBlock, watched: ReadonlySet<string>): ChainBlock {
  const refuse = (reason: string): never => {
    throw new ChainAnswerRefused(`block ${block.height}: ${reason}`);
  };
  const seen = new Set<string>();
  const transfers: BlockTransfer[] = [];
  for (const [place, transaction] of block.transactions.entries()) {
    if (transaction.height !== block.height || transaction.blockHash !== block.hash)
      refuse('a transaction of another block');
    if (transaction.index !== place) refuse('a transaction out of place');
    if (seen.has(transaction.hash)) refuse('a transaction for the second time');
    seen.add(transaction.hash);
    const { hash, contract, from, to, memo, amountMinor } = transaction;
    // One that failed moved nothing.
    if (transaction.status !== 'success' || amountMinor === 0n || (contract !== null && !watched.has(contract)))
      continue;
    transfers.push({
      transactionHash: hash,
      ordinal: contract === null ? 0 : 1,
      contract,
      from,
      to,
      memo,
      amountMinor,
    });
  }
  const { height: number, hash, parentHash, at } = block;
  return { number, hash, parentHash, minedAt: new Date(at), transfers };
}
