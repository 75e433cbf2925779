import type { Statement } from '#server/db/database.ts';

/**
 * The block after which a network is read for the first time.
 *
 * $1 network, $2 number, $3 hash, $4 parent's hash
 */
export const beginChainCursorSql: Statement = {
  name: 'begin_chain_cursor',
  text: `
with block as (
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at)
  values ($1, $3, $2, $4, protocol_now()) on conflict do nothing
)
insert into chain_cursors (network_id, block_number, block_hash) values ($1, $2, $3) on conflict do nothing returning network_id`,
};
