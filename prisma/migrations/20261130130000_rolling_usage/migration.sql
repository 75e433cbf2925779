-- Rolling sums that cost the same after thirty days as after one. Every hold is added to an hour and to a day, every void is
-- taken from them again, so a limit reads at most thirty days, forty-six hours and the rows of one hour that lies on the edge.

create table withdrawal_usage (
  customer_id uuid not null references customers (id),
  asset_id text not null references assets (id),
  span_hours smallint not null constraint withdrawal_usage_span check (span_hours in (1, 24)),
  begins_at timestamptz not null,
  value_reference_minor numeric(78, 0) not null,
  total_minor numeric(78, 0) not null,
  requests integer not null,
  primary key (customer_id, span_hours, begins_at, asset_id),
  -- Nothing is given back that was not counted.
  constraint withdrawal_usage_not_negative check (least(value_reference_minor, total_minor, requests) >= 0)
) with (fillfactor = 80);
-- What is forgotten is older than the longest window.
create index withdrawal_usage_begins on withdrawal_usage (begins_at);

-- The origin is fixed, because midnight of a session's time zone is somebody else's noon.
create function usage_span(p_at timestamptz, p_hours integer) returns timestamptz language sql immutable parallel safe as
$$ select date_bin(p_hours * interval '1 hour', p_at, '2000-01-01 00:00:00Z') $$;

-- Nobody books between the count and the trigger that goes on counting.
lock table ledger_transfers in share row exclusive mode;
insert into withdrawal_usage
  select w.customer_id, w.asset_id, s.hours, usage_span(w.requested_at, s.hours), sum(coalesce(w.value_reference_minor, 0)), sum(w.total_minor), count(*)
  from withdrawals w cross join (values (1), (24)) s(hours)
  where w.requested_at > protocol_now() - interval '32 days' and w.status not in ('refused', 'cancelled', 'rejected', 'failed')
  group by 1, 2, 3, 4;

-- Beside the hold and the void, and before their entries: whoever takes and whoever gives back lock in the same order, the
-- hour, the day, the balance.
create function count_withdrawal_usage() returns trigger language plpgsql as $$
declare w withdrawals; v_hours integer;
begin
  select * into w from withdrawals x where x.id = new.source_id;
  -- A hold of nothing is refused at commit (ledger_transfers_move_what_they_say).
  if not found then return null; end if;
  foreach v_hours in array '{1,24}'::integer[] loop
    if new.kind = 'hold' then
      insert into withdrawal_usage as u values
        (w.customer_id, w.asset_id, v_hours, usage_span(w.requested_at, v_hours), coalesce(w.value_reference_minor, 0), w.total_minor, 1)
        on conflict (customer_id, span_hours, begins_at, asset_id) do update set
          value_reference_minor = u.value_reference_minor + excluded.value_reference_minor,
          total_minor = u.total_minor + excluded.total_minor, requests = u.requests + 1;
    else
      update withdrawal_usage u set value_reference_minor = u.value_reference_minor - coalesce(w.value_reference_minor, 0),
          total_minor = u.total_minor - w.total_minor, requests = u.requests - 1
        where u.customer_id = w.customer_id and u.span_hours = v_hours and u.begins_at = usage_span(w.requested_at, v_hours) and u.asset_id = w.asset_id;
    end if;
  end loop;
  return null;
end $$;
create trigger ledger_transfers_count_usage after insert on ledger_transfers
  for each row when (new.kind in ('hold', 'void')) execute function count_withdrawal_usage();

-- What a customer asked for after an instant and was not given back, by asset: the days that lie in it whole, the hours of the
-- day on its edge, and the rows of the hour on its edge. Exact to the instant, and read by the quote as by the accepting call.
create function withdrawals_counted_since(p_customer uuid, p_since timestamptz)
returns table (asset_id text, value_reference_minor numeric, total_minor numeric, requests bigint) language sql stable as $$
  select u.asset_id, u.value_reference_minor, u.total_minor, u.requests::bigint from withdrawal_usage u
    where u.customer_id = p_customer and u.span_hours = 24 and u.begins_at > usage_span(p_since, 24)
  union all
  select u.asset_id, u.value_reference_minor, u.total_minor, u.requests from withdrawal_usage u
    where u.customer_id = p_customer and u.span_hours = 1 and u.begins_at > usage_span(p_since, 1)
      and u.begins_at < usage_span(p_since, 24) + interval '24 hours'
  union all
  select w.asset_id, coalesce(w.value_reference_minor, 0), w.total_minor, 1 from withdrawals w
    where w.customer_id = p_customer and w.requested_at > p_since and w.requested_at < usage_span(p_since, 1) + interval '1 hour'
      and w.status not in ('refused', 'cancelled', 'rejected', 'failed')
$$;

