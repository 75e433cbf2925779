import type { z } from 'zod';
import { parseJson } from '#domain/json-text.ts';
import { ChainAnswerRefused, type ChainPort } from '#server/chain/chain-port.ts';
import {
  accountSchema,
  blocksSchema,
  headSchema,
  readSimulatedBlock,
  type SimulatedBlock,
  transactionSchema,
} from '#server/chain/simulated-wire.ts';

/** What the first block names as its parent. A simulated chain begins with nothing: no block stands at height 0. */
const BEGINNING = '0'.repeat(64);

/**
 * A simulated network over HTTP, asked as the JSON-RPC client asks a node: with a time-out, following no redirect, and refusing what
 * does not fit. `network` is its name there and here.
 *
 * @throws Error when the simulator is away
 */
export function createSimulatedChainClient(options: { url: string; network: string; timeoutMs: number }): ChainPort {
  const { network } = options;
  /** Null where the simulator says that there is no such thing. */
  const ask = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema> | null> => {
    const url = new URL(`/sim/${encodeURIComponent(network)}/${path}`, options.url);
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(options.timeoutMs) });
    const text = await response.text();
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`${network}: the simulator answered ${response.status}`);
    const parsed = schema.safeParse(parseJson(text));
    if (!parsed.success) throw new ChainAnswerRefused(`${network} ${path}: an answer of another shape`);
    return parsed.data;
  };
  /** What every simulated network has. */
  const askKnown = async <Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> => {
    const answer = await ask(path, schema);
    if (answer === null) throw new ChainAnswerRefused(`${network}: no such network is simulated`);
    return answer;
  };
  const readBlocks = async (first: number, count: number): Promise<readonly SimulatedBlock[]> => {
    const { data } = await askKnown(`blocks?from=${first}&limit=${count}`, blocksSchema);
    if (data.length > count) throw new ChainAnswerRefused(`asked for ${count} blocks, given ${data.length}`);
    for (const [place, { height }] of data.entries()) {
      if (height !== first + place) throw new ChainAnswerRefused(`asked for ${first + place}, given ${height}`);
    }
    return data;
  };
  const askTransaction = async (hash: string) => {
    const found = await ask(`transactions/${encodeURIComponent(hash)}`, transactionSchema);
    if (found !== null && found.hash !== hash) throw new ChainAnswerRefused(`asked for ${hash}, given ${found.hash}`);
    return found;
  };

  return {
    async head() {
      const { height, hash } = await askKnown('head', headSchema);
      return { number: height, hash };
    },
    async header(number) {
      if (number === 0) return { hash: BEGINNING, parentHash: '' };
      const [block] = await readBlocks(number, 1);
      return block === undefined ? null : { hash: block.hash, parentHash: block.parentHash };
    },
    async blocks(first, count, watched) {
      return (await readBlocks(first, count)).map((block) => readSimulatedBlock(block, watched));
    },
    async transaction(hash) {
      const found = await askTransaction(hash);
      if (found === null) return { receipt: null, signed: null, lastValidNumber: null };
      const { height, status, from, nonce, validUntilHeight } = found;
      return {
        receipt: height === null ? null : { blockNumber: height, succeeded: status === 'success' },
        signed: { from, nonce },
        lastValidNumber: validUntilHeight,
      };
    },
    async cost(hash) {
      const found = await askTransaction(hash);
      if (found === null || found.height === null || found.blockHash === null) return null;
      const { height: blockNumber, blockHash, from, status, charged: minor } = found;
      return { blockNumber, blockHash, from, minor, succeeded: status === 'success' };
    },
    async spentNonces(address, blockNumber) {
      const path = `accounts/${encodeURIComponent(address)}?height=${blockNumber}`;
      return (await askKnown(path, accountSchema)).nextNonce;
    },
  };
}
