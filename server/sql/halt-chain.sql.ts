import type { Statement } from '#server/db/database.ts';

/**
 * A network whose final blocks changed is read no further until people have looked.
 *
 * $1 network, $2 reason, $3 number and $4 hash of the cursor as they were read
 */
export const haltChainSql: Statement = {
  name: 'halt_chain',
  text: `
update chain_cursors set halted_at = protocol_now(), halt_reason = $2
where network_id = $1 and block_number = $3 and block_hash = $4 and halted_at is null returning network_id`,
};
