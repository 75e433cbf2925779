import type { Statement } from '#server/db/database.ts';

// What is known of the row, so that an answer that says nothing else is recognised without its lock.
const LEASED = `w.id, w.fence, w.idempotency_key, w.status, w.status_since, w.parked_at is not null as parked, w.transfer_id,
    w.asset_id, w.network_id, w.address, w.memo, w.amount_minor`;
const COLUMNS = `l.idempotency_key, l.status, l.fence, l.parked, a.attempt, l.transfer_id, l.asset_id, l.network_id, l.address, l.memo, l.amount_minor,
  (extract(epoch from protocol_now() - l.status_since) * 1000)::float8 as age_ms,
  (select s.decimals from assets s where s.id = l.asset_id) as decimals,
  array(select t.transaction_hash from withdrawal_transactions t where t.withdrawal_id = l.id) as hashes,
  exists (select 1 from withdrawal_attempts x where x.withdrawal_id = l.id and x.kind = 'send' and x.proved_absent_at is not null) as denied,
  not exists (select 1 from chain_cursors c where c.network_id = l.network_id) as unread`;

/**
 * One look at a transfer that custody has: the row is leased, and the look-up written down before it is asked. No fence is
 * taken, because nothing that this look may bring needs one.
 *
 * $1 id, $2 provider, $3 account, $4 milliseconds of the lease
 */
export const beginPollSql: Statement = {
  name: 'begin_poll',
  text: `
with locked as (
  select w.id, w.status from withdrawals w where w.id = $1 for no key update
), leased as (
  update withdrawals w set next_action_at = protocol_now() + $4::float8 * interval '1 millisecond'
  from locked l
  -- The words are asked of what was read, or the planner reads everything that is under way in place of the id.
  where w.id = l.id and l.status in ('submitted', 'broadcast') and w.next_action_at <= protocol_now()
  returning ${LEASED}
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account)
  select l.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = l.id), 0), 'look_up', l.fence, $2, $3
  from leased l
  returning attempt
)
select ${COLUMNS} from leased l, attempt a`,
};

/** The same for many, locked in the order of their ids. $1 to $4 arrays of what `begin_poll` takes */
export const gatheredBeginPollSql: Statement = {
  name: 'gathered_begin_poll',
  text: `
with asked as (
  select * from unnest($1::uuid[], $2::text[], $3::text[], $4::float8[]) with ordinality as a(id, provider, account, wait_ms, place)
), locked as (
  select w.id, w.status from withdrawals w where w.id = any($1::uuid[]) order by w.id for no key update
), leased as (
  update withdrawals w set next_action_at = protocol_now() + q.wait_ms * interval '1 millisecond'
  from asked q join locked l on l.id = q.id
  where w.id = q.id and l.status in ('submitted', 'broadcast') and w.next_action_at <= protocol_now()
  returning ${LEASED}, q.place, q.provider, q.account
), attempt as (
  insert into withdrawal_attempts (withdrawal_id, attempt, kind, fence, provider, provider_account)
  select l.id, 1 + coalesce((select max(a.attempt) from withdrawal_attempts a where a.withdrawal_id = l.id), 0), 'look_up', l.fence, l.provider, l.account
  from leased l
  returning withdrawal_id, attempt
)
select l.place::integer as place, ${COLUMNS} from leased l join attempt a on a.withdrawal_id = l.id`,
};
