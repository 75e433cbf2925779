import type { Statement } from '#server/db/database.ts';

/**
 * Open rows that nobody will look at again, and doubts that are older than they may be. A row without a next step, or whose next
 * step is ten minutes late, is lost: every loop is due within seconds.
 */
export const findUnattendedSql: Statement = {
  name: 'find_unattended',
  text: `
    select w.id, 'lost' as problem from withdrawals w
    where w.status in ('queued', 'dispatching', 'in_doubt', 'submitted', 'broadcast') and w.parked_at is null
      and (w.next_action_at is null or w.next_action_at < protocol_now() - interval '10 minutes')
      and not (w.status = 'queued' and exists (select 1 from outbox o where o.withdrawal_id = w.id and o.relayed_at is null))
    union all
    select w.id, 'unresolved' from withdrawals w
    where w.status = 'in_doubt' and w.status_since < protocol_now() - case when w.parked_at is null then interval '15 minutes' else interval '1 hour' end
    limit 1000`,
};

/**
 * Withdrawals for which the chain shows two transfers that count. A transaction that was replaced and never mined shows none.
 *
 * $1 since when they were seen
 */
export const findDoublePaidSql: Statement = {
  name: 'find_double_paid',
  text: `
    select e.withdrawal_id as id from chain_effects e
    where e.withdrawal_id is not null and e.state <> 'orphaned'
      and e.withdrawal_id in (select w.id from withdrawals w where w.submitted_at > $1)
    group by 1 having count(*) > 1 limit 1000`,
};

/**
 * Custody's list against our rows, the ledger and the chain, reference by reference. A row that has not ended says nothing yet
 * about ledger and chain; one that ended without a transfer must not be on the list with coins that move.
 *
 * $1 custody's transfers as JSON, $2 since when
 */
export const findBookDifferencesSql: Statement = {
  name: 'find_book_differences',
  text: `
    with theirs as (
      select t.id, t.reference, t.asset, t.network, t.amount, t.status
      from jsonb_to_recordset($1::jsonb) as t(id text, reference uuid, asset text, network text, amount numeric, status text)
    ), judged as (
      select t.reference, case
        when w.id is null or w.asset_id is null then 'missing_here'
        when w.asset_id <> t.asset or w.network_id <> t.network or w.amount_minor <> t.amount * power(10::numeric, a.decimals) then 'custody_differs'
        when w.transfer_id is not null and w.transfer_id <> t.id then 'other_transfer'
        when w.status in ('cancelled', 'rejected', 'refused', 'failed') and t.status <> 'failed' then 'paid_though_ended'
        when w.status = 'completed' and coalesce((
          select sum(e.amount_minor) from ledger_transfers l join ledger_entries e on e.transfer_id = l.id join ledger_accounts c on c.id = e.credit_account_id
          where l.source_id = w.id and l.kind = 'post' and c.kind = 'custody_hot'), 0) <> w.amount_minor then 'ledger_differs'
        -- Where a network is read again, what stands above the cursor was not looked for yet.
        when w.status = 'completed' and exists (select 1 from chain_cursors k where k.network_id = w.network_id
          and coalesce((select e.amount_minor from chain_effects e where e.id = w.completing_effect_id
            and (e.state <> 'orphaned' or e.block_number > k.block_number)), 0) <> w.amount_minor) then 'chain_differs'
        end as problem
      from theirs t left join withdrawals w on w.idempotency_key = t.reference left join assets a on a.id = w.asset_id
    )
    select j.reference::text, j.problem from judged j where j.problem is not null
    union all
    -- The list is by custody's clock: what is near the edge of the span may stand on the other side of it.
    select w.idempotency_key::text, 'missing_there' from withdrawals w
    where w.status = 'completed' and w.requested_at > $2::timestamptz + interval '1 minute'
      and w.submitted_at < protocol_now() - interval '1 minute'
      and not exists (select 1 from theirs t where t.reference = w.idempotency_key)
    limit 1000`,
};
