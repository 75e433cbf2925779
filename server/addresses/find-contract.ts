import { z } from 'zod';

// Somebody is typing: a node that is slower than this says nothing in time.
const TIMEOUT_MS = 2_000;
/** An ordinary account that lets a contract act for it (EIP-7702) still belongs to whoever has its key. */
const DELEGATED_ACCOUNT = '0xef0100';

const answerSchema = z.object({ result: z.string().regex(/^0x[0-9a-f]*$/i) });

/**
 * Whether a contract lives at an address of the chain that we read. Coins can be paid to one, but not every contract can
 * give them back, so whoever asks is told before. Unknown is never taken for "no".
 *
 * @param input.address a sound address in canonical form
 */
export async function findContract(input: {
  chainRpcUrl: string;
  address: string;
}): Promise<'contract' | 'account' | 'unknown'> {
  try {
    const response = await fetch(input.chainRpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getCode', params: [input.address, 'latest'] }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { result } = answerSchema.parse(await response.json());
    return result === '0x' || result.toLowerCase().startsWith(DELEGATED_ACCOUNT) ? 'account' : 'contract';
  } catch {
    // A warning is lost and nothing else: what may be paid is decided without the chain.
    return 'unknown';
  }
}
