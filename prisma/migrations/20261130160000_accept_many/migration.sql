-- Requests that arrive together are taken in one transaction: one flush of the log, one round trip, and one lock a customer for
-- all of them. Each is judged by the accepting call itself, one after the other, and has an outcome of its own.
--
-- Customers are locked first and in one order, so that two batches cannot wait for each other crosswise; whoever is locked by
-- somebody else is left out as 'busy' and asked for alone, so that nobody waits for a stranger's lock. A known key locks nothing:
-- a batch of repetitions writes no log. Whatever raises takes the whole batch back, and its requests are made one by one.
create function request_withdrawals(p_requests jsonb)
returns table (ordinal integer, outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare r record; v_mine uuid[];
begin
  select coalesce(array_agg(l.id), '{}') into v_mine from (
    select c.id from customers c
      where c.id in (select (x.e ->> 'customer')::uuid from jsonb_array_elements(p_requests) x(e)
        where not exists (select 1 from withdrawals k where k.idempotency_key = (x.e ->> 'key')::uuid))
      order by c.id for no key update skip locked) l;
  for r in
    select x.* from rows from (jsonb_to_recordset(p_requests) as (id uuid, key uuid, customer uuid, asset text, network text, address text,
        memo text, amount numeric, fee numeric, fee_mode text, refusal text, needs_approval boolean, look_alike_of uuid, clicked_at timestamptz,
        refused_daily_max integer, value numeric, reasons text[], totp_step bigint, challenge uuid, fingerprint text))
      with ordinality as x(id, key, customer, asset, network, address, memo, amount, fee, fee_mode, refusal, needs_approval, look_alike_of,
        clicked_at, refused_daily_max, value, reasons, totp_step, challenge, fingerprint, place)
      order by x.customer, x.place
  loop
    -- Known by now: answered below without a lock. Nobody's customer: answered below as well.
    if r.customer <> all (v_mine) and not exists (select 1 from withdrawals k where k.idempotency_key = r.key)
      and exists (select 1 from customers c where c.id = r.customer) then
      return query select r.place::integer, 'busy', null::bigint, null::uuid, null::withdrawals;
    else
      return query select r.place::integer, q.outcome, q.outbox_id, q.look_alike, q.w
        from request_confirmed_withdrawal(r.id, r.key, r.customer, r.asset, r.network, r.address, r.memo, r.amount, r.fee, r.fee_mode, r.refusal,
          r.needs_approval, r.look_alike_of, r.clicked_at, r.refused_daily_max, r.value, r.reasons, r.totp_step, r.challenge, r.fingerprint) q;
    end if;
  end loop;
end $$;
