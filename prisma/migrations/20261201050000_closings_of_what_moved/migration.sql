-- A closing keeps the accounts that moved since the one before it, and no copy of all the others: what an account came to is its newest
-- row, however many closings ago. So a closing costs what was booked, and not what there are customers.
create index ledger_closed_balances_newest on ledger_closed_balances (account_id, closing_id desc) include (debits_minor, credits_minor);

-- The newest row of an account is right only where the later closing reaches further.
create function ledger_closings_guard() returns trigger language plpgsql as $$
begin
  if new.through_transfer_id < (select max(l.through_transfer_id) from ledger_closings l) then
    raise exception using errcode = 'P0001', constraint = 'ledger_closings_in_order', message = 'ledger_closings_in_order: the books are closed further than that';
  end if;
  return new;
end $$;
comment on function ledger_closings_guard() is E'ledger_closings_in_order: what is closed is not closed again to an earlier place';
create trigger ledger_closings_guard before insert on ledger_closings for each row execute function ledger_closings_guard();

-- The sums of each kind of account follow what moved: those of the closing before, and by how much each account that was added differs
-- from what it came to.
create or replace function ledger_closed_sums_follow() returns trigger language plpgsql as $$
begin
  insert into ledger_closed_sums (closing_id, asset_id, kind, debits_minor, credits_minor)
    select g.id, s.asset_id, s.kind, sum(s.debits), sum(s.credits)
    from (select distinct n.closing_id as id from added n) g
    cross join lateral (
      select p.asset_id, p.kind, p.debits_minor as debits, p.credits_minor as credits from ledger_closed_sums p
        where p.closing_id = (select max(b.closing_id) from ledger_closed_sums b where b.closing_id < g.id)
      union all
      select a.asset_id, a.kind, n.debits_minor - coalesce(o.debits_minor, 0), n.credits_minor - coalesce(o.credits_minor, 0)
        from added n join ledger_accounts a on a.id = n.account_id
        left join lateral (
          select c.debits_minor, c.credits_minor from ledger_closed_balances c
          where c.account_id = n.account_id and c.closing_id < n.closing_id order by c.closing_id desc limit 1
        ) o on true
        where n.closing_id = g.id
    ) s group by 1, 2, 3;
  return null;
end $$;

-- As before, with the newest row of each account.
create or replace function ledger_account_sums() returns table (account_id bigint, debits_minor numeric, credits_minor numeric)
language plpgsql stable as $$
declare v_closing bigint; v_through bigint;
begin
  select l.id, l.through_transfer_id into v_closing, v_through from ledger_closings l order by l.id desc limit 1;
  -- Planned each time, for the numbers of this time.
  return query execute
    'select s.account_id, sum(s.debits), sum(s.credits)
    from (
      select a.id as account_id, c.debits_minor as debits, c.credits_minor as credits from ledger_accounts a cross join lateral (
        select n.debits_minor, n.credits_minor from ledger_closed_balances n
        where n.account_id = a.id and n.closing_id <= $1 order by n.closing_id desc limit 1) c
      union all
      select e.debit_account_id, sum(e.amount_minor), 0 from ledger_entries e where e.transfer_id > $2 group by 1
      union all
      select e.credit_account_id, 0, sum(e.amount_minor) from ledger_entries e where e.transfer_id > $2 group by 1
    ) s group by 1'
    using v_closing, coalesce(v_through, 0);
end $$;
