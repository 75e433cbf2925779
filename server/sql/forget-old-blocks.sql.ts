import type { Statement } from '#server/db/database.ts';

/**
 * Forgets blocks far below every finality; they serve only for walking back. Effects are kept for ever.
 *
 * $1 network, $2 the lowest number that is kept
 */
export const forgetOldBlocksSql: Statement = {
  name: 'forget_old_blocks',
  text: 'delete from chain_blocks where network_id = $1 and block_number < $2',
};
