import { BaseError, type Client, createClient, HttpRequestError, http, numberToHex, TimeoutError } from 'viem';
import { z } from 'zod';
import { BLOCKS_A_QUESTION, ChainAnswerRefused, type ChainBlock, type ChainPort } from '#server/chain/chain-port.ts';
import {
  blockSchema,
  costSchema,
  headerSchema,
  readBlock,
  receiptSchema,
  receiptsSchema,
  transactionBySchema,
} from '#server/chain/chain-wire.ts';

// Above what ten full blocks of a dev chain take, and little enough to hold twice; a longer answer is asked for in parts.
const ANSWER_BYTES_MAX = 16 * 1_048_576;

/**
 * A node over JSON-RPC, by viem's transport: it asks, times out, and never repeats by itself. Every answer is parsed here, and what
 * does not fit is refused; why the blocks are not read by viem's own actions stands in docs/decisions/0018.
 *
 * @throws Error when the node is away
 */
export function createChainRpcClient(options: { url: string; timeoutMs: number }): ChainPort {
  const settings = {
    retryCount: 0,
    timeout: options.timeoutMs,
    maxResponseBodySize: ANSWER_BYTES_MAX,
    fetchOptions: { redirect: 'error' },
  } as const;
  const batch = { batchSize: 2 * BLOCKS_A_QUESTION, wait: 0 };
  const alone = createClient({ transport: http(options.url, settings) });
  const together = createClient({ transport: http(options.url, { ...settings, batch }) });
  const askBy =
    (client: Client) =>
    async <Schema extends z.ZodType>(method: string, params: unknown[], schema: Schema): Promise<z.infer<Schema>> => {
      const asked = client.request<{ Parameters: unknown[]; ReturnType: unknown }>({ method, params });
      const result = await asked.catch((error: unknown) => {
        throw toChainError(method, error);
      });
      const parsed = schema.safeParse(result ?? null);
      if (!parsed.success) throw new ChainAnswerRefused(`${method}: an answer of another shape`);
      return parsed.data;
    };
  const call = askBy(alone);
  const callTogether = askBy(together);

  const readOne = async (number: number, watched: ReadonlySet<string>): Promise<ChainBlock | null> => {
    const block = await call('eth_getBlockByNumber', [numberToHex(number), true], blockSchema);
    if (block === null) return null;
    // By hash, so that a reorg between the two questions cannot mix two blocks.
    const receipts = await call('eth_getBlockReceipts', [block.hash], receiptsSchema);
    return readWhole(number, block, receipts, watched);
  };

  /** Null when the node did not answer all of it well: too many questions, too long an answer, or half of one. */
  const readTogether = async (first: number, count: number, watched: ReadonlySet<string>) => {
    const answers = Array.from({ length: count }, async (_, index) => {
      const height = numberToHex(first + index);
      // Both by number: a reorg between the two shows, because receipts name the hash of their block.
      return await Promise.all([
        callTogether('eth_getBlockByNumber', [height, true], blockSchema),
        callTogether('eth_getBlockReceipts', [height], receiptsSchema),
      ]);
    });
    try {
      const blocks: ChainBlock[] = [];
      for (const [index, [block, receipts]] of (await Promise.all(answers)).entries()) {
        if (block === null) break;
        blocks.push(readWhole(first + index, block, receipts, watched));
      }
      return blocks;
    } catch (error) {
      // Asked for alone, a block that is refused is refused again.
      if (error instanceof ChainAnswerRefused) return null;
      throw error;
    }
  };

  /** A range that is too large is halved, down to a block that is asked for alone. */
  const readRange = async (
    first: number,
    count: number,
    watched: ReadonlySet<string>,
  ): Promise<readonly ChainBlock[]> => {
    if (count === 1) {
      const block = await readOne(first, watched);
      return block === null ? [] : [block];
    }
    const together = count <= BLOCKS_A_QUESTION ? await readTogether(first, count, watched) : null;
    if (together !== null) return together;
    const half = count > BLOCKS_A_QUESTION ? BLOCKS_A_QUESTION : Math.floor(count / 2);
    const front = await readRange(first, half, watched);
    if (front.length < half) return front;
    return [...front, ...(await readRange(first + half, count - half, watched))];
  };

  return {
    async head() {
      const header = await call('eth_getBlockByNumber', ['latest', false], headerSchema);
      if (header === null) throw new ChainAnswerRefused('a node without a head');
      return { number: Number(header.number), hash: header.hash };
    },
    async header(number) {
      const header = await call('eth_getBlockByNumber', [numberToHex(number), false], headerSchema);
      return header === null ? null : { hash: header.hash, parentHash: header.parentHash };
    },
    blocks: readRange,
    async transaction(hash) {
      const receipt = await call('eth_getTransactionReceipt', [hash], receiptSchema);
      const signed = await call('eth_getTransactionByHash', [hash], transactionBySchema);
      return {
        receipt: receipt && { blockNumber: Number(receipt.blockNumber), succeeded: receipt.status === '0x1' },
        signed: signed && { from: signed.from, nonce: Number(signed.nonce) },
      };
    },
    async cost(hash) {
      const receipt = await call('eth_getTransactionReceipt', [hash], costSchema);
      if (receipt === null) return null;
      const { transactionHash, blockNumber, blockHash, from, status } = receipt;
      if (transactionHash !== hash) throw new ChainAnswerRefused(`asked for ${hash}, given ${transactionHash}`);
      const minor = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
      return { blockNumber: Number(blockNumber), blockHash, from, minor, succeeded: status === '0x1' };
    },
    async spentNonces(address, blockNumber) {
      return Number(await call('eth_getTransactionCount', [address, numberToHex(blockNumber)], z.string()));
    },
  };
}

/** An answer that is none is refused. A node that is away stays an error, whose text names neither its address nor our question. */
function toChainError(method: string, error: unknown): Error {
  if (!(error instanceof BaseError)) return new ChainAnswerRefused(`${method}: no JSON-RPC answer`);
  const reason = `${method}: ${error.details || error.shortMessage}`;
  const isAnswer =
    !(error instanceof TimeoutError) &&
    (!(error instanceof HttpRequestError) || error.status === 413 || error.cause instanceof SyntaxError);
  return isAnswer ? new ChainAnswerRefused(reason) : new Error(reason);
}

/** @throws ChainAnswerRefused */
function readWhole(
  number: number,
  block: NonNullable<z.infer<typeof blockSchema>>,
  receipts: z.infer<typeof receiptsSchema>,
  watched: ReadonlySet<string>,
): ChainBlock {
  if (Number(block.number) !== number) throw new ChainAnswerRefused(`asked for ${number}, given ${block.number}`);
  if (receipts === null) throw new ChainAnswerRefused(`block ${number}: no receipts`);
  return readBlock(block, receipts, watched);
}
