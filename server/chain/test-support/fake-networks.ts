import { applyChainHead } from '#server/chain/apply-chain-head.ts';
import type { ChainPort } from '#server/chain/chain-port.ts';
import { indexBlocks } from '#server/chain/index-blocks.ts';
import { FAKE_TOKEN } from '#server/chain/test-support/fake-chain.ts';
import type { Database } from '#server/db/database.ts';

/** A network of a test's own in a shared database, so that hundreds of chains disturb nobody. */
export async function openFakeNetwork(db: Database, networkId: string, confirmationsRequired: number): Promise<void> {
  await db.query(
    {
      name: '',
      text: `with network as (
        insert into networks (id, name, family, confirmations_required, explorer_transaction_template) values ($1, $1, 'evm', $2, '') returning id
      ) insert into asset_networks (asset_id, network_id, contract, minimum_minor, fee_minor, memo_rule)
        select 'USDC', id, $3, 1, 0, 'none' from network`,
    },
    [networkId, confirmationsRequired, FAKE_TOKEN],
  );
}

/** Turns as the loop does, until nothing is left to read. */
export async function followChain(deps: { db: Database; chain: ChainPort }, networkId: string): Promise<void> {
  for (let turn = 0; turn < 200; turn += 1) {
    const result = await indexBlocks(deps, { networkId, limit: 50 });
    if (result.number !== null) await applyChainHead(deps, { networkId, headNumber: result.number });
    if (!result.isBehind) return;
  }
  throw new Error('the indexer does not come to an end');
}

/** What the index says of the present chain, without the names of the network. */
export async function readIndex(db: Database, networkId: string): Promise<unknown> {
  const [row] = await db.query<object>(
    {
      name: '',
      text: `select
        (select json_agg(json_build_array(b.block_number, b.block_hash) order by b.block_number) from chain_blocks b where b.network_id = $1 and b.canonical) as blocks,
        (select json_agg(json_build_array(e.transaction_hash, e.ordinal, e.contract, e.from_address, e.to_address, e.amount_minor::text, e.block_number, e.block_hash, e.state)
          order by e.block_number, e.transaction_hash, e.ordinal, e.amount_minor) from chain_effects e where e.network_id = $1 and e.state <> 'orphaned') as effects,
        (select json_build_array(c.block_number, c.block_hash, c.halted_at is not null) from chain_cursors c where c.network_id = $1) as cursor`,
    },
    [networkId],
  );
  return row;
}

export interface SeenIndex {
  readonly blocks: readonly (readonly [number, string])[];
  readonly effects: readonly (readonly unknown[])[];
  readonly cursor: readonly [number, string, boolean];
}

/** The same from one block on. */
export async function readIndexFrom(db: Database, networkId: string, from: number): Promise<SeenIndex> {
  const [row] = await db.query<SeenIndex>(
    {
      name: 'read_index_from',
      text: `select
        (select coalesce(json_agg(json_build_array(b.block_number, b.block_hash) order by b.block_number), '[]') from chain_blocks b
          where b.network_id = $1 and b.canonical and b.block_number >= $2) as blocks,
        (select coalesce(json_agg(json_build_array(e.transaction_hash, e.ordinal, e.contract, e.from_address, e.to_address, e.amount_minor::text,
            e.block_number, e.block_hash, e.state)), '[]')
          from chain_effects e where e.network_id = $1 and e.block_number >= $2 and e.state <> 'orphaned') as effects,
        (select json_build_array(c.block_number, c.block_hash, c.halted_at is not null) from chain_cursors c where c.network_id = $1) as cursor`,
    },
    [networkId, from],
  );
  if (row === undefined) throw new Error('no such network');
  return row;
}
