import type { Statement } from '#server/db/database.ts';

/**
 * The last blocks up to the cursor without a gap, oldest first: one more than are asked for, as the parent of the first.
 *
 * $1 network, $2 how many
 */
export const findOverlapSql: Statement = {
  name: 'find_overlap',
  text: `
select b.block_number, b.block_hash from (
  select x.block_number, x.block_hash, c.block_number - x.block_number = row_number() over (order by x.block_number desc) - 1 as joined
  from chain_cursors c join chain_blocks x on x.network_id = c.network_id
  where c.network_id = $1 and x.canonical and x.block_number between c.block_number - $2::bigint and c.block_number
) b where b.joined order by b.block_number`,
};
