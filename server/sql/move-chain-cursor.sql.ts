import type { Statement } from '#server/db/database.ts';

/**
 * Moves the cursor, if it still stands where it was read: of two indexers one moves and the other rolls back. Moved back,
 * deposits are credited again from there on: what stands in the blocks to come was not looked at yet, however deep it is.
 *
 * $1 network, $2 number and $3 hash as they were read, $4 new number, $5 new hash
 */
export const moveChainCursorSql: Statement = {
  name: 'move_chain_cursor',
  text: `
update chain_cursors set block_number = $4, block_hash = $5, updated_at = protocol_now(),
  credited_number = case when credited_number > $4 then $4 else credited_number end
where network_id = $1 and block_number = $2 and block_hash = $3 and halted_at is null
returning network_id`,
};
