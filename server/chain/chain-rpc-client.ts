import { z } from 'zod';
import { ChainAnswerRefused, type ChainPort } from '#server/chain/chain-port.ts';
import {
  blockSchema,
  headerSchema,
  readBlock,
  receiptSchema,
  receiptsSchema,
  transactionBySchema,
} from '#server/chain/chain-wire.ts';

const answerSchema = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() });

/** A node over JSON-RPC. Every answer is parsed, and what does not fit is refused. @throws Error when the node is away */
export function createChainRpcClient(options: { url: string; timeoutMs: number }): ChainPort {
  let nextId = 0;
  const call = async <Schema extends z.ZodType>(method: string, params: unknown[], schema: Schema) => {
    nextId += 1;
    const response = await fetch(options.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: nextId, method, params }),
      signal: AbortSignal.timeout(options.timeoutMs),
    });
    const answer = answerSchema.safeParse(await response.json());
    if (!answer.success) throw new ChainAnswerRefused(`${method}: no JSON-RPC answer`);
    if (answer.data.error !== undefined) throw new ChainAnswerRefused(`${method}: ${answer.data.error.message}`);
    const parsed = schema.safeParse(answer.data.result ?? null);
    if (!parsed.success) throw new ChainAnswerRefused(`${method}: an answer of another shape`);
    return parsed.data;
  };
  const toHex = (number: number) => `0x${number.toString(16)}`;

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
    async block(number, watched) {
      const block = await call('eth_getBlockByNumber', [toHex(number), true], blockSchema);
      if (block === null) return null;
      if (Number(block.number) !== number) throw new ChainAnswerRefused(`asked for ${number}, given ${block.number}`);
      // By hash, so that a reorg between the two questions cannot mix two blocks.
      const receipts = await call('eth_getBlockReceipts', [block.hash], receiptsSchema);
      if (receipts === null) throw new ChainAnswerRefused(`block ${number}: no receipts`);
      return readBlock(block, receipts, watched);
    },
    async transaction(hash) {
      const receipt = await call('eth_getTransactionReceipt', [hash], receiptSchema);
      const signed = await call('eth_getTransactionByHash', [hash], transactionBySchema);
      return {
        receipt: receipt && { blockNumber: Number(receipt.blockNumber), succeeded: receipt.status === '0x1' },
        signed: signed && { from: signed.from, nonce: Number(signed.nonce) },
      };
    },
    async spentNonces(address, blockNumber) {
      return Number(await call('eth_getTransactionCount', [address, toHex(blockNumber)], z.string()));
    },
  };
}
