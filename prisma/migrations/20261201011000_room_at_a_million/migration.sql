-- What the operators' pages ask every few seconds, for the year in which there are a million of each.
-- Those that wait for a second person first, then what was confirmed last.
create index ledger_adjustments_page on ledger_adjustments (coalesce(confirmed_at, 'infinity'::timestamptz) desc, proposed_at desc, id desc);
-- When the books were last compared to the end.
create index reconciliation_runs_ended on reconciliation_runs (ended_at) where outcome <> 'failed';

-- A closing knows the sums of each kind of account too: a trial balance reads a few rows of it, and the accounts of what came after,
-- whatever the number of customers.
create table ledger_closed_sums (
  closing_id bigint not null references ledger_closings (id),
  asset_id text not null references assets (id),
  kind text not null,
  debits_minor numeric(78, 0) not null,
  credits_minor numeric(78, 0) not null,
  primary key (closing_id, asset_id, kind)
);
create trigger ledger_closed_sums_append_only before update or delete or truncate on ledger_closed_sums
  for each statement execute function refuse_change('ledger_closed_sums_append_only');
comment on trigger ledger_closed_sums_append_only on ledger_closed_sums is 'a closed sum is not changed';
insert into ledger_closed_sums (closing_id, asset_id, kind, debits_minor, credits_minor)
  select c.closing_id, a.asset_id, a.kind, sum(c.debits_minor), sum(c.credits_minor)
  from ledger_closed_balances c join ledger_accounts a on a.id = c.account_id
  where c.closing_id = (select max(l.id) from ledger_closings l) group by 1, 2, 3;
-- Written with the balances, by whoever closes: they cannot differ.
create function ledger_closed_sums_follow() returns trigger language plpgsql as $$
begin
  insert into ledger_closed_sums (closing_id, asset_id, kind, debits_minor, credits_minor)
    select c.closing_id, a.asset_id, a.kind, sum(c.debits_minor), sum(c.credits_minor)
    from added c join ledger_accounts a on a.id = c.account_id group by 1, 2, 3;
  return null;
end $$;
create trigger ledger_closed_sums_follow after insert on ledger_closed_balances referencing new table as added
  for each statement execute function ledger_closed_sums_follow();

-- Debits and credits of every kind of account: the last closing, and the entries after it. Planned each time, for the numbers of this
-- time, as `ledger_account_sums` is.
create function ledger_kind_sums() returns table (asset_id text, kind text, debits_minor numeric, credits_minor numeric)
language plpgsql stable as $$
declare v_closing bigint; v_through bigint;
begin
  select l.id, l.through_transfer_id into v_closing, v_through from ledger_closings l order by l.id desc limit 1;
  return query execute
    'select s.asset_id, s.kind, sum(s.debits), sum(s.credits)
    from (
      select c.asset_id, c.kind, c.debits_minor as debits, c.credits_minor as credits from ledger_closed_sums c where c.closing_id = $1
      union all
      select a.asset_id, a.kind, sum(e.amount_minor), 0 from ledger_entries e join ledger_accounts a on a.id = e.debit_account_id
        where e.transfer_id > $2 group by 1, 2
      union all
      select a.asset_id, a.kind, 0, sum(e.amount_minor) from ledger_entries e join ledger_accounts a on a.id = e.credit_account_id
        where e.transfer_id > $2 group by 1, 2
    ) s group by 1, 2'
    using v_closing, coalesce(v_through, 0);
end $$;
