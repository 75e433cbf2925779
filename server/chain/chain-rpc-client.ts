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

const answerSchema = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });
const togetherSchema = z.array(z.object({ id: z.number(), result: z.unknown() }));

/** A node over JSON-RPC. Every answer is parsed, and what does not fit is refused. @throws Error when the node is away */
export function createChainRpcClient(options: { url: string; timeoutMs: number }): ChainPort {
  let nextId = 0;
  const toHex = (number: number) => `0x${number.toString(16)}`;
  const question = (method: string, params: unknown[]) => {
    nextId += 1;
    return { jsonrpc: '2.0', id: nextId, method, params };
  };
  const post = (body: unknown) =>
    fetch(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(options.timeoutMs),
    });
  const call = async <Schema extends z.ZodType>(method: string, params: unknown[], schema: Schema) => {
    const response = await post(question(method, params));
    const answer = answerSchema.safeParse(await response.json());
    if (!answer.success) throw new ChainAnswerRefused(`${method}: no JSON-RPC answer`);
    if (answer.data.error !== undefined) throw new ChainAnswerRefused(`${method}: ${answer.data.error.message}`);
    return conform(method, answer.data.result ?? null, schema);
  };

  const readOne = async (number: number, watched: ReadonlySet<string>): Promise<ChainBlock | null> => {
    const block = await call('eth_getBlockByNumber', [toHex(number), true], blockSchema);
    if (block === null) return null;
    // By hash, so that a reorg between the two questions cannot mix two blocks.
    const receipts = await call('eth_getBlockReceipts', [block.hash], receiptsSchema);
    return readWhole(number, block, receipts, watched);
  };

  /** Null when the node did not answer all of it: too many questions, too long an answer, or half of one. */
  const readTogether = async (first: number, count: number, watched: ReadonlySet<string>) => {
    const heights = Array.from({ length: count }, (_, index) => toHex(first + index));
    // Both by number: a reorg between the two shows, because receipts name the hash of their block.
    const questions = heights.flatMap((height) => [
      question('eth_getBlockByNumber', [height, true]),
      question('eth_getBlockReceipts', [height]),
    ]);
    const response = await post(questions);
    const answers = togetherSchema.safeParse(parseJson(await response.text()));
    if (!answers.success) return null;
    const results = new Map(answers.data.map(({ id, result }) => [id, result]));
    if (!questions.every(({ id }) => results.get(id) !== undefined)) return null;
    const blocks: ChainBlock[] = [];
    for (let index = 0; index < count; index += 1) {
      const [asked, askedReceipts] = questions.slice(index * 2);
      const block = conform('eth_getBlockByNumber', results.get(asked?.id ?? 0), blockSchema);
      if (block === null) break;
      const receipts = conform('eth_getBlockReceipts', results.get(askedReceipts?.id ?? 0), receiptsSchema);
      blocks.push(readWhole(first + index, block, receipts, watched));
    }
    return blocks;
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
      const header = await call('eth_getBlockByNumber', [toHex(number), false], headerSchema);
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
      return Number(await call('eth_getTransactionCount', [address, toHex(blockNumber)], z.string()));
    },
  };
}

/** @throws ChainAnswerRefused */
function conform<Schema extends z.ZodType>(method: string, result: unknown, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(result);
  if (!parsed.success) throw new ChainAnswerRefused(`${method}: an answer of another shape`);
  return parsed.data;
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Half an answer is no answer; the caller asks for less.
    return null;
  }
}
