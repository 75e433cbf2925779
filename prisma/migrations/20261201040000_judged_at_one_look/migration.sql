-- What a request is judged by was asked for request by request, in some fifteen statements each, and what was decided was written by six
-- more; every one of them is begun and ended anew. Now everything that many requests are judged by is one statement, and everything
-- that they write is another. There is one judgement, for one and for many (of Postgres' CPU, 32 in flight: 0.49 ms a request before,
-- 0.30 after; one at a time 1.78 and 1.46).

drop function request_withdrawals(jsonb);
drop function request_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, boolean, numeric, text[]);
drop function write_withdrawals(withdrawals[]);
drop function ledger_holds(withdrawals[]);
drop function decide_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, boolean,
  numeric, text[], withdrawals[], boolean);
drop function request_confirmed_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer, numeric,
  text[], bigint, uuid, text);
drop function spend_confirmation(uuid, uuid, text, text, text, text, numeric, bigint, uuid);
drop function step_up_reasons(uuid, text, text, text, numeric);

-- As before, but as a row, which a statement that asks for many takes into its own plan. No row for nobody's customer.
create function step_up_reasons(p_customer uuid, p_network text, p_address text, p_memo text, p_value numeric) returns table (reasons text[]) language sql stable as $$
  select array_remove(array[
    case when t.step_up_reference_minor < p_value or (p_value is null and t.step_up_reference_minor is not null and f.enrolled) then 'amount' end,
    case when f.enrolled and not exists (
        select 1 from address_book b where b.customer_id = c.id and b.network_id = p_network and b.address = p_address
          and b.memo is not distinct from p_memo and b.removed_at is null and b.usable_from <= protocol_now())
      and not exists (
        select 1 from withdrawals x where x.customer_id = c.id and x.network_id = p_network and x.address = p_address
          and x.memo is not distinct from p_memo and x.status = 'completed')
      then 'new_address' end], null)
  from customers c join tiers t on t.id = c.tier
  cross join lateral (select exists (select 1 from totp_factors o where o.user_id = c.id and o.confirmed_at is not null)
    or exists (select 1 from passkeys k where k.user_id = c.id) as enrolled) f
  where c.id = p_customer
$$;

-- A code or a signature is spent here and nowhere else, under the customer's lock: false says that there is none, or that it was spent before.
create function spend_confirmation(p_customer uuid, p_totp_step bigint, p_challenge uuid) returns boolean language plpgsql volatile as $$
begin
  if p_totp_step is not null then
    update totp_factors f set last_step = p_totp_step
      where f.user_id = p_customer and f.confirmed_at is not null and f.last_step < p_totp_step;
    return found;
  end if;
  update step_up_challenges s set spent_at = protocol_now()
    where s.id = p_challenge and s.user_id = p_customer and s.spent_at is null and s.expires_at > protocol_now();
  return found;
end $$;

