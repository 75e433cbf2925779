-- What limits cost, measured beside the accepting call that counts nothing: most of it was not the counting but the beginning of it,
-- plans of a dozen nodes that were started for a handful of rows each.

-- As before, but that sums of whole spans are looked at first. They can only be more than the exact ones, so whoever stays below a limit
-- with them stays below it with those, and only who does not is counted to the instant.
create or replace function decide_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_with_limits boolean, p_value numeric, p_reasons text[]
) returns table (outcome text, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  v withdrawals; v_refusal text := p_refusal; v_like uuid; v_named withdrawals;
  v_total numeric := p_amount + p_fee; v_customer record; v_pair record; v_tier tiers; v_most record; v_usage record; v_usable_from timestamptz;
  v_reasons text[] := '{}'; v_value numeric := coalesce(p_value, 0);
  -- Read once: it is one value in a transaction, and the defaults would ask for it eight times more.
  v_now timestamptz := protocol_now();
begin
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', null::uuid, v;
    return;
  end if;
  -- "No key": giving up a key refers to the same customer, and would wait for us here while we wait for its key.
  select c.frozen_at is not null or c.payouts_stopped_at is not null or coalesce(c.frozen_until > v_now, false) as frozen,
      c.allow_list and coalesce(c.allow_list_off_at > v_now, true) as allow_list, c.review_all, c.security_changed_at, c.tier
    into v_customer from customers c where c.id = p_customer for no key update;
  if not found then
    return query select 'no_customer', null::uuid, null::withdrawals;
    return;
  end if;
  -- Our own twin may have committed while we waited for the lock; judging it again would find its hold and its look-alike.
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', null::uuid, v;
    return;
  end if;
  select n.confirmations_required, p.enabled, p.fee_minor, p.review_all, a.cap_24h_minor into v_pair
    from networks n left join asset_networks p on p.network_id = n.id and p.asset_id = p_asset left join assets a on a.id = p_asset
    where n.id = p_network;
  -- Somebody else's withdrawal, one that asks for something else, or none, is no go-ahead.
  if p_look_alike_of is not null then
    select * into v_named from withdrawals x where x.id = p_look_alike_of and x.customer_id = p_customer and x.asset_id = p_asset
      and x.network_id = p_network and x.address = p_address and x.memo is not distinct from p_memo and x.amount_minor = p_amount;
  end if;
  if v_refusal is null and exists (select 1 from own_addresses o where o.network_id = p_network and o.address = p_address) then
    v_refusal := 'address_own_deposit';
  end if;
  if v_refusal is null and v_customer.frozen then v_refusal := 'customer_frozen'; end if;
  if v_refusal is null and not v_pair.enabled then v_refusal := 'pair_disabled'; end if;
  if v_refusal is null and exists (
    select 1 from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = p_asset)
      or (x.scope = 'network' and x.target = p_network) or (x.scope = 'customer' and x.target = p_customer::text))) then
    v_refusal := 'pair_paused';
  end if;
  if v_refusal is null then
    select b.usable_from into v_usable_from from address_book b where b.customer_id = p_customer and b.network_id = p_network
      and b.address = p_address and b.memo is not distinct from p_memo and b.removed_at is null;
    v_refusal := case when v_usable_from > v_now then 'address_on_hold' when v_usable_from is null and v_customer.allow_list then 'address_not_allowed'
      when v_pair.fee_minor <> p_fee then 'fee_changed' end;
  end if;
  if v_refusal is null then
    select x.id into v_like from withdrawals x
      where x.customer_id = p_customer and x.address = p_address and x.asset_id = p_asset and x.amount_minor = p_amount
        and x.status not in ('refused', 'cancelled', 'rejected', 'failed')
        and x.network_id = p_network and x.memo is not distinct from p_memo
        and x.requested_at > v_now - interval '10 minutes' and x.id is distinct from v_named.id
      order by x.requested_at desc limit 1;
    -- Naming any one of the look-alikes is the go-ahead for all of them that came before it.
    if v_like is not null and (v_named.id is null or v_named.requested_at < (select y.requested_at from withdrawals y where y.id = v_like)) then
      v_refusal := 'look_alike';
    end if;
  end if;
  if v_refusal is null and not exists (
    select 1 from customer_balances b where b.customer_id = p_customer and b.asset_id = p_asset and b.available_minor >= v_total) then
    v_refusal := 'insufficient_funds';
  end if;
  if v_refusal is null and p_with_limits then
    select * into v_tier from tiers t where t.id = v_customer.tier;
    -- At most so much: whole days and hours, the ones on the windows' edges included. Two looks at an index; nearly everybody is far below.
    select coalesce(sum(u.value_reference_minor) filter (where u.span_hours = 24), 0) as used_30d,
        coalesce(sum(u.value_reference_minor) filter (where u.span_hours = 24 and u.begins_at >= usage_span(v_now - interval '24 hours', 24)), 0) as used_24h,
        coalesce(sum(u.total_minor) filter (where u.span_hours = 24 and u.begins_at >= usage_span(v_now - interval '24 hours', 24) and u.asset_id = p_asset), 0) as asset_24h,
        coalesce(sum(u.requests) filter (where u.span_hours = 1), 0) as in_window
      into v_most from (
        select d.* from withdrawal_usage d
          where d.customer_id = p_customer and d.span_hours = 24 and d.begins_at >= usage_span(v_now - interval '30 days', 24)
        union all
        select h.* from withdrawal_usage h
          where h.customer_id = p_customer and h.span_hours = 1 and h.begins_at >= usage_span(v_now - v_tier.velocity_window, 1)) u;
    if v_most.used_24h + v_value > least(v_tier.hard_limit_24h_reference_minor, v_tier.auto_limit_24h_reference_minor)
      or v_most.used_30d + v_value > v_tier.auto_limit_30d_reference_minor or v_most.asset_24h + v_total > v_pair.cap_24h_minor
      or v_most.in_window + 1 > v_tier.velocity_max then
      -- To the instant. What is cancelled, rejected or failed gives back, because it is not counted.
      select d.used as used_24h, d.of_asset as asset_24h, m.used as used_30d, n.requests as in_window into v_usage
        from (select coalesce(sum(u.value_reference_minor), 0) as used, coalesce(sum(u.total_minor) filter (where u.asset_id = p_asset), 0) as of_asset
          from withdrawals_counted_since(p_customer, v_now - interval '24 hours') u) d
        cross join (select coalesce(sum(u.value_reference_minor), 0) as used from withdrawals_counted_since(p_customer, v_now - interval '30 days') u) m
        cross join (select coalesce(sum(u.requests), 0) as requests from withdrawals_counted_since(p_customer, v_now - v_tier.velocity_window) u) n;
      if v_usage.used_24h + v_value > v_tier.hard_limit_24h_reference_minor then v_refusal := 'limit_exceeded'; end if;
      if v_usage.used_24h + v_value > v_tier.auto_limit_24h_reference_minor then v_reasons := v_reasons || 'limit_24h'::text; end if;
      if v_usage.used_30d + v_value > v_tier.auto_limit_30d_reference_minor then v_reasons := v_reasons || 'limit_30d'::text; end if;
      if v_usage.asset_24h + v_total > v_pair.cap_24h_minor then v_reasons := v_reasons || 'asset_cap'::text; end if;
      if v_usage.in_window + 1 > v_tier.velocity_max then v_reasons := v_reasons || 'velocity'::text; end if;
    end if;
    if v_value > v_tier.second_approval_reference_minor then v_reasons := v_reasons || 'second_approval'::text; end if;
    -- An address that waited out its hold in the book was new for long enough.
    if v_usable_from is null and v_tier.new_address_auto_reference_minor is not null
      and (p_value is null or p_value > v_tier.new_address_auto_reference_minor)
      and not exists (select 1 from withdrawals x where x.customer_id = p_customer and x.address = p_address and x.network_id = p_network
        and x.status not in ('refused', 'cancelled', 'rejected', 'failed')) then
      v_reasons := v_reasons || 'new_address'::text;
    end if;
    if v_customer.security_changed_at > v_now - (select s.security_review from protocol_settings s) then v_reasons := v_reasons || 'security_change'::text; end if;
    if v_customer.review_all or v_pair.review_all then v_reasons := v_reasons || 'approval_switch'::text; end if;
    v_reasons := v_reasons || p_reasons;
  end if;
  -- Stored refusals are bounded, or a script could fill the table with them.
  if v_refusal is not null and (select count(*) from withdrawals x where x.customer_id = p_customer and x.status = 'refused' and x.refusal_code <> 'given_up'
      and x.requested_at > v_now - interval '24 hours') >= p_refused_daily_max then
    return query select 'refused_too_often', null::uuid, null::withdrawals;
    return;
  end if;
  v.id := p_id;
  v.idempotency_key := p_key;
  v.customer_id := p_customer;
  v.asset_id := p_asset;
  v.network_id := p_network;
  v.address := p_address;
  v.memo := p_memo;
  v.amount_minor := p_amount;
  v.fee_minor := p_fee;
  v.total_minor := v_total;
  v.fee_mode := p_fee_mode;
  -- A refused look-alike remembers the one it resembles, so that a replay can name it too.
  v.look_alike_of := case when v_refusal is null then v_named.id when v_refusal = 'look_alike' then v_like end;
  v.status := case when v_refusal is not null then 'refused' when p_needs_approval or cardinality(v_reasons) > 0 then 'awaiting_approval' else 'queued' end;
  v.refusal_code := v_refusal;
  v.confirmations_required := v_pair.confirmations_required;
  v.clicked_at := p_clicked_at;
  v.requested_at := v_now;
  v.value_reference_minor := p_value;
  v.approval_reasons := v_reasons;
  v.approvals_required := case when v_reasons && '{second_approval,price_missing}' then 2 when p_needs_approval or cardinality(v_reasons) > 0 then 1 else 0 end;
  return query select 'decided', v_like, v;
