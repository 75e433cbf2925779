-- Debits and credits of every account, as before: the last closing, and the entries after it. The closing's numbers are read first and
-- then stand in the statement as they are: compared with a sub-select, the planner expects a third of all entries behind any number, and
-- reads all of them. The one snapshot of whoever asks holds for both readings.
create or replace function ledger_account_sums() returns table (account_id bigint, debits_minor numeric, credits_minor numeric)
language plpgsql stable as $$
declare v_closing bigint; v_through bigint;
begin
  select l.id, l.through_transfer_id into v_closing, v_through from ledger_closings l order by l.id desc limit 1;
  -- Planned each time, for the numbers of this time.
  return query execute
    'select s.account_id, sum(s.debits), sum(s.credits)
    from (
      select c.account_id, c.debits_minor as debits, c.credits_minor as credits from ledger_closed_balances c where c.closing_id = $1
      union all
      select e.debit_account_id, sum(e.amount_minor), 0 from ledger_entries e where e.transfer_id > $2 group by 1
      union all
      select e.credit_account_id, 0, sum(e.amount_minor) from ledger_entries e where e.transfer_id > $2 group by 1
    ) s group by 1'
    using v_closing, coalesce(v_through, 0);
end $$;
