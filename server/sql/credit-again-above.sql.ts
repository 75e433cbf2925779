import type { Statement } from '#server/db/database.ts';

/**
 * Deposits above this block are looked at again: one that was credited is known by its effect, and one that was missing is found.
 *
 * $1 network, $2 block
 */
export const creditAgainAboveSql: Statement = {
  name: 'credit_again_above',
  text: 'update chain_cursors set credited_number = $2 where network_id = $1 and credited_number > $2::bigint',
};
