-- What an insert costs is mostly paid once a statement and not once a row: Postgres reads every check, every trigger's condition and
-- every plan anew for each. So the accepting call decides first, request by request, and writes afterwards, for all that were
-- decided in one statement a table (tried, 32 at a time: half of the CPU of writing each by itself). One decides and writes, and
-- many decide and write, by the same two functions.

-- Everything that is judged under the customer's lock, and nothing written: the row as it is to be, or why there is none.
create function decide_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_with_limits boolean, p_value numeric, p_reasons text[]
) returns table (outcome text, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  v withdrawals; v_refusal text := p_refusal; v_like uuid; v_named withdrawals;
  v_total numeric := p_amount + p_fee; v_customer record; v_pair record; v_usage record; v_usable_from timestamptz;
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

-- The holds of rows that were just written. An hour, a day and a balance are locked in the order of customers.
create function ledger_holds(p withdrawals[]) returns void language plpgsql as $$
begin
  insert into ledger_transfers (asset_id, kind, source_id, created_at)
    select w.asset_id, 'hold', w.id, w.requested_at from unnest(p) w where w.status <> 'refused';
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t.id, 1, w.asset_id, b.available_account_id, b.held_account_id, w.total_minor
    from unnest(p) w join ledger_transfers t on t.source_id = w.id and t.kind = 'hold'
    join customer_balances b on b.customer_id = w.customer_id and b.asset_id = w.asset_id
    where w.status <> 'refused';
end $$;

-- Writes what was decided: rows under their keys, history, holds and wake-ups. A key that somebody else has taken meanwhile is left
-- out, and nothing is held for it. Keys are taken in their order, so that two batches cannot wait for each other crosswise.
create function write_withdrawals(p_decided withdrawals[]) returns table (outbox_id bigint, w withdrawals) language plpgsql as $$
declare v_rows withdrawals[];
begin
  with added as (
    insert into withdrawals as x (id, idempotency_key, customer_id, asset_id, network_id, address, memo, amount_minor, fee_minor, total_minor,
        fee_mode, look_alike_of, status, refusal_code, confirmations_required, clicked_at, next_action_at, ended_at,
        status_since, requested_at, updated_at, value_reference_minor, approval_reasons, approvals_required)
      select d.id, d.idempotency_key, d.customer_id, d.asset_id, d.network_id, d.address, d.memo, d.amount_minor, d.fee_minor, d.total_minor,
        d.fee_mode, d.look_alike_of, d.status, d.refusal_code, d.confirmations_required, d.clicked_at, d.requested_at,
        case when d.status = 'refused' then d.requested_at end, d.requested_at, d.requested_at, d.requested_at,
        d.value_reference_minor, d.approval_reasons, d.approvals_required
      from unnest(p_decided) d order by d.idempotency_key
      on conflict (idempotency_key) do nothing returning x as w)
    select array_agg(a.w) into v_rows from added a;
  if v_rows is null then return; end if;
  insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason, evidence, at)
    select r.id, null, r.status, 'customer', coalesce(r.refusal_code, 'requested'),
      case when r.status = 'awaiting_approval' then jsonb_build_object('reasons', r.approval_reasons) else '{}' end, r.requested_at
    from unnest(v_rows) r;
  perform ledger_holds(v_rows);
  return query
    with woken as (
      insert into outbox (withdrawal_id, not_before, created_at)
        select r.id, r.requested_at, r.requested_at from unnest(v_rows) r where r.status = 'queued'
        returning id, withdrawal_id)
    select k.id, r from unnest(v_rows) r left join woken k on k.withdrawal_id = r.id;
end $$;

-- As before, in two steps.
create or replace function request_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer,
  -- False asks for the bare acceptance: nothing is counted.
  p_with_limits boolean default false, p_value numeric default null, p_reasons text[] default '{}'
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare d record; v withdrawals;
begin
  select * into d from decide_withdrawal(p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, p_fee_mode, p_refusal,
    p_needs_approval, p_look_alike_of, p_clicked_at, p_refused_daily_max, p_with_limits, p_value, p_reasons);
  if d.outcome <> 'decided' then
    return query select d.outcome, null::bigint, null::uuid, d.w;
    return;
  end if;
  return query select 'new', x.outbox_id, d.look_alike, x.w from write_withdrawals(array[d.w]) x;
  if not found then
    select * into v from withdrawals x where x.idempotency_key = p_key;
    return query select 'existing', null::bigint, null::uuid, v;
  end if;
end $$;

