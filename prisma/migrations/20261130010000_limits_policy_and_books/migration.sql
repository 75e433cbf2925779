-- Limits, prices, approvals, the address book, switches by two people, adjustments, closed balances, notices and the audit
-- chain. Money across assets is counted in the reference currency: US dollars with eight decimals, so that a token worth a
-- thousandth of a cent has a price too.

-- ---------------------------------------------------------------------------------------------------------------
-- The clock-bound settings, tiers, caps and prices. Rows, so that an operator sets them and nobody deploys for them.
-- ---------------------------------------------------------------------------------------------------------------
alter table protocol_settings
  add column address_hold interval not null default '24 hours',
  add column allow_list_off_delay interval not null default '24 hours',
  add column security_freeze interval not null default '24 hours',
  -- After the freeze a person looks at every request for a while.
  add column security_review interval not null default '7 days',
  add constraint protocol_settings_delays_not_negative check (least(address_hold, allow_list_off_delay, security_freeze, security_review) >= '0');

create table tiers (
  id text primary key,
  name text not null,
  auto_limit_24h_reference_minor numeric(78, 0) not null,
  auto_limit_30d_reference_minor numeric(78, 0) not null,
  second_approval_reference_minor numeric(78, 0) not null,
  -- Null for none.
  hard_limit_24h_reference_minor numeric(78, 0),
  new_address_auto_reference_minor numeric(78, 0),
  velocity_max integer not null,
  velocity_window interval not null default '1 hour' constraint tiers_velocity_window check (velocity_window > '0' and velocity_window <= '24 hours'),
  -- So many requests in ten minutes, refused ones included, pause the customer.
  breaker_requests_max integer not null,
  constraint tiers_limits_not_negative check (least(auto_limit_24h_reference_minor, auto_limit_30d_reference_minor, second_approval_reference_minor,
    hard_limit_24h_reference_minor, new_address_auto_reference_minor, velocity_max, breaker_requests_max) >= 0)
);
insert into tiers values
  ('standard', 'Standard', 10000 * 1e8, 100000 * 1e8, 50000 * 1e8, 200000 * 1e8, 1000 * 1e8, 20, '1 hour', 200),
  ('verified', 'Verified', 100000 * 1e8, 1000000 * 1e8, 250000 * 1e8, null, 10000 * 1e8, 100, '1 hour', 1000),
  ('institution', 'Institution', 10000000 * 1e8, 100000000 * 1e8, 1000000 * 1e8, null, null, 1000000, '1 hour', 1000000);

alter table customers
  add constraint customers_tier foreign key (tier) references tiers (id),
  add column frozen_until timestamptz,
  add column security_changed_at timestamptz,
  -- Only addresses of the book may be paid; asked to be off, it stays on until the instant beside it.
  add column allow_list boolean not null default false,
  add column allow_list_off_at timestamptz,
  -- An operator wants to see every request of this customer, or of this pair.
  add column review_all boolean not null default false;
alter table asset_networks add column review_all boolean not null default false;
alter table assets
  add column cap_24h_minor numeric(78, 0) constraint assets_cap_24h_positive check (cap_24h_minor > 0),
  -- More than this in doubt or parked pauses the asset.
  add column at_risk_max_minor numeric(78, 0) constraint assets_at_risk_max_positive check (at_risk_max_minor > 0);

create table prices (
  asset_id text primary key references assets (id),
  -- Reference minor units for one whole unit.
  reference_minor_per_unit numeric(78, 0) not null constraint prices_positive check (reference_minor_per_unit > 0),
  as_of timestamptz not null default protocol_now(),
  source text not null
);

-- ---------------------------------------------------------------------------------------------------------------
-- Where we do not pay to: addresses that are ours. One row an address; a tag at our address is ours as well.
-- ---------------------------------------------------------------------------------------------------------------
create table own_addresses (
  network_id text not null references networks (id),
  -- In the canonical form of its family.
  address text not null,
  kind text not null constraint own_addresses_kind check (kind in ('deposit', 'hot_wallet', 'contract')),
  customer_id uuid references customers (id),
  added_at timestamptz not null default protocol_now(),
  primary key (network_id, address)
);
create trigger own_addresses_never_deleted before delete or truncate on own_addresses
  for each statement execute function refuse_change('own_addresses_never_deleted');

