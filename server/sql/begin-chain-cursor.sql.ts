import type { Statement } from '#server/db/database.ts';

/**
 * The block after which a network is read for the first time. What waited for people because nobody read it is asked of custody and the
 * chain again: from now on its end can be proved.
 *
 * $1 network, $2 number, $3 hash, $4 parent's hash
 */
export const beginChainCursorSql: Statement = {
  name: 'begin_chain_cursor',
  text: `
with block as (
  insert into chain_blocks (network_id, block_hash, block_number, parent_hash, mined_at)
  values ($1, $3, $2, $4, protocol_now()) on conflict do nothing
), asked_again as (
  update withdrawals w set parked_at = case when w.parked_reason in ('given_up_unproved', 'end_unproved') then null else w.parked_at end,
    parked_reason = case when w.parked_reason in ('given_up_unproved', 'end_unproved') then null else w.parked_reason end,
    wait_reason = null, next_action_at = protocol_now(), revision = w.revision + 1
  where w.network_id = $1 and w.status in ('submitted', 'broadcast')
    and (w.parked_reason in ('given_up_unproved', 'end_unproved') or w.wait_reason = 'no_reader')
)
insert into chain_cursors (network_id, block_number, block_hash) values ($1, $2, $3) on conflict do nothing returning network_id`,
};
