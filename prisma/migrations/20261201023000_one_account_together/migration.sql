-- Requests of one customer that come together were decided and written one behind the other, because each counts in the next one's
-- limits: of thirty-two on one account thirty-two inserts with all that hangs on them. Now what was decided a moment ago is counted as
-- it stands in the hand, and everything is written once (32 in flight on one account, of Postgres' CPU: 1.83 ms a request before, 0.47 after;
-- many accounts 0.60 and 0.49).

drop function decide_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, boolean,
  numeric, text[]);

-- As before, but that it also counts what was decided before it in the same transaction. A condition that is
-- mostly settled by what is in the hand stands around the one that asks a table: together they were planned anew at every call.
create function decide_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_with_limits boolean, p_value numeric, p_reasons text[],
  -- Of this customer, decided in this very transaction and not written yet; null where there are none.
  p_before withdrawals[] default null,
  -- The caller holds the customer's lock, and has looked for the key since.
  p_is_new boolean default false
) returns table (outcome text, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  v withdrawals; v_refusal text := p_refusal; v_like uuid; v_named withdrawals;
  v_total numeric := p_amount + p_fee; v_customer record; v_pair record; v_tier tiers; v_most record; v_usage record; v_before record; v_usable_from timestamptz;
  v_reasons text[] := '{}'; v_value numeric := coalesce(p_value, 0);
  -- Read once: it is one value in a transaction, and the defaults would ask for it eight times more.
  v_now timestamptz := protocol_now();
begin
  if not p_is_new then
    select * into v from withdrawals x where x.idempotency_key = p_key;
    if found then
      return query select 'existing', null::uuid, v;
      return;
    end if;
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
  if not p_is_new then
    select * into v from withdrawals x where x.idempotency_key = p_key;
    if found then
      return query select 'existing', null::uuid, v;
      return;
    end if;
  end if;
  select n.confirmations_required, p.enabled, p.fee_minor, p.review_all, a.cap_24h_minor into v_pair
    from networks n left join asset_networks p on p.network_id = n.id and p.asset_id = p_asset left join assets a on a.id = p_asset
    where n.id = p_network;
  -- Somebody else's withdrawal, one that asks for something else, or none, is no go-ahead.
  if p_look_alike_of is not null then
    select * into v_named from withdrawals x where x.id = p_look_alike_of and x.customer_id = p_customer and x.asset_id = p_asset
      and x.network_id = p_network and x.address = p_address and x.memo is not distinct from p_memo and x.amount_minor = p_amount;
  end if;
  -- One look at what is not written yet: what it holds, how often it was asked, and whether it is the same again.
  if p_before is not null then
    select coalesce(sum(x.total_minor) filter (where x.status <> 'refused' and x.asset_id = p_asset), 0) as of_asset,
        coalesce(sum(x.value_reference_minor) filter (where x.status <> 'refused'), 0) as used,
        count(*) filter (where x.status <> 'refused') as requests, count(*) filter (where x.status = 'refused') as refused,
        coalesce(bool_or(x.address = p_address and x.network_id = p_network) filter (where x.status <> 'refused'), false) as is_known_address,
        min(x.id::text) filter (where x.status <> 'refused' and x.address = p_address and x.asset_id = p_asset and x.amount_minor = p_amount
          and x.network_id = p_network and x.memo is not distinct from p_memo and x.id is distinct from v_named.id)::uuid as look_alike
      into v_before from unnest(p_before) x;
  else
    select 0::numeric as of_asset, 0::numeric as used, 0::bigint as requests, 0::bigint as refused, false as is_known_address, null::uuid as look_alike into v_before;
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
    -- What is not written yet was asked now.
    v_like := coalesce(v_before.look_alike, v_like);
    -- Naming any one of the look-alikes is the go-ahead for all of them that came before it.
    if v_like is not null then
      if v_named.id is null or v_named.requested_at < coalesce((select y.requested_at from withdrawals y where y.id = v_like), v_now) then
        v_refusal := 'look_alike';
      end if;
    end if;
  end if;
  if v_refusal is null and not exists (
    select 1 from customer_balances b where b.customer_id = p_customer and b.asset_id = p_asset and b.available_minor >= v_before.of_asset + v_total) then
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
    if v_most.used_24h + v_before.used + v_value > least(v_tier.hard_limit_24h_reference_minor, v_tier.auto_limit_24h_reference_minor)
      or v_most.used_30d + v_before.used + v_value > v_tier.auto_limit_30d_reference_minor or v_most.asset_24h + v_before.of_asset + v_total > v_pair.cap_24h_minor
      or v_most.in_window + v_before.requests + 1 > v_tier.velocity_max then
      -- To the instant. What is cancelled, rejected or failed gives back, because it is not counted.
      select d.used as used_24h, d.of_asset as asset_24h, m.used as used_30d, n.requests as in_window into v_usage
        from (select coalesce(sum(u.value_reference_minor), 0) as used, coalesce(sum(u.total_minor) filter (where u.asset_id = p_asset), 0) as of_asset
          from withdrawals_counted_since(p_customer, v_now - interval '24 hours') u) d
        cross join (select coalesce(sum(u.value_reference_minor), 0) as used from withdrawals_counted_since(p_customer, v_now - interval '30 days') u) m
        cross join (select coalesce(sum(u.requests), 0) as requests from withdrawals_counted_since(p_customer, v_now - v_tier.velocity_window) u) n;
      if v_usage.used_24h + v_before.used + v_value > v_tier.hard_limit_24h_reference_minor then v_refusal := 'limit_exceeded'; end if;
      if v_usage.used_24h + v_before.used + v_value > v_tier.auto_limit_24h_reference_minor then v_reasons := v_reasons || 'limit_24h'::text; end if;
      if v_usage.used_30d + v_before.used + v_value > v_tier.auto_limit_30d_reference_minor then v_reasons := v_reasons || 'limit_30d'::text; end if;
      if v_usage.asset_24h + v_before.of_asset + v_total > v_pair.cap_24h_minor then v_reasons := v_reasons || 'asset_cap'::text; end if;
      if v_usage.in_window + v_before.requests + 1 > v_tier.velocity_max then v_reasons := v_reasons || 'velocity'::text; end if;
    end if;
    if v_value > v_tier.second_approval_reference_minor then v_reasons := v_reasons || 'second_approval'::text; end if;
    -- An address that waited out its hold in the book was new for long enough.
    if v_usable_from is null and v_tier.new_address_auto_reference_minor is not null and not v_before.is_known_address
      and (p_value is null or p_value > v_tier.new_address_auto_reference_minor) then
      if not exists (select 1 from withdrawals x where x.customer_id = p_customer and x.address = p_address and x.network_id = p_network
          and x.status not in ('refused', 'cancelled', 'rejected', 'failed')) then
        v_reasons := v_reasons || 'new_address'::text;
      end if;
    end if;
    if v_customer.security_changed_at is not null then
      if v_customer.security_changed_at > v_now - (select s.security_review from protocol_settings s) then
        v_reasons := v_reasons || 'security_change'::text;
      end if;
    end if;
    if v_customer.review_all or v_pair.review_all then v_reasons := v_reasons || 'approval_switch'::text; end if;
    v_reasons := v_reasons || p_reasons;
  end if;
  -- Stored refusals are bounded, or a script could fill the table with them.
  if v_refusal is not null then
    if (select count(*) from withdrawals x where x.customer_id = p_customer and x.status = 'refused' and x.refusal_code <> 'given_up'
        and x.requested_at > v_now - interval '24 hours') + v_before.refused >= p_refused_daily_max then
      return query select 'refused_too_often', null::uuid, null::withdrawals;
      return;
    end if;
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

-- Requests that arrive together are taken in one transaction: one flush of the log, one round trip, one lock a customer and one write
-- for all of them. Each has an outcome of its own.
--
-- Customers are locked first and in one order, so that two batches cannot wait for each other crosswise; whoever is locked by
-- somebody else is left out as 'busy' and asked for alone, so that nobody waits for a stranger's lock. A known key locks nothing:
-- a batch of repetitions writes no log. Whatever raises takes the whole batch back, and its requests are made one by one.
--
-- Of one customer each request is decided after the one that came before it, and counts what that one holds before it is written.
create or replace function request_withdrawals(p_requests jsonb)
returns table (ordinal integer, outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare r record; d record; v_mine uuid[]; v_confirmed text; v_customer uuid; v_before withdrawals[]; v_rows withdrawals[] := '{}'; v_decided uuid[] := '{}';
  v_places integer[] := '{}'; v_likes uuid[] := '{}'; v_keys uuid[] := '{}'; v_ids uuid[] := '{}'; v_confirmations jsonb[] := '{}';
  v_are_decided boolean[] := '{}'; v_followed uuid[] := '{}'; v_outboxes bigint[]; v_written uuid[];
begin
  select coalesce(array_agg(l.id), '{}') into v_mine from (
    select c.id from customers c
      where c.id in (select (x.e ->> 'customer')::uuid from jsonb_array_elements(p_requests) x(e)
        where not exists (select 1 from withdrawals k where k.idempotency_key = (x.e ->> 'key')::uuid))
      order by c.id for no key update skip locked) l;
  for r in
    -- A statement of its own: of the customers that we hold it sees every key that was taken while we waited.
    select x.*, x.customer = any (v_mine) as is_mine, exists (select 1 from withdrawals k where k.idempotency_key = x.key) as is_known
    from rows from (jsonb_to_recordset(p_requests) as (id uuid, key uuid, customer uuid, asset text, network text, address text,
        memo text, amount numeric, fee numeric, fee_mode text, refusal text, needs_approval boolean, look_alike_of uuid, clicked_at timestamptz,
        refused_daily_max integer, value numeric, reasons text[], totp_step bigint, challenge uuid, fingerprint text))
      with ordinality as x(id, key, customer, asset, network, address, memo, amount, fee, fee_mode, refusal, needs_approval, look_alike_of,
        clicked_at, refused_daily_max, value, reasons, totp_step, challenge, fingerprint, place)
    order by x.customer, x.place
  loop
    if r.customer is distinct from v_customer then
      v_customer := r.customer;
      v_before := null;
    end if;
    -- By us or by somebody before us: answered below, by the row.
    if r.is_known or r.key = any (v_decided) then
      v_places := v_places || r.place::integer;
      v_likes := v_likes || null::uuid;
      v_keys := v_keys || r.key;
      v_ids := v_ids || r.id;
      v_are_decided := v_are_decided || false;
      continue;
    end if;
    if not r.is_mine then
      if exists (select 1 from customers c where c.id = r.customer) then
        return query select r.place::integer, 'busy', null::bigint, null::uuid, null::withdrawals;
        continue;
      end if;
    end if;
    v_confirmed := 'not_needed';
    if r.refusal is null and cardinality(step_up_reasons(r.customer, r.network, r.address, r.memo, r.value)) > 0 then
      v_confirmed := spend_confirmation(r.key, r.customer, r.network, r.address, r.memo, r.refusal, r.value, r.totp_step, r.challenge);
    end if;
    if v_confirmed = 'missing' then
      return query select r.place::integer, 'step_up_required', null::bigint, null::uuid, null::withdrawals;
      continue;
    end if;
    select * into d from decide_withdrawal(r.id, r.key, r.customer, r.asset, r.network, r.address, r.memo, r.amount, r.fee, r.fee_mode, r.refusal,
      r.needs_approval, r.look_alike_of, r.clicked_at, r.refused_daily_max, true, r.value, r.reasons, v_before, true);
    if d.outcome <> 'decided' then
      return query select r.place::integer, d.outcome, null::bigint, null::uuid, d.w;
      continue;
    end if;
    -- Whose decision counted on another one's being written.
    if v_before is not null then v_followed := v_followed || r.customer; end if;
    v_before := v_before || d.w;
    v_rows := v_rows || d.w;
    v_decided := v_decided || r.key;
    v_places := v_places || r.place::integer;
    v_likes := v_likes || d.look_alike;
    v_keys := v_keys || r.key;
    v_ids := v_ids || r.id;
    v_are_decided := v_are_decided || true;
    if v_confirmed = 'spent' then
      v_confirmations := v_confirmations || jsonb_build_object('id', r.id, 'method', case when r.totp_step is not null then 'totp' else 'passkey' end,
        'fingerprint', r.fingerprint);
    end if;
  end loop;
  if cardinality(v_rows) > 0 then
    select array_agg(x.outbox_id), array_agg((x.w).id) into v_outboxes, v_written from write_withdrawals(v_rows) x;
    -- Another customer's request took a key while we decided, and something was counted that holds nothing: one by one, then.
    if cardinality(v_followed) > 0 and exists (select 1 from unnest(v_rows) x where x.customer_id = any (v_followed) and x.id <> all (coalesce(v_written, '{}'))) then
      raise exception using errcode = '40001', message = 'request_withdrawals: a key was taken while its customer''s next request was decided';
    end if;
    if cardinality(v_confirmations) > 0 then
      insert into step_up_uses (withdrawal_id, method, fingerprint_sha256)
        select (c ->> 'id')::uuid, c ->> 'method', c ->> 'fingerprint' from unnest(v_confirmations) c where (c ->> 'id')::uuid = any (v_written);
    end if;
  end if;
  -- A statement of its own: it sees the row of whoever took a key while we wrote.
  return query
    select q.place, case when o.withdrawal_id is null then 'existing' else 'new' end, o.id, case when o.withdrawal_id is not null then q.look_alike end, k
    from unnest(v_places, v_likes, v_keys, v_ids, v_are_decided) as q(place, look_alike, key, id, is_decided)
    join withdrawals k on k.idempotency_key = q.key
    left join unnest(v_outboxes, v_written) as o(id, withdrawal_id) on o.withdrawal_id = q.id and q.is_decided;
end $$;

-- As before, with the clock read once and not by two defaults of each row.
create or replace function notify_of_withdrawal() returns trigger language plpgsql as $$
declare v_now timestamptz := protocol_now();
begin
  -- Most moves are no news, and an insert of nothing costs as much as one of something.
  if not exists (select 1 from added h where h.from_status is null and h.to_status in ('queued', 'awaiting_approval')
      or h.from_status is not null and h.to_status in ('submitted', 'completed', 'failed', 'rejected', 'cancelled')) then
    return null;
  end if;
  insert into notifications (subject_id, kind, user_id, created_at, next_attempt_at)
    select w.id, case h.to_status when 'queued' then 'withdrawal_requested' when 'awaiting_approval' then 'withdrawal_needs_approval'
      when 'submitted' then 'withdrawal_sent' else 'withdrawal_' || h.to_status end, w.customer_id, v_now, v_now
    from added h join withdrawals w on w.id = h.withdrawal_id
    where h.from_status is null and h.to_status in ('queued', 'awaiting_approval')
      or h.from_status is not null and h.to_status in ('submitted', 'completed', 'failed', 'rejected', 'cancelled')
    on conflict do nothing;
  return null;
end $$;