-- ---------------------------------------------------------------------------------------------------------------
-- Address book
-- ---------------------------------------------------------------------------------------------------------------
create table address_book (
  id uuid primary key,
  customer_id uuid not null references customers (id),
  network_id text not null references networks (id),
  address text not null,
  memo text,
  label text not null constraint address_book_label check (length(label) between 1 and 60),
  added_at timestamptz not null default protocol_now(),
  usable_from timestamptz not null default 'infinity',
  removed_at timestamptz
);
create unique index address_book_one_entry on address_book (customer_id, network_id, address, memo) nulls not distinct where removed_at is null;

create function address_book_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- Whatever was asked for: a thief who can write here waits as long as everybody.
    new.added_at := protocol_now();
    new.usable_from := new.added_at + (select s.address_hold from protocol_settings s);
    return new;
  end if;
  if (new.id, new.customer_id, new.network_id, new.address, new.memo, new.added_at, new.usable_from)
    is distinct from (old.id, old.customer_id, old.network_id, old.address, old.memo, old.added_at, old.usable_from)
    or old.removed_at is not null and new.removed_at is distinct from old.removed_at then
    raise exception using errcode = 'P0001', constraint = 'address_book_entry_immutable', message = 'address_book_entry_immutable: another destination is another entry, with a hold of its own';
  end if;
  return new;
end $$;
create trigger address_book_entry_immutable before insert or update on address_book for each row execute function address_book_guard();
create trigger address_book_never_deleted before delete or truncate on address_book
  for each statement execute function refuse_change('address_book_never_deleted');

-- A protection that could be taken off at once would protect from nothing.
create function customers_guard() returns trigger language plpgsql as $$
declare v_now timestamptz := protocol_now();
begin
  if old.frozen_until > v_now and (new.frozen_until is null or new.frozen_until < old.frozen_until) then
    raise exception using errcode = 'P0001', constraint = 'customers_freeze_runs_out', message = 'customers_freeze_runs_out: a freeze after a change of security is not shortened';
  end if;
  if new.security_changed_at is distinct from old.security_changed_at and coalesce(new.security_changed_at < old.security_changed_at, old.security_changed_at is not null) then
    raise exception using errcode = 'P0001', constraint = 'customers_freeze_runs_out', message = 'customers_freeze_runs_out: a change of security is not forgotten';
  end if;
  if old.allow_list and ((not new.allow_list and coalesce(old.allow_list_off_at > v_now, true))
      or (new.allow_list_off_at is distinct from old.allow_list_off_at
        and new.allow_list_off_at < v_now + (select s.allow_list_off_delay from protocol_settings s))) then
    raise exception using errcode = 'P0001', constraint = 'customers_allow_list_off_waits', message = 'customers_allow_list_off_waits: the allow-list goes off after its delay';
  end if;
  return new;
end $$;
create trigger customers_guard before update on customers for each row
  when ((new.frozen_until, new.security_changed_at, new.allow_list, new.allow_list_off_at)
    is distinct from (old.frozen_until, old.security_changed_at, old.allow_list, old.allow_list_off_at))
  execute function customers_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- What the policy decided stands beside the withdrawal
-- ---------------------------------------------------------------------------------------------------------------
alter table withdrawals
  add column value_reference_minor numeric(78, 0) constraint withdrawals_value_not_negative check (value_reference_minor >= 0),
  add column approval_reasons text[] not null default '{}',
  -- One unless somebody says otherwise: who forgets it waits for a person.
  add column approvals_required smallint not null default 1 constraint withdrawals_approvals_required check (approvals_required between 0 and 2),
  add constraint withdrawals_waiting_needs_approvals check (status <> 'awaiting_approval' or approvals_required >= 1);
-- The rolling sums of a customer: an index-only read of the last thirty days, and of nothing that gives back.
create index withdrawals_usage on withdrawals (customer_id, requested_at) include (asset_id, total_minor, value_reference_minor)
  where status not in ('refused', 'cancelled', 'rejected', 'failed');