-- Whether a request that is new is confirmed: 'not_needed', 'spent' or 'missing'. A code or a signature is spent here and nowhere else.
create function spend_confirmation(
  p_key uuid, p_customer uuid, p_network text, p_address text, p_memo text, p_refusal text, p_value numeric,
  -- The verified code's time step, or the verified challenge; neither for a request that nobody confirmed.
  p_totp_step bigint, p_challenge uuid
) returns text language plpgsql volatile as $$
begin
  if p_refusal is not null or exists (select 1 from withdrawals x where x.idempotency_key = p_key)
    -- Of nobody's customer nothing is asked: the decision says that there is none.
    or coalesce(cardinality(step_up_reasons(p_customer, p_network, p_address, p_memo, p_value)), 0) = 0 then
    return 'not_needed';
  end if;
  -- Our own twin may be spending the same code now: it is the withdrawal, and we are its repetition.
  perform 1 from customers c where c.id = p_customer for no key update;
  if exists (select 1 from withdrawals x where x.idempotency_key = p_key) then return 'not_needed'; end if;
  if p_totp_step is not null then
    update totp_factors f set last_step = p_totp_step
      where f.user_id = p_customer and f.confirmed_at is not null and f.last_step < p_totp_step;
    return case when found then 'spent' else 'missing' end;
  elsif p_challenge is not null then
    update step_up_challenges s set spent_at = protocol_now()
      where s.id = p_challenge and s.user_id = p_customer and s.spent_at is null and s.expires_at > protocol_now();
    return case when found then 'spent' else 'missing' end;
  end if;
  return 'missing';
end $$;

create or replace function request_confirmed_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer, p_value numeric, p_reasons text[],
  p_totp_step bigint, p_challenge uuid, p_fingerprint text
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare v record; v_confirmed text;
begin
  v_confirmed := spend_confirmation(p_key, p_customer, p_network, p_address, p_memo, p_refusal, p_value, p_totp_step, p_challenge);
  if v_confirmed = 'missing' then
    return query select 'step_up_required', null::bigint, null::uuid, null::withdrawals;
    return;
  end if;
  for v in select * from request_withdrawal(p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, p_fee_mode,
      p_refusal, p_needs_approval, p_look_alike_of, p_clicked_at, p_refused_daily_max, true, p_value, p_reasons) loop
    if v_confirmed = 'spent' and v.outcome = 'new' then
      insert into step_up_uses (withdrawal_id, method, fingerprint_sha256)
        values (p_id, case when p_totp_step is not null then 'totp' else 'passkey' end, p_fingerprint);
    end if;
    return query select v.outcome, v.outbox_id, v.look_alike, v.w;
  end loop;
end $$;