-- Requests that arrive together are taken in one transaction: one flush of the log, one round trip, one lock a customer, one look at what
-- they are judged by and one write for all of them. Each has an outcome of its own.
--
-- Customers are locked first and in one order, so that two batches cannot wait for each other crosswise; whoever is locked by
-- somebody else is left out as 'busy' and asked for alone, so that nobody waits for a stranger's lock. A known key locks nothing:
-- a batch of repetitions writes no log. Whatever raises takes the whole batch back, and its requests are made one by one.
--
-- Of one customer each request is decided after the one that came before it, and counts what that one holds before it is written.
create function request_withdrawals(p_requests jsonb, p_with_confirmation boolean default true, p_with_limits boolean default true)
returns table (ordinal integer, outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  r record; v withdrawals; v_before withdrawals[]; v_exact record; v_customer uuid; v_refusal text; v_like uuid; v_reasons text[]; v_is_spent boolean;
  v_total numeric; v_value numeric; v_asking uuid[]; v_mine uuid[]; v_written integer;
  -- Of this customer, decided in this very transaction and not written yet.
  v_of_asset numeric; v_used numeric; v_requests bigint; v_refused bigint; v_is_known_address boolean; v_like_before uuid;
  -- What is written, beside its place and the one it resembles; and what is answered by the row of its key.
  v_rows withdrawals[] := '{}'; v_ids uuid[] := '{}'; v_keys uuid[] := '{}'; v_places integer[] := '{}'; v_likes uuid[] := '{}'; v_followed uuid[] := '{}';
  v_known_places integer[] := '{}'; v_known_keys uuid[] := '{}'; v_confirmations jsonb[] := '{}';
  -- Read once: it is one value in a transaction.
  v_now timestamptz := protocol_now();
begin
  select coalesce(array_agg(distinct (x.e ->> 'customer')::uuid), '{}') into v_asking from jsonb_array_elements(p_requests) x(e)
    where not exists (select 1 from withdrawals k where k.idempotency_key = (x.e ->> 'key')::uuid);
  -- Repetitions alone are judged by nothing.
  if cardinality(v_asking) = 0 then
    return query
      select x.place::integer, 'existing', null::bigint, null::uuid, k
      from jsonb_array_elements(p_requests) with ordinality as x(e, place) join withdrawals k on k.idempotency_key = (x.e ->> 'key')::uuid;
    return;
  end if;
  select coalesce(array_agg(l.id), '{}') into v_mine from (
    select c.id from customers c where c.id = any (v_asking) order by c.id for no key update skip locked) l;
  for r in
    -- A statement of its own: of the customers that we hold it sees whatever was committed while we waited for them.
    select x.*, x.customer = any (v_mine) as is_mine, c.id is not null as is_customer, k.key is not null as is_known,
      c.is_frozen, c.allow_list, c.review_all as review_customer, c.is_changed,
      c.hard_limit_24h_reference_minor, c.auto_limit_24h_reference_minor, c.auto_limit_30d_reference_minor, c.second_approval_reference_minor,
      c.new_address_auto_reference_minor, c.velocity_window, c.velocity_max,
      n.confirmations_required, n.enabled, n.fee_minor, n.review_all as review_pair, n.cap_24h_minor, s.reasons as step_up_reasons,
      exists (select 1 from own_addresses o where o.network_id = x.network and o.address = x.address) as is_ours,
      exists (select 1 from switches h where h.resumed_at is null and (h.scope = 'all' or (h.scope = 'asset' and h.target = x.asset)
        or (h.scope = 'network' and h.target = x.network) or (h.scope = 'customer' and h.target = x.customer::text))) as is_paused,
      a.usable_from, named.id as named_id, named.requested_at as named_at, l.id as like_id, l.requested_at as like_at, m.available_minor,
      u.used_30d, u.used_24h, u.asset_24h, u.in_window
    from rows from (jsonb_to_recordset(p_requests) as (id uuid, key uuid, customer uuid, asset text, network text, address text,
        memo text, amount numeric, fee numeric, fee_mode text, refusal text, needs_approval boolean, look_alike_of uuid, clicked_at timestamptz,
        refused_daily_max integer, value numeric, reasons text[], totp_step bigint, challenge uuid, fingerprint text))
      with ordinality as x(id, key, customer, asset, network, address, memo, amount, fee, fee_mode, refusal, needs_approval, look_alike_of,
        clicked_at, refused_daily_max, value, reasons, totp_step, challenge, fingerprint, place)
    left join lateral (select y.idempotency_key as key from withdrawals y where y.idempotency_key = x.key limit 1) k on true
    left join lateral (
      select d.id, d.frozen_at is not null or d.payouts_stopped_at is not null or coalesce(d.frozen_until > v_now, false) as is_frozen,
        d.allow_list and coalesce(d.allow_list_off_at > v_now, true) as allow_list, d.review_all,
        case when d.security_changed_at is not null then d.security_changed_at > v_now - (select o.security_review from protocol_settings o) else false end as is_changed,
        t.hard_limit_24h_reference_minor, t.auto_limit_24h_reference_minor, t.auto_limit_30d_reference_minor, t.second_approval_reference_minor,
        t.new_address_auto_reference_minor, t.velocity_window, t.velocity_max
      from customers d join tiers t on t.id = d.tier where d.id = x.customer limit 1) c on true
    left join lateral (
      select q.confirmations_required, p.enabled, p.fee_minor, p.review_all, i.cap_24h_minor
      from networks q left join asset_networks p on p.network_id = q.id and p.asset_id = x.asset left join assets i on i.id = x.asset
      where q.id = x.network limit 1) n on true
    left join lateral step_up_reasons(x.customer, x.network, x.address, x.memo, x.value) s on p_with_confirmation and x.refusal is null
    left join lateral (
      select e.usable_from from address_book e where e.customer_id = x.customer and e.network_id = x.network
        and e.address = x.address and e.memo is not distinct from x.memo and e.removed_at is null limit 1) a on true
    -- Somebody else's withdrawal, one that asks for something else, or none, is no go-ahead.
    left join lateral (
      select y.id, y.requested_at from withdrawals y where y.id = x.look_alike_of and y.customer_id = x.customer and y.asset_id = x.asset
        and y.network_id = x.network and y.address = x.address and y.memo is not distinct from x.memo and y.amount_minor = x.amount limit 1) named on true
    left join lateral (
      select y.id, y.requested_at from withdrawals y
        where y.customer_id = x.customer and y.address = x.address and y.asset_id = x.asset and y.amount_minor = x.amount
          and y.status not in ('refused', 'cancelled', 'rejected', 'failed')
          and y.network_id = x.network and y.memo is not distinct from x.memo
          and y.requested_at > v_now - interval '10 minutes' and y.id is distinct from x.look_alike_of
        order by y.requested_at desc limit 1) l on true
    left join lateral (select f.available_minor from customer_balances f where f.customer_id = x.customer and f.asset_id = x.asset limit 1) m on true
    -- At most so much: whole days and hours, the ones on the windows' edges included. Two looks at an index; nearly everybody is far below.
    left join lateral (
      select coalesce(sum(z.value_reference_minor) filter (where z.span_hours = 24), 0) as used_30d,
        coalesce(sum(z.value_reference_minor) filter (where z.span_hours = 24 and z.begins_at >= usage_span(v_now - interval '24 hours', 24)), 0) as used_24h,
        coalesce(sum(z.total_minor) filter (where z.span_hours = 24 and z.begins_at >= usage_span(v_now - interval '24 hours', 24) and z.asset_id = x.asset), 0) as asset_24h,
        coalesce(sum(z.requests) filter (where z.span_hours = 1), 0) as in_window
      from (
        select g.* from withdrawal_usage g
          where g.customer_id = x.customer and g.span_hours = 24 and g.begins_at >= usage_span(v_now - interval '30 days', 24)
        union all
        select g.* from withdrawal_usage g
          where g.customer_id = x.customer and g.span_hours = 1 and g.begins_at >= usage_span(v_now - c.velocity_window, 1)) z) u on p_with_limits
    order by x.customer, x.place
  loop
    if r.customer is distinct from v_customer then
      v_customer := r.customer;
      v_before := null;
    end if;
    -- By us or by somebody before us: answered below, by the row.
    if r.is_known or r.key = any (v_keys) then
      v_known_places := v_known_places || r.place::integer;
      v_known_keys := v_known_keys || r.key;
      continue;
    end if;
    if not r.is_mine then
      return query select r.place::integer, case when r.is_customer then 'busy' else 'no_customer' end, null::bigint, null::uuid, null::withdrawals;
      continue;
    end if;
    v_is_spent := false;
    if cardinality(r.step_up_reasons) > 0 then
      v_is_spent := spend_confirmation(r.customer, r.totp_step, r.challenge);
      if not v_is_spent then
        return query select r.place::integer, 'step_up_required', null::bigint, null::uuid, null::withdrawals;
        continue;
      end if;
    end if;
    v_of_asset := 0; v_used := 0; v_requests := 0; v_refused := 0; v_is_known_address := false; v_like_before := null;
    if v_before is not null then
      select coalesce(sum(x.total_minor) filter (where x.status <> 'refused' and x.asset_id = r.asset), 0),
          coalesce(sum(x.value_reference_minor) filter (where x.status <> 'refused'), 0),
          count(*) filter (where x.status <> 'refused'), count(*) filter (where x.status = 'refused'),
          coalesce(bool_or(x.address = r.address and x.network_id = r.network) filter (where x.status <> 'refused'), false),
          min(x.id::text) filter (where x.status <> 'refused' and x.address = r.address and x.asset_id = r.asset and x.amount_minor = r.amount
            and x.network_id = r.network and x.memo is not distinct from r.memo)::uuid
        into v_of_asset, v_used, v_requests, v_refused, v_is_known_address, v_like_before from unnest(v_before) x;
    end if;
    v_total := r.amount + r.fee;
    v_value := coalesce(r.value, 0);
    v_reasons := '{}';
    -- What is not written yet was asked now.
    v_like := coalesce(v_like_before, r.like_id);
    v_refusal := case
      when r.refusal is not null then r.refusal
      when r.is_ours then 'address_own_deposit'
      when r.is_frozen then 'customer_frozen'
      when not r.enabled then 'pair_disabled'
      when r.is_paused then 'pair_paused'
      when r.usable_from > v_now then 'address_on_hold'
      when r.usable_from is null and r.allow_list then 'address_not_allowed'
      when r.fee_minor <> r.fee then 'fee_changed'
      -- Naming any one of the look-alikes is the go-ahead for all of them that came before it.
      when v_like is not null and (r.named_id is null or r.named_at < case when v_like_before is null then r.like_at else v_now end) then 'look_alike'
      when r.available_minor is null or r.available_minor < v_of_asset + v_total then 'insufficient_funds' end;
    if v_refusal is null and p_with_limits then
      if r.used_24h + v_used + v_value > least(r.hard_limit_24h_reference_minor, r.auto_limit_24h_reference_minor)
        or r.used_30d + v_used + v_value > r.auto_limit_30d_reference_minor or r.asset_24h + v_of_asset + v_total > r.cap_24h_minor
        or r.in_window + v_requests + 1 > r.velocity_max then
        -- To the instant. What is cancelled, rejected or failed gives back, because it is not counted.
        select d.used as used_24h, d.of_asset as asset_24h, m.used as used_30d, n.requests as in_window into v_exact
          from (select coalesce(sum(u.value_reference_minor), 0) as used, coalesce(sum(u.total_minor) filter (where u.asset_id = r.asset), 0) as of_asset
            from withdrawals_counted_since(r.customer, v_now - interval '24 hours') u) d
          cross join (select coalesce(sum(u.value_reference_minor), 0) as used from withdrawals_counted_since(r.customer, v_now - interval '30 days') u) m
          cross join (select coalesce(sum(u.requests), 0) as requests from withdrawals_counted_since(r.customer, v_now - r.velocity_window) u) n;
        if v_exact.used_24h + v_used + v_value > r.hard_limit_24h_reference_minor then v_refusal := 'limit_exceeded'; end if;
        if v_exact.used_24h + v_used + v_value > r.auto_limit_24h_reference_minor then v_reasons := v_reasons || 'limit_24h'::text; end if;
        if v_exact.used_30d + v_used + v_value > r.auto_limit_30d_reference_minor then v_reasons := v_reasons || 'limit_30d'::text; end if;
        if v_exact.asset_24h + v_of_asset + v_total > r.cap_24h_minor then v_reasons := v_reasons || 'asset_cap'::text; end if;
        if v_exact.in_window + v_requests + 1 > r.velocity_max then v_reasons := v_reasons || 'velocity'::text; end if;
      end if;
      if v_value > r.second_approval_reference_minor then v_reasons := v_reasons || 'second_approval'::text; end if;
      -- An address that waited out its hold in the book was new for long enough.
      if r.usable_from is null and r.new_address_auto_reference_minor is not null and not v_is_known_address
        and (r.value is null or r.value > r.new_address_auto_reference_minor) then
        if not exists (select 1 from withdrawals x where x.customer_id = r.customer and x.address = r.address and x.network_id = r.network
            and x.status not in ('refused', 'cancelled', 'rejected', 'failed')) then
          v_reasons := v_reasons || 'new_address'::text;
        end if;
      end if;
      if r.is_changed then v_reasons := v_reasons || 'security_change'::text; end if;
      if r.review_customer or r.review_pair then v_reasons := v_reasons || 'approval_switch'::text; end if;
      v_reasons := v_reasons || r.reasons;
    end if;
    -- Stored refusals are bounded, or a script could fill the table with them.
    if v_refusal is not null then
      if (select count(*) from withdrawals x where x.customer_id = r.customer and x.status = 'refused' and x.refusal_code <> 'given_up'
          and x.requested_at > v_now - interval '24 hours') + v_refused >= r.refused_daily_max then
        return query select r.place::integer, 'refused_too_often', null::bigint, null::uuid, null::withdrawals;
        continue;
      end if;
    end if;
    v := null;
    v.id := r.id;
    v.idempotency_key := r.key;
    v.customer_id := r.customer;
    v.asset_id := r.asset;
    v.network_id := r.network;
    v.address := r.address;
    v.memo := r.memo;
    v.amount_minor := r.amount;
    v.fee_minor := r.fee;
    v.total_minor := v_total;
    v.fee_mode := r.fee_mode;
    -- A refused look-alike remembers the one it resembles, so that a replay can name it too.
    v.look_alike_of := case when v_refusal is null then r.named_id when v_refusal = 'look_alike' then v_like end;
    v.status := case when v_refusal is not null then 'refused' when r.needs_approval or cardinality(v_reasons) > 0 then 'awaiting_approval' else 'queued' end;
    v.refusal_code := v_refusal;
    v.confirmations_required := r.confirmations_required;
    v.clicked_at := r.clicked_at;
    v.value_reference_minor := r.value;
    v.approval_reasons := v_reasons;
    v.approvals_required := case when v_reasons && '{second_approval,price_missing}' then 2 when r.needs_approval or cardinality(v_reasons) > 0 then 1 else 0 end;
    -- Whose decision counted on another one's being written.
    if v_before is not null then v_followed := v_followed || r.id; end if;
    v_before := v_before || v;
    v_rows := v_rows || v;
    v_ids := v_ids || r.id;
    v_keys := v_keys || r.key;
    v_places := v_places || r.place::integer;
    v_likes := v_likes || v_like;
    if v_is_spent then
      v_confirmations := v_confirmations || jsonb_build_object('id', r.id, 'method', case when r.totp_step is not null then 'totp' else 'passkey' end,
        'fingerprint', r.fingerprint);
    end if;
  end loop;
  if cardinality(v_rows) > 0 then
    -- Rows under their keys, history, holds and wake-ups. A key that somebody else has taken meanwhile is left out, and nothing is held
    -- for it. Keys are taken in their order, so that two batches cannot wait for each other crosswise; what is held is counted before
    -- it is booked, so that an hour, a day and a balance are locked in one order.
    return query
      with added as (
        insert into withdrawals as x (id, idempotency_key, customer_id, asset_id, network_id, address, memo, amount_minor, fee_minor, total_minor,
            fee_mode, look_alike_of, status, refusal_code, confirmations_required, clicked_at, next_action_at, ended_at,
            status_since, requested_at, updated_at, value_reference_minor, approval_reasons, approvals_required)
          select d.id, d.idempotency_key, d.customer_id, d.asset_id, d.network_id, d.address, d.memo, d.amount_minor, d.fee_minor, d.total_minor,
            d.fee_mode, d.look_alike_of, d.status, d.refusal_code, d.confirmations_required, d.clicked_at, v_now,
            case when d.status = 'refused' then v_now end, v_now, v_now, v_now, d.value_reference_minor, d.approval_reasons, d.approvals_required
          from unnest(v_rows) d order by d.idempotency_key
          on conflict (idempotency_key) do nothing
          returning x.id, x.customer_id, x.asset_id, x.total_minor, x.status, x.refusal_code, x.approval_reasons, x as row),
      moved as (
        insert into ledger_transfers (asset_id, kind, source_id, created_at)
          select d.asset_id, 'hold', d.id, v_now from added d where d.status <> 'refused'
          returning id, source_id),
      held as (
        insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
          select t.id, 1, d.asset_id, f.available_account_id, f.held_account_id, d.total_minor
          from moved t join added d on d.id = t.source_id join customer_balances f on f.customer_id = d.customer_id and f.asset_id = d.asset_id),
      told as (
        insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason, evidence, at)
          select d.id, null, d.status, 'customer', coalesce(d.refusal_code, 'requested'),
            case when d.status = 'awaiting_approval' then jsonb_build_object('reasons', d.approval_reasons) else '{}' end, v_now
          from added d),
      woken as (
        insert into outbox (withdrawal_id, not_before, created_at)
          select d.id, v_now, v_now from added d where d.status = 'queued'
          returning id, withdrawal_id)
      select q.place, 'new', o.id, q.look_alike, d.row
      from added d join unnest(v_ids, v_places, v_likes) as q(id, place, look_alike) on q.id = d.id left join woken o on o.withdrawal_id = d.id;
    get diagnostics v_written = row_count;
    if v_written < cardinality(v_rows) then
      -- Another customer's request took a key while we decided, and something was counted that holds nothing: one by one, then.
      if exists (select 1 from unnest(v_rows) x where not exists (select 1 from withdrawals y where y.id = x.id)
          and exists (select 1 from unnest(v_rows) z where z.customer_id = x.customer_id and z.id = any (v_followed))) then
        raise exception using errcode = '40001', message = 'request_withdrawals: a key was taken while its customer''s next request was decided';
      end if;
      select v_known_places || coalesce(array_agg(q.place), '{}'), v_known_keys || coalesce(array_agg(q.key), '{}') into v_known_places, v_known_keys
        from unnest(v_ids, v_keys, v_places) as q(id, key, place) where not exists (select 1 from withdrawals y where y.id = q.id);
    end if;
    if cardinality(v_confirmations) > 0 then
      insert into step_up_uses (withdrawal_id, method, fingerprint_sha256)
        select (c ->> 'id')::uuid, c ->> 'method', c ->> 'fingerprint' from unnest(v_confirmations) c
        where exists (select 1 from withdrawals y where y.id = (c ->> 'id')::uuid);
    end if;
  end if;
  if cardinality(v_known_places) > 0 then
    -- A statement of its own: it sees the row of whoever took a key while we wrote.
    return query
      select q.place, 'existing', null::bigint, null::uuid, k from unnest(v_known_places, v_known_keys) as q(place, key)
      join withdrawals k on k.idempotency_key = q.key;
  end if;