create function withdrawals_policy_guard() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'P0001', constraint = 'withdrawals_policy_immutable', message = 'withdrawals_policy_immutable: what was decided at the door stays';
end $$;
create trigger withdrawals_policy_immutable before update on withdrawals for each row
  when ((new.value_reference_minor, new.approval_reasons, new.approvals_required)
    is distinct from (old.value_reference_minor, old.approval_reasons, old.approvals_required))
  execute function withdrawals_policy_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- Approvals: of exactly this payload at exactly this revision
-- ---------------------------------------------------------------------------------------------------------------
create function withdrawal_payload_sha256(w withdrawals) returns text language sql stable as $$
  select encode(sha256(convert_to(json_build_array(w.id, w.customer_id, w.asset_id, w.network_id, w.address, w.memo,
    w.amount_minor::text, w.fee_minor::text, w.total_minor::text)::text, 'UTF8')), 'hex')
$$;
create table approvals (
  id bigint generated always as identity primary key,
  withdrawal_id uuid not null references withdrawals (id),
  approver_id uuid not null references users (id),
  decision text not null constraint approvals_decision check (decision in ('approved', 'rejected')),
  payload_sha256 text not null,
  revision bigint not null,
  reason text,
  at timestamptz not null default protocol_now(),
  -- The same person twice is one person.
  constraint approvals_one_each unique (withdrawal_id, approver_id, revision)
);
create function approvals_guard() returns trigger language plpgsql as $$
declare w withdrawals; v_broken text;
begin
  select * into w from withdrawals x where x.id = new.withdrawal_id for share;
  v_broken := case
    when w.customer_id = new.approver_id then 'approvals_not_by_the_requester'
    when not exists (select 1 from users u where u.id = new.approver_id and u.role = 'approver' and not u.banned) then 'approvals_by_an_approver'
    when w.status <> 'awaiting_approval' then 'approvals_while_waiting'
    when new.payload_sha256 <> withdrawal_payload_sha256(w) then 'approvals_of_this_payload'
    when new.revision <> w.revision then 'approvals_of_this_revision' end;
  if v_broken is not null then
    raise exception using errcode = 'P0001', constraint = v_broken, message = format('%s: withdrawal %s', v_broken, new.withdrawal_id);
  end if;
  return new;
end $$;
create trigger approvals_guard before insert on approvals for each row execute function approvals_guard();
create trigger approvals_append_only before update or delete or truncate on approvals
  for each statement execute function refuse_change('approvals_append_only');

create function withdrawals_approved_guard() returns trigger language plpgsql as $$
begin
  if (select count(distinct a.approver_id) from approvals a where a.withdrawal_id = new.id and a.decision = 'approved' and a.revision = old.revision
      and a.payload_sha256 = withdrawal_payload_sha256(old) and a.approver_id <> new.customer_id) < old.approvals_required then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_approved_by_enough', message = format('withdrawals_approved_by_enough: withdrawal %s waits for %s people', new.id, old.approvals_required);
  end if;
  return null;
end $$;
create constraint trigger withdrawals_approved_by_enough after update on withdrawals deferrable initially deferred
  for each row when (old.status = 'awaiting_approval' and new.status = 'queued') execute function withdrawals_approved_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- Switches: paused by one at once, resumed by two
-- ---------------------------------------------------------------------------------------------------------------
alter table switches
  add column resume_proposed_by text,
  add column resume_proposed_at timestamptz,
  add constraint switches_resumed_by_two check (resumed_at is null or coalesce(resumed_by <> resume_proposed_by, false)) not valid;
create function switches_guard() returns trigger language plpgsql as $$
begin
  if old.resumed_at is not null or (new.id, new.scope, new.target, new.reason, new.paused_by, new.paused_at)
    is distinct from (old.id, old.scope, old.target, old.reason, old.paused_by, old.paused_at) then
    raise exception using errcode = 'P0001', constraint = 'switches_history_stays', message = 'switches_history_stays: another pause is another row';
  end if;
  -- One update that names both people is one person.
  if new.resumed_at is not null and new.resume_proposed_by is distinct from old.resume_proposed_by then
    raise exception using errcode = 'P0001', constraint = 'switches_resumed_by_two', message = 'switches_resumed_by_two: a proposal comes before its confirmation';
  end if;
  return new;
