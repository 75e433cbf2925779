import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { rewindBlocks } from '#server/chain/rewind-blocks.ts';
import { createDispatchWorld, type DispatchWorld } from '../../worker/test-support/dispatch-world.ts';
import { type OwnChain, startOwnChain } from '../../worker/test-support/own-chain.ts';

let node: OwnChain;
let chain: ChainPort;
let world: DispatchWorld;
beforeAll(async () => {
  node = await startOwnChain();
  chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  world = await createDispatchWorld();
  const { number, hash } = await chain.head();
  await world.rows('insert into chain_cursors (network_id, block_number, block_hash) values ($1, $2, $3)', [
    'ethereum',
    number,
    hash,
  ]);
});
afterAll(async () => {
  await world.close();
  await node.stop();
});

it('two indexers that meet one reorg rewind once: whoever comes second halts nothing', async () => {
  await node.rpc('anvil_mine', ['0x5']);
  await indexBlocks({ db: world.db, chain }, { networkId: 'ethereum', limit: 10 });
  const { number, hash } = await chain.head();
  const rewind = () =>
    rewindBlocks(
      { db: world.db, chain },
      { networkId: 'ethereum', cursor: { number, hash }, confirmationsRequired: 12 },
    );
  await node.rpc('anvil_reorg', [2, []]);
  expect(await rewind()).toEqual({ kind: 'rewound', depth: 2 });
  // It read the cursor before the first one moved it, and finds the blocks below already orphaned.
  expect(await rewind()).toEqual({ kind: 'moved_meanwhile' });
  expect(await world.rows('select halted_at from chain_cursors')).toEqual([{ halted_at: null }]);
});