end $$;

-- One request that waits for its customer's lock. A known key locks nothing: a repetition writes no log.
create function request_confirmed_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_value numeric, p_reasons text[],
  p_totp_step bigint, p_challenge uuid, p_fingerprint text,
  p_with_confirmation boolean default true, p_with_limits boolean default true
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
begin
  if not exists (select 1 from withdrawals k where k.idempotency_key = p_key) then
    -- "No key": giving up a key refers to the same customer, and would wait for us here while we wait for its key.
    perform 1 from customers c where c.id = p_customer for no key update;
  end if;
  return query select r.outcome, r.outbox_id, r.look_alike, r.w from request_withdrawals(jsonb_build_array(jsonb_build_object(
    'id', p_id, 'key', p_key, 'customer', p_customer, 'asset', p_asset, 'network', p_network, 'address', p_address, 'memo', p_memo,
    'amount', p_amount, 'fee', p_fee, 'fee_mode', p_fee_mode, 'refusal', p_refusal, 'needs_approval', p_needs_approval, 'look_alike_of', p_look_alike_of,
    'clicked_at', p_clicked_at, 'refused_daily_max', p_refused_daily_max, 'value', p_value, 'reasons', p_reasons,
    'totp_step', p_totp_step, 'challenge', p_challenge, 'fingerprint', p_fingerprint)), p_with_confirmation, p_with_limits) r;
