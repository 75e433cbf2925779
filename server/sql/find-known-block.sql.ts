import type { Statement } from '#server/db/database.ts';

/**
 * The hash that we hold for a height.
 *
 * $1 network, $2 number
 */
export const findKnownBlockSql: Statement = {
  name: 'find_known_block',
  text: 'select block_hash from chain_blocks where network_id = $1 and block_number = $2 and canonical',
};