end $$;
create trigger switches_history_stays before update on switches for each row execute function switches_guard();
create trigger switches_never_deleted before delete or truncate on switches
  for each statement execute function refuse_change('switches_never_deleted');

create or replace function payout_stop_reason(w withdrawals) returns text language sql stable as $$
  select coalesce(
    (select case when s.mode <> 'normal' then 'look_up_only' when s.sending_stopped_at is not null then 'sending_stopped' end from protocol_settings s),
    (select case when c.frozen_at is not null or c.frozen_until > protocol_now() then 'customer_frozen' when c.payouts_stopped_at is not null then 'payouts_stopped' end from customers c where c.id = w.customer_id),
    (select 'paused_' || x.scope from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = w.asset_id)
      or (x.scope = 'network' and x.target = w.network_id) or (x.scope = 'customer' and x.target = w.customer_id::text)) limit 1),
    (select 'pair_disabled' from asset_networks n where n.asset_id = w.asset_id and n.network_id = w.network_id and not n.enabled),
    case when w.parked_at is not null then 'parked' end)
$$;

-- ---------------------------------------------------------------------------------------------------------------
-- Ledger: adjustments by two people; balances of what is closed, so that a trial balance reads only what came after
-- ---------------------------------------------------------------------------------------------------------------
create table ledger_adjustments (
  id uuid primary key,
  asset_id text not null references assets (id),
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount_minor numeric(78, 0) not null constraint ledger_adjustments_amount_positive check (amount_minor > 0),
  reason text not null constraint ledger_adjustments_reason check (length(reason) between 3 and 500),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null default protocol_now(),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  constraint ledger_adjustments_two_accounts check (debit_account_id <> credit_account_id),
  constraint ledger_adjustments_two_people check (confirmed_by <> proposed_by),
  constraint ledger_adjustments_confirmed_by_somebody check ((confirmed_by is null) = (confirmed_at is null)),
  constraint ledger_adjustments_debit_same_asset foreign key (debit_account_id, asset_id) references ledger_accounts (id, asset_id),
  constraint ledger_adjustments_credit_same_asset foreign key (credit_account_id, asset_id) references ledger_accounts (id, asset_id)
);
create index ledger_adjustments_waiting on ledger_adjustments (proposed_at) where confirmed_at is null;
create function ledger_adjustments_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    -- What is held follows from withdrawals alone.
    if exists (select 1 from ledger_accounts a where a.id in (new.debit_account_id, new.credit_account_id) and a.kind = 'customer_held') then
      raise exception using errcode = 'P0001', constraint = 'ledger_adjustments_never_held', message = 'ledger_adjustments_never_held: holds end with their withdrawal';
    end if;
    if new.confirmed_at is not null then
      raise exception using errcode = 'P0001', constraint = 'ledger_adjustments_two_people', message = 'ledger_adjustments_two_people: a proposal comes before its confirmation';
    end if;
    return new;
  end if;
  if old.confirmed_at is not null or (new.id, new.asset_id, new.debit_account_id, new.credit_account_id, new.amount_minor, new.reason, new.proposed_by, new.proposed_at)
    is distinct from (old.id, old.asset_id, old.debit_account_id, old.credit_account_id, old.amount_minor, old.reason, old.proposed_by, old.proposed_at) then
    raise exception using errcode = 'P0001', constraint = 'ledger_adjustments_immutable', message = 'ledger_adjustments_immutable: what was proposed is what is confirmed';
  end if;
  return new;
end $$;
create trigger ledger_adjustments_guard before insert or update on ledger_adjustments for each row execute function ledger_adjustments_guard();
create trigger ledger_adjustments_never_deleted before delete or truncate on ledger_adjustments
  for each statement execute function refuse_change('ledger_adjustments_never_deleted');

-- As before, and an adjustment is one that two people agreed on.
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
  else
    v_right := exists (select 1 from ledger_entries e where e.transfer_id = new.id);
  end if;
  if v_right is not true then
    raise exception using errcode = 'P0001', constraint = 'ledger_transfers_move_what_they_say',
      message = format('ledger_transfers_move_what_they_say: this %s does not fit %s', new.kind, new.source_id);
  end if;
  return null;
end $$;