-- As before; the limits read the sums.
create or replace function request_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer,
  -- False asks for the bare acceptance: nothing is counted.
  p_with_limits boolean default false, p_value numeric default null, p_reasons text[] default '{}'
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  v withdrawals; v_refusal text := p_refusal; v_like uuid; v_outbox bigint; v_named withdrawals;
  v_total numeric := p_amount + p_fee; v_customer record; v_pair record; v_usage record; v_usable_from timestamptz;
  v_reasons text[] := '{}'; v_value numeric := coalesce(p_value, 0);
  -- Read once: it is one value in a transaction, and the defaults would ask for it eight times more.
  v_now timestamptz := protocol_now();
begin
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', null::bigint, null::uuid, v;
    return;
  end if;
  -- "No key": giving up a key refers to the same customer, and would wait for us here while we wait for its key.
  select c.frozen_at is not null or c.payouts_stopped_at is not null or coalesce(c.frozen_until > v_now, false) as frozen,
      c.allow_list and coalesce(c.allow_list_off_at > v_now, true) as allow_list, c.review_all, c.security_changed_at, c.tier
    into v_customer from customers c where c.id = p_customer for no key update;
  if not found then
    return query select 'no_customer', null::bigint, null::uuid, null::withdrawals;
    return;
  end if;
  -- Our own twin may have committed while we waited for the lock; judging it again would find its hold and its look-alike.
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', null::bigint, null::uuid, v;
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
    -- What is cancelled, rejected or failed gives back, because it is not counted.
    select t.*, d.used as used_24h, d.of_asset as asset_24h, m.used as used_30d, n.requests as in_window into v_usage
      from tiers t
      cross join lateral (select coalesce(sum(u.value_reference_minor), 0) as used, coalesce(sum(u.total_minor) filter (where u.asset_id = p_asset), 0) as of_asset
        from withdrawals_counted_since(p_customer, v_now - interval '24 hours') u) d
      cross join lateral (select coalesce(sum(u.value_reference_minor), 0) as used from withdrawals_counted_since(p_customer, v_now - interval '30 days') u) m
      cross join lateral (select coalesce(sum(u.requests), 0) as requests from withdrawals_counted_since(p_customer, v_now - t.velocity_window) u) n
      where t.id = v_customer.tier;
    if v_usage.used_24h + v_value > v_usage.hard_limit_24h_reference_minor then v_refusal := 'limit_exceeded'; end if;
    if v_usage.used_24h + v_value > v_usage.auto_limit_24h_reference_minor then v_reasons := v_reasons || 'limit_24h'::text; end if;
    if v_usage.used_30d + v_value > v_usage.auto_limit_30d_reference_minor then v_reasons := v_reasons || 'limit_30d'::text; end if;
    if v_usage.asset_24h + v_total > v_pair.cap_24h_minor then v_reasons := v_reasons || 'asset_cap'::text; end if;
    if v_usage.in_window + 1 > v_usage.velocity_max then v_reasons := v_reasons || 'velocity'::text; end if;
    if v_value > v_usage.second_approval_reference_minor then v_reasons := v_reasons || 'second_approval'::text; end if;
    -- An address that waited out its hold in the book was new for long enough.
    if v_usable_from is null and v_usage.new_address_auto_reference_minor is not null
      and (p_value is null or p_value > v_usage.new_address_auto_reference_minor)
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
    return query select 'refused_too_often', null::bigint, null::uuid, null::withdrawals;
    return;
  end if;
  insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, memo, amount_minor, fee_minor, total_minor,
      fee_mode, look_alike_of, status, refusal_code, confirmations_required, clicked_at, next_action_at, ended_at,
      status_since, requested_at, updated_at, value_reference_minor, approval_reasons, approvals_required)
    values (p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, v_total, p_fee_mode,
      -- A refused look-alike remembers the one it resembles, so that a replay can name it too.
      case when v_refusal is null then v_named.id when v_refusal = 'look_alike' then v_like end,
      case when v_refusal is not null then 'refused' when p_needs_approval or cardinality(v_reasons) > 0 then 'awaiting_approval' else 'queued' end,
      v_refusal, v_pair.confirmations_required, p_clicked_at, v_now, case when v_refusal is not null then v_now end, v_now, v_now, v_now,
      p_value, v_reasons,
      case when v_reasons && '{second_approval,price_missing}' then 2 when p_needs_approval or cardinality(v_reasons) > 0 then 1 else 0 end)
    on conflict (idempotency_key) do nothing returning * into v;
  if not found then
    select * into v from withdrawals x where x.idempotency_key = p_key;
    return query select 'existing', null::bigint, null::uuid, v;
    return;
  end if;
  insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason, evidence, at)
    values (v.id, null, v.status, 'customer', coalesce(v_refusal, 'requested'),
      case when v.status = 'awaiting_approval' then jsonb_build_object('reasons', v_reasons) else '{}' end, v_now);
  if v.status <> 'refused' then
    perform ledger_hold(v);
  end if;
  if v.status = 'queued' then
    insert into outbox (withdrawal_id, not_before, created_at) values (v.id, v_now, v_now) returning id into v_outbox;
  end if;
  return query select 'new', v_outbox, v_like, v;
end $$;
