import type { Books } from '../proof-world.ts';
import type { LedgerFacts } from './facts.ts';

/** Judges the books by their entries alone, as if no constraint kept them. */
export async function gatherLedger(world: Pick<Books, 'ask'>): Promise<LedgerFacts> {
  const ids = async (text: string) => (await world.ask<{ id: string }>(text)).map(({ id }) => id);
  const sums = await world.ask<{ asset: string; difference: string }>(FIND_DIFFERENCE);
  return {
    doubled: await ids(FIND_DOUBLED),
    misfit: await ids(FIND_MISFIT),
    everNegative: await ids(FIND_EVER_NEGATIVE),
    drifted: await ids(FIND_DRIFTED),
    differenceByAsset: Object.fromEntries(sums.map(({ asset, difference }) => [asset, difference])),
  };
}

const FIND_DOUBLED = `
  select source_id::text as id from ledger_transfers where kind in ('hold', 'post', 'void')
  group by source_id
  having count(*) filter (where kind = 'hold') > 1 or count(*) filter (where kind in ('post', 'void')) > 1`;

const FIND_MISFIT = `
  select w.id::text as id from withdrawals w
  left join lateral (select array_agg(t.kind order by t.kind) as kinds from ledger_transfers t where t.source_id = w.id) l on true
  where coalesce(l.kinds, '{}') is distinct from case
    when w.status = 'refused' then '{}'::text[]
    when w.status = 'completed' then '{hold,post}'
    when w.status in ('failed', 'cancelled', 'rejected') then '{hold,void}'
    else '{hold}' end
    and not (w.status in ('failed', 'cancelled', 'rejected') and l.kinds = '{hold,late,void}')`;

const MOVES = `
  select e.transfer_id, e.leg, e.asset_id, e.credit_account_id as account_id, e.amount_minor as amount from ledger_entries e
  union all
  select e.transfer_id, e.leg, e.asset_id, e.debit_account_id, -e.amount_minor from ledger_entries e`;

// In the order of commits as far as it is known: transfers of one customer are made under that customer's row lock.
const FIND_EVER_NEGATIVE = `
  with running as (
    select m.account_id, sum(m.amount) over (partition by m.account_id order by m.transfer_id, m.leg) as balance
    from (${MOVES}) m
  )
  select distinct a.id::text as id from running r join ledger_accounts a on a.id = r.account_id
  where r.balance < 0 and a.kind in ('customer_available', 'customer_held')`;

const FIND_DRIFTED = `
  with sums as (select m.account_id, sum(m.amount) as balance from (${MOVES}) m group by 1)
  select b.customer_id::text as id from customer_balances b
  left join sums v on v.account_id = b.available_account_id left join sums h on h.account_id = b.held_account_id
  where b.available_minor <> coalesce(v.balance, 0) or b.held_minor <> coalesce(h.balance, 0) or b.available_minor < 0`;

const FIND_DIFFERENCE = `select m.asset_id as asset, sum(m.amount)::text as difference from (${MOVES}) m group by 1`;
