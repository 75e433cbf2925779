import type { Statement } from '#server/db/database.ts';

/**
 * The lowest block above a number in which something is final already, by whatever finality was in force then; null for none.
 *
 * $1 network, $2 number
 */
export const findFinalAboveSql: Statement = {
  name: 'find_final_above',
  text: `
select min(block_number) as block_number from chain_effects
where network_id = $1 and block_number > $2::bigint and state = 'final'`,
};