end $$;

-- As before, with a shorter way for one hold.
create or replace function count_withdrawal_usage() returns trigger language plpgsql as $$
declare v_added integer; v_kind text; v_source uuid; v_hold record;
begin
  -- One hold alone is what a busy hour is made of: two rows with their values in place of a plan that joins, groups and sorts.
  select count(*), max(t.kind), max(t.source_id::text)::uuid into v_added, v_kind, v_source from added t;
  if v_added = 1 and v_kind not in ('hold', 'void') then return null; end if;
  if v_added = 1 and v_kind = 'hold' then
    select x.customer_id, x.asset_id, x.requested_at, coalesce(x.value_reference_minor, 0) as value, x.total_minor into v_hold
      from withdrawals x where x.id = v_source;
    if found then
      insert into withdrawal_usage as u (customer_id, asset_id, span_hours, begins_at, value_reference_minor, total_minor, requests)
        values (v_hold.customer_id, v_hold.asset_id, 1, usage_span(v_hold.requested_at, 1), v_hold.value, v_hold.total_minor, 1),
          (v_hold.customer_id, v_hold.asset_id, 24, usage_span(v_hold.requested_at, 24), v_hold.value, v_hold.total_minor, 1)
        on conflict (customer_id, span_hours, begins_at, asset_id) do update set
          value_reference_minor = u.value_reference_minor + excluded.value_reference_minor,
          total_minor = u.total_minor + excluded.total_minor, requests = u.requests + excluded.requests;
    end if;
    return null;
  end if;
  -- A hold of nothing is refused at commit (ledger_transfers_move_what_they_say).
  if exists (select 1 from added t where t.kind = 'hold') then
    insert into withdrawal_usage as u (customer_id, asset_id, span_hours, begins_at, value_reference_minor, total_minor, requests)
      select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours), sum(coalesce(w.value_reference_minor, 0)), sum(w.total_minor), count(*)
      from added t join withdrawals w on w.id = t.source_id cross join (values (1::smallint), (24::smallint)) s(hours)
      where t.kind = 'hold' group by 1, 2, 3, 4 order by 1, 3, 4, 2
      on conflict (customer_id, span_hours, begins_at, asset_id) do update set
        value_reference_minor = u.value_reference_minor + excluded.value_reference_minor,
        total_minor = u.total_minor + excluded.total_minor, requests = u.requests + excluded.requests;
  end if;
  if exists (select 1 from added t where t.kind = 'void') then
    -- The hour before the day, as where they are taken.
    perform 1 from withdrawal_usage u join (
        select distinct w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours) as begins_at
        from added t join withdrawals w on w.id = t.source_id cross join (values (1), (24)) s(hours) where t.kind = 'void') d
      on u.customer_id = d.customer_id and u.asset_id = d.asset_id and u.span_hours = d.hours and u.begins_at = d.begins_at
      order by u.customer_id, u.span_hours, u.begins_at, u.asset_id for update of u;
    update withdrawal_usage u set value_reference_minor = u.value_reference_minor - d.value, total_minor = u.total_minor - d.total,
        requests = u.requests - d.requests
      from (select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours) as begins_at, sum(coalesce(w.value_reference_minor, 0)) as value,
          sum(w.total_minor) as total, count(*) as requests
        from added t join withdrawals w on w.id = t.source_id cross join (values (1), (24)) s(hours) where t.kind = 'void' group by 1, 2, 3, 4) d
      where u.customer_id = d.customer_id and u.asset_id = d.asset_id and u.span_hours = d.hours and u.begins_at = d.begins_at;
  end if;
  return null;
end $$;

-- Its plan for given rows always looks cheaper than the one for any rows, so it was made anew at each call, for longer than it ran.
alter function ledger_holds(withdrawals[]) set plan_cache_mode = force_generic_plan;
