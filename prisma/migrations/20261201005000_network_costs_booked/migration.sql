-- What a transaction of a hot wallet cost on its network leaves the wallet, and is booked once it is final: by the receipt, once a hash.
create table network_costs (
  network_id text not null references networks (id),
  transaction_hash text not null,
  -- The source of the ledger transfer.
  id uuid not null default gen_random_uuid() constraint network_costs_id_unique unique,
  asset_id text not null references assets (id),
  amount_minor numeric(78, 0) not null constraint network_costs_amount_positive check (amount_minor > 0),
  block_number bigint not null,
  block_hash text not null,
  -- A transaction that failed cost as much.
  succeeded boolean not null,
  booked_at timestamptz not null default protocol_now(),
  primary key (network_id, transaction_hash)
);
create trigger network_costs_append_only before update or delete or truncate on network_costs
  for each statement execute function refuse_change('network_costs_append_only');
comment on constraint network_costs_id_unique on network_costs is 'a cost is the source of one booking';
comment on constraint network_costs_amount_positive on network_costs is 'what cost nothing is not booked';
comment on trigger network_costs_append_only on network_costs is 'what was paid for a transaction is not rewritten';

-- What was named before today was adjusted by people, if by anybody.
alter table withdrawal_transactions add column cost_settled_at timestamptz default now(), add column cost_looked_at timestamptz,
  -- When the node last showed a receipt: a cost that is only not final yet, or in a block that was not read yet, is not given up.
  add column cost_seen_at timestamptz;
alter table withdrawal_transactions alter column cost_settled_at drop default;
create index withdrawal_transactions_cost_open on withdrawal_transactions (first_seen_at) where cost_settled_at is null;
create index own_addresses_hot_wallets on own_addresses (network_id) where kind = 'hot_wallet';

alter table ledger_transfers drop constraint ledger_transfers_kind;
alter table ledger_transfers add constraint ledger_transfers_kind check (kind in ('opening', 'deposit', 'hold', 'post', 'void', 'late', 'adjustment',
  'network_cost'));
comment on constraint ledger_transfers_kind on ledger_transfers is 'there are eight reasons to book';

-- As before, and a network's cost is the one that its receipt names, out of the hot wallet.
create or replace function ledger_transfers_guard() returns trigger language plpgsql as $$
declare v_right boolean;
begin
  if new.kind in ('hold', 'void') then
    select e.leg = 1 and e.amount_minor = w.total_minor and case new.kind
        when 'hold' then w.status <> 'refused' and e.debit_account_id = b.available_account_id and e.credit_account_id = b.held_account_id
        else w.status in ('failed', 'cancelled', 'rejected') and e.debit_account_id = b.held_account_id and e.credit_account_id = b.available_account_id end
      into v_right
      from withdrawals w
      join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id
      join ledger_entries e on e.transfer_id = new.id
      where w.id = new.source_id order by e.leg desc limit 1;
  elsif new.kind in ('post', 'late') then
    select coalesce(sum(e.amount_minor) filter (where c.kind = 'custody_hot'), 0) = w.amount_minor and case new.kind
        when 'post' then w.status = 'completed' and bool_and(e.debit_account_id = b.held_account_id)
          and coalesce(sum(e.amount_minor) filter (where c.kind = 'withdrawal_fees'), 0) = w.fee_minor and sum(e.amount_minor) = w.total_minor
        else w.status in ('failed', 'cancelled', 'rejected') and bool_and(d.kind = 'customer_receivable' and d.customer_id = w.customer_id)
          and sum(e.amount_minor) = w.amount_minor end
      into v_right
      from withdrawals w
      join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id
      join ledger_entries e on e.transfer_id = new.id
      join ledger_accounts d on d.id = e.debit_account_id
      join ledger_accounts c on c.id = e.credit_account_id
      where w.id = new.source_id group by w.id, b.held_account_id;
  elsif new.kind = 'adjustment' then
    select e.leg = 1 and e.amount_minor = j.amount_minor and e.debit_account_id = j.debit_account_id and e.credit_account_id = j.credit_account_id
      into v_right
      from ledger_adjustments j join ledger_entries e on e.transfer_id = new.id
      where j.id = new.source_id and j.confirmed_at is not null order by e.leg desc limit 1;
  elsif new.kind = 'network_cost' then
    select e.leg = 1 and e.amount_minor = c.amount_minor and e.debit_account_id = ledger_house_account(new.asset_id, 'network_costs')
        and e.credit_account_id = ledger_house_account(new.asset_id, 'custody_hot')
      into v_right
      from network_costs c join ledger_entries e on e.transfer_id = new.id
      where c.id = new.source_id and c.asset_id = new.asset_id order by e.leg desc limit 1;
  else
    v_right := exists (select 1 from ledger_entries e where e.transfer_id = new.id);
  end if;
  if v_right is not true then
    raise exception using errcode = 'P0001', constraint = 'ledger_transfers_move_what_they_say',
      message = format('ledger_transfers_move_what_they_say: this %s does not fit %s', new.kind, new.source_id);
  end if;
  return null;
end $$;
