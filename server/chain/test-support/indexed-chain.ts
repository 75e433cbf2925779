import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { createChainRpcClient } from '#server/chain/chain-rpc-client.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { disarmFaultPoints } from '#server/fault-points.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { processWithdrawal } from '../../../worker/processors/withdrawal-processor.ts';
import {
  createDispatchWorld,
  type DispatchWorld,
  type Requested,
} from '../../../worker/test-support/dispatch-world.ts';
import { type OwnChain, startOwnChain } from '../../../worker/test-support/own-chain.ts';

/** What these tests withdraw, in wei. */
export const ETHER = 20_000_000_000_000_000n;
/** Confirmations to finality, in these tests. */
export const DEPTH = 3;

let node: OwnChain;
let chain: ChainPort;
let world: DispatchWorld;

/** A chain of the file's own, and for each of its tests a new world that begins at the present head. Called once, at the top. */
export function useIndexedChain() {
  beforeAll(async () => {
    node = await startOwnChain();
    chain = createChainRpcClient({ url: node.url, timeoutMs: 10_000 });
  });
  afterAll(() => node.stop());
  beforeEach(async () => {
    world = await createDispatchWorld();
    // In place of an operator with a second factor.
    await world.rows('alter table networks disable trigger networks_fewer_confirmed');
    await world.rows('update networks set confirmations_required = $1', [DEPTH]);
    await beginAtHead();
  });
  afterEach(async () => {
    disarmFaultPoints();
    await world.close();
  });
  return {
    get node() {
      return node;
    },
    get chain() {
      return chain;
    },
    get world() {
      return world;
    },
  };
}

/** What earlier tests left below is nobody's business here. */
async function beginAtHead(): Promise<void> {
  const head = await chain.head();
  const header = await chain.header(head.number);
  await world.rows(
    'insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at) values ($1, $2, $3, $4, now())',
    ['ethereum', head.hash, head.number, header?.parentHash],
  );
  await world.rows('insert into chain_cursors (network_id, block_number, block_hash) values ($1, $2, $3)', [
    'ethereum',
    head.number,
    head.hash,
  ]);
}

/** Turns as the loop does, until nothing is left to read. */
export async function follow(port: ChainPort = chain): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) {
    const result = await indexBlocks({ db: world.db, chain: port }, { networkId: 'ethereum', limit: 10 });
    if (result.number !== null)
      await applyChainHead({ db: world.db }, { networkId: 'ethereum', headNumber: result.number });
    if (!result.isBehind) return;
  }
  throw new Error('the indexer does not come to an end');
}

/** A withdrawal that custody has broadcast under this hash. */
export async function broadcast(hash: string, requested: Requested): Promise<void> {
  await processWithdrawal(world.tools, { withdrawalId: requested.withdrawalId });
  await name(hash, requested);
}

/** Custody names a transaction of a transfer that it has. */
export async function name(hash: string, { key }: Requested): Promise<void> {
  const shown = world.custody.transferOf(key);
  const transactions = [{ hash, nonce: 0n, status: 'broadcast' }];
  const transfer = { ...shown, createdAtMs: null, status: 'broadcast', transactions };
  const fact = { transfer, site: world.tools.custody.site, source: 'webhook', sourceId: 'e', attempt: null } as const;
  await world.db.transaction((tx) => applyCustodyEvent({ db: tx, times: world.tools.times }, fact));
}

export const requestEther = (address: string) => world.request({ asset: 'ETH', amountMinor: ETHER, address });
export const someAddress = () => `0x${randomBytes(20).toString('hex')}`;
export const effects = () => world.rows('select * from chain_effects order by id');
