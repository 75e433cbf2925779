import type { Statement } from '#server/db/database.ts';

/**
 * Everything above the common ancestor is no longer on the chain. Final effects are not touched: a rewind never goes so deep.
 *
 * $1 network, $2 the ancestor's number
 */
export const orphanChainBlocksSql: Statement = {
  name: 'orphan_chain_blocks',
  text: `
with blocks as (
  update chain_blocks set canonical = false where network_id = $1 and block_number > $2 and canonical returning block_hash
), effects as (
  update chain_effects set state = 'orphaned'
  where network_id = $1 and block_number > $2 and state = 'included' returning id
)
select (select count(*) from blocks)::integer as blocks, (select count(*) from effects)::integer as effects`,
};