end $$;

-- The same without a confirmation, and with limits where they are asked for: for what the house itself asks, and for arranging.
create function request_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer,
  p_with_limits boolean default false, p_value numeric default null, p_reasons text[] default '{}'
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language sql volatile as $$
  select * from request_confirmed_withdrawal(p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, p_fee_mode, p_refusal,
    p_needs_approval, p_look_alike_of, p_clicked_at, p_refused_daily_max, p_value, p_reasons, null, null, null, false, p_with_limits)
$$;

-- As before. A condition that is mostly settled by what is in the hand stands around the one that asks a table: together they were planned
-- anew for every row (31 us a row that was accepted before, 8 after).
create or replace function withdrawals_commit_guard() returns trigger language plpgsql as $$
declare v_kind text := case when new.status in ('failed', 'cancelled', 'rejected') then 'void' when new.status = 'completed' then 'post' else 'hold' end;
begin
  -- The intent stands before the first byte leaves: after a crash there is always a row that says "maybe".
  if new.status = 'dispatching' then
    if not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.fence = new.fence and a.kind = 'send') then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_claim_has_attempt', message = 'withdrawals_claim_has_attempt: nothing is sent that is not written down';
    end if;
    return null;
  end if;
  if v_kind = 'void' then
    if exists (select 1 from chain_effects e where e.withdrawal_id = new.id and e.state <> 'orphaned') then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_no_release_against_proof', message = 'withdrawals_no_release_against_proof: the coins were seen on the chain';
    end if;
    if new.status = 'failed' and old.status in ('dispatching', 'in_doubt') then
      if not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.outcome = 'refusal_found')
        and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.kind = 'send'
          and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later', 'refused') and a.proved_absent_at is null) then
        raise exception using errcode = 'P0001', constraint = 'withdrawals_failed_needs_proof', message = 'withdrawals_failed_needs_proof: an attempt may still pay';
      end if;
    end if;
    -- Not seen is not dead: a transaction that was signed pays whenever somebody broadcasts it.
    if new.status = 'failed' and old.status in ('submitted', 'broadcast') then
      if exists (select 1 from withdrawal_transactions x where x.withdrawal_id = new.id and x.dead_at is null) then
        raise exception using errcode = 'P0001', constraint = 'withdrawals_failed_needs_dead_transactions', message = 'withdrawals_failed_needs_dead_transactions: a signed transaction may still pay';
      end if;
    end if;
  end if;
  if not exists (select 1 from ledger_transfers t where t.source_id = new.id and t.kind = v_kind) then
    raise exception using errcode = 'P0001', message = format('no %s for withdrawal %s', v_kind, new.id),
      constraint = case v_kind when 'hold' then 'withdrawals_accepted_has_hold' when 'post' then 'withdrawals_completed_has_post' else 'withdrawals_released_has_void' end;
  end if;
  return null;
end $$;
