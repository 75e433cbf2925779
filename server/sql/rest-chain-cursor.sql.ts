import type { Statement } from '#server/db/database.ts';

/**
 * Says that a network whose chain stands still was looked at, and has no block that is not written.
 *
 * $1 network, $2 number of the newest block
 */
export const restChainCursorSql: Statement = {
  name: 'rest_chain_cursor',
  text: 'update chain_cursors set updated_at = protocol_now() where network_id = $1 and block_number = $2 and halted_at is null',
};