-- A closing sums every entry of transfers up to an id, when no transfer up to that id can still be under way.
create table ledger_closings (
  id bigint generated always as identity primary key,
  through_transfer_id bigint not null constraint ledger_closings_through_unique unique,
  closed_at timestamptz not null default protocol_now()
);
create table ledger_closed_balances (
  closing_id bigint not null references ledger_closings (id),
  account_id bigint not null references ledger_accounts (id),
  debits_minor numeric(78, 0) not null,
  credits_minor numeric(78, 0) not null,
  primary key (closing_id, account_id)
);
create trigger ledger_closings_append_only before update or delete or truncate on ledger_closings
  for each statement execute function refuse_change('ledger_closings_append_only');
create trigger ledger_closed_balances_append_only before update or delete or truncate on ledger_closed_balances
  for each statement execute function refuse_change('ledger_closed_balances_append_only');

-- Debits and credits of every account: the last closing, and the entries after it.
create function ledger_account_sums() returns table (account_id bigint, debits_minor numeric, credits_minor numeric) language sql stable as $$
  select s.account_id, sum(s.debits), sum(s.credits)
  from (
    select c.account_id, c.debits_minor as debits, c.credits_minor as credits from ledger_closed_balances c
      where c.closing_id = (select max(l.id) from ledger_closings l)
    union all
    select e.debit_account_id, sum(e.amount_minor), 0 from ledger_entries e
      where e.transfer_id > coalesce((select max(l.through_transfer_id) from ledger_closings l), 0) group by 1
    union all
    select e.credit_account_id, 0, sum(e.amount_minor) from ledger_entries e
      where e.transfer_id > coalesce((select max(l.through_transfer_id) from ledger_closings l), 0) group by 1
  ) s group by 1
$$;

-- ---------------------------------------------------------------------------------------------------------------
-- The audit is a chain: each row names the hash of the one before it, and the database writes both
-- ---------------------------------------------------------------------------------------------------------------
create function audit_log_hash(p audit_log) returns text language sql stable as $$
  select encode(sha256(convert_to(json_build_array(p.seq, extract(epoch from p.at), p.actor_id, p.action, p.subject, p.before, p.after, p.previous_hash)::text, 'UTF8')), 'hex')
$$;
create function audit_log_chain() returns trigger language plpgsql as $$
begin
  -- One at a time, or two rows would follow the same one. Held until the commit, so deeds that are audited are few and short.
  perform pg_advisory_xact_lock(5210417002);
  select l.seq + 1, l.hash into new.seq, new.previous_hash from audit_log l order by l.seq desc limit 1;
  if not found then
    new.seq := 1;
    new.previous_hash := '';
  end if;
  new.at := protocol_now();
  new.hash := audit_log_hash(new);
  return new;
end $$;
alter table audit_log alter column previous_hash set default '', alter column hash set default '';
create unique index audit_log_one_successor on audit_log (previous_hash);
create trigger audit_log_chain before insert on audit_log for each row execute function audit_log_chain();
-- The first row whose hash is not its own, or whose predecessor is not the row before it; null when the chain holds.
create function audit_log_first_break() returns bigint language sql stable as $$
  select min(c.seq) from (
    select l.seq, l.hash <> audit_log_hash(l) or l.previous_hash <> coalesce(lag(l.hash) over (order by l.seq), '') as broken from audit_log l
  ) c where c.broken
$$;

