import type { Statement } from '#server/db/database.ts';

/**
 * How many effects stand in some blocks.
 *
 * $1 network, $2 the block before the first, $3 the last block
 */
export const countEffectsSql: Statement = {
  name: 'count_effects',
  text: `
select count(*)::integer as effects from chain_effects
where network_id = $1 and block_number > $2::bigint and block_number <= $3::bigint and state <> 'orphaned'`,
};