-- Requests that arrive together are taken in one transaction: one flush of the log, one round trip, and one lock a customer for
-- all of them. Each has an outcome of its own.
--
-- Customers are locked first and in one order, so that two batches cannot wait for each other crosswise; whoever is locked by
-- somebody else is left out as 'busy' and asked for alone, so that nobody waits for a stranger's lock. A known key locks nothing:
-- a batch of repetitions writes no log. Whatever raises takes the whole batch back, and its requests are made one by one.
--
-- Of one customer one request is decided and written before the next is looked at, because the next one's balance, limits and
-- look-alikes count it; the first of every customer are one set, the second another.
create function request_withdrawals(p_requests jsonb)
returns table (ordinal integer, outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare r record; d record; v_mine uuid[]; v_confirmed text; v_round integer := 0; v_any boolean;
  v_rows withdrawals[]; v_places integer[]; v_likes uuid[]; v_keys uuid[]; v_ids uuid[]; v_confirmations jsonb[]; v_outboxes bigint[]; v_written uuid[];
begin
  select coalesce(array_agg(l.id), '{}') into v_mine from (
    select c.id from customers c
      where c.id in (select (x.e ->> 'customer')::uuid from jsonb_array_elements(p_requests) x(e)
        where not exists (select 1 from withdrawals k where k.idempotency_key = (x.e ->> 'key')::uuid))
      order by c.id for no key update skip locked) l;
  loop
    v_round := v_round + 1;
    v_any := false;
    v_rows := '{}'; v_places := '{}'; v_likes := '{}'; v_keys := '{}'; v_ids := '{}'; v_confirmations := '{}';
    for r in
      select y.* from (
        select x.*, row_number() over (partition by x.customer order by x.place) as round
        from rows from (jsonb_to_recordset(p_requests) as (id uuid, key uuid, customer uuid, asset text, network text, address text,
            memo text, amount numeric, fee numeric, fee_mode text, refusal text, needs_approval boolean, look_alike_of uuid, clicked_at timestamptz,
            refused_daily_max integer, value numeric, reasons text[], totp_step bigint, challenge uuid, fingerprint text))
          with ordinality as x(id, key, customer, asset, network, address, memo, amount, fee, fee_mode, refusal, needs_approval, look_alike_of,
            clicked_at, refused_daily_max, value, reasons, totp_step, challenge, fingerprint, place)) y
      where y.round = v_round order by y.customer
    loop
      v_any := true;
      -- Known by now: answered below without a lock. Nobody's customer: answered below as well.
      if r.customer <> all (v_mine) and not exists (select 1 from withdrawals k where k.idempotency_key = r.key)
        and exists (select 1 from customers c where c.id = r.customer) then
        return query select r.place::integer, 'busy', null::bigint, null::uuid, null::withdrawals;
        continue;
      end if;
      v_confirmed := spend_confirmation(r.key, r.customer, r.network, r.address, r.memo, r.refusal, r.value, r.totp_step, r.challenge);
      if v_confirmed = 'missing' then
        return query select r.place::integer, 'step_up_required', null::bigint, null::uuid, null::withdrawals;
        continue;
      end if;
      select * into d from decide_withdrawal(r.id, r.key, r.customer, r.asset, r.network, r.address, r.memo, r.amount, r.fee, r.fee_mode, r.refusal,
        r.needs_approval, r.look_alike_of, r.clicked_at, r.refused_daily_max, true, r.value, r.reasons);
      if d.outcome <> 'decided' then
        return query select r.place::integer, d.outcome, null::bigint, null::uuid, d.w;
        continue;
      end if;
      v_rows := v_rows || d.w;
      v_places := v_places || r.place::integer;
      v_likes := v_likes || d.look_alike;
      v_keys := v_keys || r.key;
      v_ids := v_ids || r.id;
      if v_confirmed = 'spent' then
        v_confirmations := v_confirmations || jsonb_build_object('id', r.id, 'method', case when r.totp_step is not null then 'totp' else 'passkey' end,
          'fingerprint', r.fingerprint);
      end if;
    end loop;
    exit when not v_any;
    if cardinality(v_rows) > 0 then
      select array_agg(x.outbox_id), array_agg((x.w).id) into v_outboxes, v_written from write_withdrawals(v_rows) x;
      insert into step_up_uses (withdrawal_id, method, fingerprint_sha256)
        select (c ->> 'id')::uuid, c ->> 'method', c ->> 'fingerprint' from unnest(v_confirmations) c where (c ->> 'id')::uuid = any (v_written);
      -- A statement of its own: it sees the row of whoever took a key while we wrote.
      return query
        select q.place, case when k.id = q.id then 'new' else 'existing' end, o.id, case when k.id = q.id then q.look_alike end, k
        from unnest(v_places, v_likes, v_keys, v_ids) as q(place, look_alike, key, id)
        join withdrawals k on k.idempotency_key = q.key
        left join unnest(v_outboxes, v_written) as o(id, withdrawal_id) on o.withdrawal_id = q.id;
    end if;
  end loop;
end $$;

create or replace function notify_of_withdrawal() returns trigger language plpgsql as $$
begin
  -- Most moves are no news, and an insert of nothing costs as much as one of something.
  if not exists (select 1 from added h where h.from_status is null and h.to_status in ('queued', 'awaiting_approval')
      or h.from_status is not null and h.to_status in ('submitted', 'completed', 'failed', 'rejected', 'cancelled')) then
    return null;
  end if;
  insert into notifications (subject_id, kind, user_id)
    select w.id, case h.to_status when 'queued' then 'withdrawal_requested' when 'awaiting_approval' then 'withdrawal_needs_approval'
      when 'submitted' then 'withdrawal_sent' else 'withdrawal_' || h.to_status end, w.customer_id
    from added h join withdrawals w on w.id = h.withdrawal_id
    where h.from_status is null and h.to_status in ('queued', 'awaiting_approval')
      or h.from_status is not null and h.to_status in ('submitted', 'completed', 'failed', 'rejected', 'cancelled')
    on conflict do nothing;
  return null;
end $$;
drop trigger withdrawal_history_notifies on withdrawal_history;
create trigger withdrawal_history_notifies after insert on withdrawal_history referencing new table as added
  for each statement execute function notify_of_withdrawal();