-- ---------------------------------------------------------------------------------------------------------------
-- Notices: one a subject and kind, written with the event itself, sent later
-- ---------------------------------------------------------------------------------------------------------------
create table notifications (
  id bigint generated always as identity primary key,
  -- The withdrawal, the address, or the change itself.
  subject_id uuid not null,
  kind text not null constraint notifications_kind check (kind in ('withdrawal_requested', 'withdrawal_needs_approval', 'withdrawal_sent',
    'withdrawal_completed', 'withdrawal_failed', 'withdrawal_rejected', 'withdrawal_cancelled', 'new_address', 'security_change', 'email_verification', 'password_reset')),
  user_id uuid not null references users (id),
  data jsonb not null default '{}',
  -- The same for every try, so that a mailbox shows a repeat as one message.
  message_id text not null generated always as ('<' || subject_id || '.' || kind || '@notices.cryptoex.test>') stored,
  created_at timestamptz not null default protocol_now(),
  next_attempt_at timestamptz not null default protocol_now(),
  -- Tries of which we do not know that they delivered nothing.
  sends_begun integer not null default 0,
  failures integer not null default 0,
  sent_at timestamptz,
  given_up_at timestamptz,
  last_error text,
  constraint notifications_once unique (subject_id, kind),
  constraint notifications_one_repeat check (sends_begun <= 2)
);
create index notifications_waiting on notifications (next_attempt_at) where sent_at is null and given_up_at is null;
create table mailbox_messages (
  message_id text primary key,
  user_id uuid not null references users (id),
  to_address text not null,
  subject text not null,
  body text not null,
  received_at timestamptz not null default protocol_now()
);
create index mailbox_messages_user on mailbox_messages (user_id, received_at desc);

create function notify_of_withdrawal() returns trigger language plpgsql as $$
begin
  insert into notifications (subject_id, kind, user_id)
    select w.id, case new.to_status when 'queued' then 'withdrawal_requested' when 'awaiting_approval' then 'withdrawal_needs_approval'
      when 'submitted' then 'withdrawal_sent' else 'withdrawal_' || new.to_status end, w.customer_id
    from withdrawals w where w.id = new.withdrawal_id
    on conflict do nothing;
  return null;
end $$;
create trigger withdrawal_history_notifies after insert on withdrawal_history for each row
  when (new.from_status is null and new.to_status in ('queued', 'awaiting_approval')
    or new.from_status is not null and new.to_status in ('submitted', 'completed', 'failed', 'rejected', 'cancelled'))
  execute function notify_of_withdrawal();
create function notify_of_address() returns trigger language plpgsql as $$
begin
  insert into notifications (subject_id, kind, user_id, data)
    values (new.id, 'new_address', new.customer_id, jsonb_build_object('label', new.label, 'network', new.network_id, 'address', new.address, 'usableFrom', new.usable_from));
  return null;
end $$;
create trigger address_book_notifies after insert on address_book for each row execute function notify_of_address();

-- Called for every change of a password or a second factor, by whatever path it came.
create function freeze_after_security_change(p_user uuid, p_what text) returns void language plpgsql as $$
declare v_until timestamptz;
begin
  update customers c set security_changed_at = protocol_now(),
    frozen_until = greatest(c.frozen_until, protocol_now() + (select s.security_freeze from protocol_settings s))
    where c.id = p_user returning c.frozen_until into v_until;
  insert into notifications (subject_id, kind, user_id, data)
    values (gen_random_uuid(), 'security_change', p_user, jsonb_build_object('what', p_what, 'frozenUntil', v_until));
end $$;
create function accounts_password_guard() returns trigger language plpgsql as $$
begin
  perform freeze_after_security_change(new.user_id, 'password');
  return null;
end $$;
create trigger accounts_password_freezes after update of password on accounts for each row
  when (old.password is not null and new.password is distinct from old.password) execute function accounts_password_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- Accept, with limits and policy. What only a price can say (the value, and that there is none or an old one) comes with the
-- call; everything that is counted is counted here, under the lock. The comparisons are those of the domain, one by one.
-- ---------------------------------------------------------------------------------------------------------------
drop function request_withdrawal(uuid, uuid, uuid, text, text, text, text, numeric, numeric, text, text, boolean, uuid, timestamptz, integer);
create function request_withdrawal(
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
    select u.*, t.* into v_usage from tiers t cross join lateral (
      select coalesce(sum(x.value_reference_minor), 0) as used_30d,
        coalesce(sum(x.value_reference_minor) filter (where x.requested_at > v_now - interval '24 hours'), 0) as used_24h,
        coalesce(sum(x.total_minor) filter (where x.asset_id = p_asset and x.requested_at > v_now - interval '24 hours'), 0) as asset_24h,
        count(*) filter (where x.requested_at > v_now - t.velocity_window) as in_window
      from withdrawals x where x.customer_id = p_customer and x.requested_at > v_now - interval '30 days'
        and x.status not in ('refused', 'cancelled', 'rejected', 'failed')) u
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
