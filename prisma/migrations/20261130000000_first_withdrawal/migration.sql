-- The whole first schema. Each guard has a name, a reason here, and a line in docs/invariants.md.

-- ---------------------------------------------------------------------------------------------------------------
-- Time and mode. All decisions by time use this clock; the offset lets tests move 400 days without sleeping.
-- ---------------------------------------------------------------------------------------------------------------
create table protocol_settings (
  id boolean primary key default true constraint protocol_settings_single_row check (id),
  clock_offset interval not null default '0',
  -- Only demo and test stacks may move the clock: a production database never has this true.
  clock_movable boolean not null default false,
  -- look_up_only: our memory is older than the world, so nothing is sent, cancelled or voided.
  mode text not null default 'normal' constraint protocol_settings_mode check (mode in ('normal', 'look_up_only')),
  mode_reason text,
  mode_since timestamptz,
  -- Custody refused our credentials, or its memory is in question: sending stops for all, nobody fails.
  sending_stopped_at timestamptz,
  sending_stopped_reason text,
  constraint protocol_settings_clock_moved_only_where_allowed check (clock_movable or clock_offset = '0')
);
insert into protocol_settings default values;

create function protocol_now() returns timestamptz language sql stable as
$$ select now() + clock_offset from protocol_settings $$;

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'P0001', constraint = tg_argv[0],
    message = format('%s: rows of %s are only ever added', tg_argv[0], tg_table_name);
end $$;
-- Without its row every clock reading is null, and every switch reads as off.
create trigger protocol_settings_never_deleted before delete or truncate on protocol_settings
  for each statement execute function refuse_change('protocol_settings_never_deleted');

-- ---------------------------------------------------------------------------------------------------------------
-- People (written by better-auth) and customers
-- ---------------------------------------------------------------------------------------------------------------
create table users (
  id uuid primary key,
  name text not null,
  email text not null constraint users_email_unique unique,
  email_verified boolean not null default false,
  image text,
  role text not null default 'customer' constraint users_role check (role in ('customer', 'operator', 'approver', 'auditor')),
  banned boolean not null default false,
  ban_reason text,
  ban_expires timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create table sessions (
  id uuid primary key,
  token text not null constraint sessions_token_unique unique,
  user_id uuid not null references users (id) on delete cascade,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  impersonated_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_user on sessions (user_id);
create table accounts (
  id uuid primary key,
  account_id text not null,
  provider_id text not null,
  user_id uuid not null references users (id) on delete cascade,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index accounts_user on accounts (user_id);
create table verifications (
  id uuid primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- The row every request of a customer locks, so that counters are read after the lock and never before it.
create table customers (
  id uuid primary key references users (id),
  tier text not null default 'standard',
  frozen_at timestamptz,
  frozen_reason text,
  -- A contradiction (a transfer we called absent) stops this customer's further payouts, those already queued included.
  payouts_stopped_at timestamptz,
  payouts_stopped_reason text,
  created_at timestamptz not null default now()
);

-- ---------------------------------------------------------------------------------------------------------------
-- Assets and networks: data, not code
-- ---------------------------------------------------------------------------------------------------------------
create table assets (
  id text primary key,
  name text not null,
  decimals integer not null constraint assets_decimals check (decimals between 0 and 36)
);
-- Another scale would give every stored amount another meaning.
create function assets_guard() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'P0001', constraint = 'assets_decimals_immutable', message = 'assets_decimals_immutable: stored amounts count in this unit';
end $$;
create trigger assets_decimals_immutable before update on assets
  for each row when (new.decimals <> old.decimals) execute function assets_guard();
create table networks (
  id text primary key,
  name text not null,
  family text not null constraint networks_family check (family in ('evm', 'bitcoin', 'tron', 'solana', 'xrp')),
  -- One number for completing, crediting and halting. Raised at once, lowered only for blocks to come.
  confirmations_required integer not null constraint networks_confirmations check (confirmations_required > 0),
  explorer_transaction_template text not null
);
create table asset_networks (
  asset_id text not null references assets (id),
  network_id text not null references networks (id),
  contract text,
  minimum_minor numeric(78, 0) not null constraint asset_networks_minimum_positive check (minimum_minor > 0),
  fee_minor numeric(78, 0) not null constraint asset_networks_fee_not_negative check (fee_minor >= 0),
  memo_rule text not null constraint asset_networks_memo_rule check (memo_rule in ('none', 'optional', 'required_choice')),
  enabled boolean not null default true,
  primary key (asset_id, network_id)
);

-- ---------------------------------------------------------------------------------------------------------------
-- Ledger. An entry moves an amount from one account to another, so a transfer sums to zero by construction.
-- ---------------------------------------------------------------------------------------------------------------
create table ledger_accounts (
  id bigint generated always as identity primary key,
  asset_id text not null references assets (id),
  kind text not null constraint ledger_accounts_kind check (kind in ('customer_available', 'customer_held', 'customer_receivable',
    'custody_hot', 'withdrawal_fees', 'network_costs', 'suspense', 'opening')),
  customer_id uuid references customers (id),
  constraint ledger_accounts_unique unique nulls not distinct (asset_id, kind, customer_id),
  -- For the composite foreign keys below: an entry cannot touch an account of another asset.
  constraint ledger_accounts_id_asset_unique unique (id, asset_id),
  constraint ledger_accounts_customer_iff_customer_kind check ((kind like 'customer\_%') = (customer_id is not null))
);
-- An account that changed its owner would take its entries along.
create trigger ledger_accounts_append_only before update or delete or truncate on ledger_accounts
  for each statement execute function refuse_change('ledger_accounts_append_only');
create table customer_balances (
  customer_id uuid not null references customers (id),
  asset_id text not null references assets (id),
  available_account_id bigint not null references ledger_accounts (id),
  held_account_id bigint not null references ledger_accounts (id),
  available_minor numeric(78, 0) not null default 0 constraint customer_balances_available_not_negative check (available_minor >= 0),
  held_minor numeric(78, 0) not null default 0 constraint customer_balances_held_not_negative check (held_minor >= 0),
  primary key (customer_id, asset_id),
  constraint customer_balances_available_account_unique unique (available_account_id),
  constraint customer_balances_held_account_unique unique (held_account_id)
);
create table ledger_transfers (
  id bigint generated always as identity primary key,
  asset_id text not null references assets (id),
  kind text not null constraint ledger_transfers_kind check (kind in ('opening', 'deposit', 'hold', 'post', 'void', 'late', 'adjustment')),
  -- The withdrawal, deposit, adjustment or seed this belongs to.
  source_id uuid not null,
  created_at timestamptz not null default protocol_now(),
  constraint ledger_transfers_source_kind_unique unique (source_id, kind),
  constraint ledger_transfers_id_asset_unique unique (id, asset_id)
);
-- A hold ends once: posted or voided, never both.
create unique index ledger_transfers_post_void_exclusive on ledger_transfers (source_id) where kind in ('post', 'void');
create table ledger_entries (
  transfer_id bigint not null,
  leg smallint not null,
  asset_id text not null,
  debit_account_id bigint not null,
  credit_account_id bigint not null,
  amount_minor numeric(78, 0) not null constraint ledger_entries_amount_positive check (amount_minor > 0),
  primary key (transfer_id, leg),
  constraint ledger_entries_two_accounts check (debit_account_id <> credit_account_id),
  constraint ledger_entries_transfer_same_asset foreign key (transfer_id, asset_id) references ledger_transfers (id, asset_id),
  constraint ledger_entries_debit_same_asset foreign key (debit_account_id, asset_id) references ledger_accounts (id, asset_id),
  constraint ledger_entries_credit_same_asset foreign key (credit_account_id, asset_id) references ledger_accounts (id, asset_id)
);
create index ledger_entries_debit on ledger_entries (debit_account_id);
create index ledger_entries_credit on ledger_entries (credit_account_id);
create trigger ledger_transfers_append_only before update or delete or truncate on ledger_transfers
  for each statement execute function refuse_change('ledger_transfers_append_only');
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change('ledger_entries_append_only');

-- Customers' balances are sums of entries kept by the database itself, so that no script can make them differ.
-- A statement, not a row, at a time: one update a customer however many legs a batch has.
create function ledger_entries_apply() returns trigger language plpgsql as $$
begin
  -- A row of our own transaction is never older than the transaction itself. Anything else was booked before.
  if exists (select 1 from added e join ledger_transfers t on t.id = e.transfer_id where age(t.xmin) > age(pg_current_xact_id()::xid)) then
    raise exception using errcode = 'P0001', constraint = 'ledger_entries_with_their_transfer', message = 'ledger_entries_with_their_transfer: a booked transfer takes no further entry';
  end if;
  update customer_balances b
  set available_minor = b.available_minor + d.available, held_minor = b.held_minor + d.held
  from (
    select coalesce(a.customer_id, h.customer_id) as customer_id, m.asset_id,
      sum(case when a.customer_id is not null then m.amount else 0 end) as available,
      sum(case when h.customer_id is not null then m.amount else 0 end) as held
    from (
      select credit_account_id as account_id, asset_id, amount_minor as amount from added
      union all
      select debit_account_id, asset_id, -amount_minor from added
    ) m
    left join customer_balances a on a.available_account_id = m.account_id
    left join customer_balances h on h.held_account_id = m.account_id
    where a.customer_id is not null or h.customer_id is not null
    group by 1, 2
  ) d
  where b.customer_id = d.customer_id and b.asset_id = d.asset_id;
  return null;
end $$;
create trigger ledger_entries_apply after insert on ledger_entries referencing new table as added
  for each statement execute function ledger_entries_apply();

create function customer_balances_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.available_minor <> 0 or new.held_minor <> 0 then
      raise exception using errcode = 'P0001', constraint = 'customer_balances_only_by_ledger', message = 'customer_balances_only_by_ledger: a balance starts at zero';
    end if;
    if exists (select 1 from ledger_entries e where e.debit_account_id in (new.available_account_id, new.held_account_id)
        or e.credit_account_id in (new.available_account_id, new.held_account_id)) then
      raise exception using errcode = 'P0001', constraint = 'customer_balances_only_by_ledger', message = 'customer_balances_only_by_ledger: entries came before the balance that counts them';
    end if;
    if not exists (select 1 from ledger_accounts a join ledger_accounts h on h.customer_id = a.customer_id and h.asset_id = a.asset_id
        where a.id = new.available_account_id and a.kind = 'customer_available' and h.id = new.held_account_id and h.kind = 'customer_held'
          and a.customer_id = new.customer_id and a.asset_id = new.asset_id) then
      raise exception using errcode = 'P0001', constraint = 'customer_balances_own_accounts', message = 'customer_balances_own_accounts: a balance counts two accounts of its own customer and asset';
    end if;
  elsif tg_op = 'DELETE' or pg_trigger_depth() < 2 then
    raise exception using errcode = 'P0001', constraint = 'customer_balances_only_by_ledger', message = 'customer_balances_only_by_ledger: balances follow from ledger entries';
  end if;
  return new;
end $$;
create trigger customer_balances_only_by_ledger before insert or update or delete on customer_balances
  for each row execute function customer_balances_guard();
create trigger customer_balances_never_truncated before truncate on customer_balances
  for each statement execute function refuse_change('customer_balances_never_truncated');

-- ---------------------------------------------------------------------------------------------------------------
-- Withdrawals
-- ---------------------------------------------------------------------------------------------------------------
create table withdrawals (
  id uuid primary key,
  -- For ever, over all customers. Also the reference under which custody is asked.
  idempotency_key uuid not null constraint withdrawals_idempotency_key_unique unique,
  customer_id uuid not null references customers (id),
  asset_id text,
  network_id text,
  address text,
  memo text,
  -- What arrives, what we charge, and what is held: total = amount + fee.
  amount_minor numeric(78, 0) constraint withdrawals_amount_positive check (amount_minor > 0),
  fee_minor numeric(78, 0) constraint withdrawals_fee_not_negative check (fee_minor >= 0),
  total_minor numeric(78, 0),
  fee_mode text constraint withdrawals_fee_mode check (fee_mode in ('on_top', 'from_amount')),
  look_alike_of uuid references withdrawals (id),
  status text not null constraint withdrawals_status check (status in ('awaiting_approval', 'queued', 'dispatching', 'in_doubt',
    'submitted', 'broadcast', 'completed', 'failed', 'cancelled', 'rejected', 'refused')),
  status_since timestamptz not null default protocol_now(),
  refusal_code text,
  failure_code text,
  fence bigint not null default 0,
  -- Raised by any new evidence: what people decide is bound to it.
  revision bigint not null default 0,
  next_action_at timestamptz,
  wait_reason text,
  parked_at timestamptz,
  parked_reason text,
  provider text,
  provider_account text,
  transfer_id text,
  transaction_hash text,
  confirmations integer not null default 0 constraint withdrawals_confirmations_not_negative check (confirmations >= 0),
  confirmations_required integer,
  completing_effect_id bigint constraint withdrawals_completing_effect_unique unique,
  clicked_at timestamptz,
  requested_at timestamptz not null default protocol_now(),
  submitted_at timestamptz,
  broadcast_at timestamptz,
  ended_at timestamptz,
  updated_at timestamptz not null default protocol_now(),
  constraint withdrawals_pair foreign key (asset_id, network_id) references asset_networks (asset_id, network_id),
  constraint withdrawals_total_is_amount_and_fee check (total_minor = amount_minor + fee_minor),
  -- A key that was given up names no money; every other row is complete.
  -- ("is not distinct from", for a check that comes out as null passes.)
  constraint withdrawals_meaning_complete check (refusal_code is not distinct from 'given_up' or
    (asset_id is not null and network_id is not null and address is not null and amount_minor is not null and fee_minor is not null
      and total_minor is not null and fee_mode is not null and confirmations_required is not null)),
  constraint withdrawals_refused_iff_code check ((status = 'refused') = (refusal_code is not null)),
  constraint withdrawals_failed_has_code check (status <> 'failed' or failure_code is not null),
  -- Custody has it, and we know under which name.
  constraint withdrawals_sent_has_transfer check (status not in ('submitted', 'broadcast', 'completed') or transfer_id is not null),
  constraint withdrawals_broadcast_has_transaction check (status <> 'broadcast' or transaction_hash is not null),
  constraint withdrawals_completed_has_transaction check (status <> 'completed' or transaction_hash is not null),
  constraint withdrawals_parked_has_reason check ((parked_at is null) = (parked_reason is null))
);
create index withdrawals_customer_newest on withdrawals (customer_id, requested_at desc, id desc);
create index withdrawals_newest on withdrawals (requested_at desc, id desc);
create index withdrawals_look_alike on withdrawals (customer_id, address, asset_id, amount_minor, requested_at) where status <> 'refused';
-- Only what is not at its end is swept, so the index stays as small as the work.
create index withdrawals_due on withdrawals (next_action_at) where status in ('queued', 'dispatching', 'in_doubt', 'submitted', 'broadcast');
create index withdrawals_status_age on withdrawals (status, status_since) where status not in ('completed', 'failed', 'cancelled', 'rejected', 'refused');
-- A transfer of custody's pays one withdrawal.
create unique index withdrawals_transfer_unique on withdrawals (transfer_id, provider, provider_account) where transfer_id is not null;
create index withdrawals_transaction on withdrawals (transaction_hash) where transaction_hash is not null;

create table withdrawal_attempts (
  withdrawal_id uuid not null references withdrawals (id),
  attempt integer not null,
  kind text not null constraint withdrawal_attempts_kind check (kind in ('send', 'look_up')),
  fence bigint not null,
  provider text not null,
  provider_account text not null,
  started_at timestamptz not null default protocol_now(),
  not_after timestamptz,
  body bytea,
  body_sha256 text,
  -- null after a crash reads as in doubt.
  outcome text constraint withdrawal_attempts_outcome check (outcome in ('accepted', 'refused', 'not_sent', 'later', 'in_doubt', 'found', 'not_found', 'refusal_found', 'look_up_failed')),
  outcome_at timestamptz,
  detail jsonb not null default '{}',
  transfer_id text,
  -- A look-up past the not-after of this send, beside its control, found nothing: this send made no transfer.
  proved_absent_at timestamptz,
  -- An answer that came after another had taken the fence: kept as evidence, never applied backwards.
  late_outcome text,
  late_at timestamptz,
  late_detail jsonb,
  primary key (withdrawal_id, attempt),
  constraint withdrawal_attempts_send_has_bytes check (kind <> 'send' or (body is not null and body_sha256 is not null))
);
-- Each send has a claim of its own; a job that runs twice under one claim finds the place taken.
create unique index withdrawal_attempts_one_send_a_fence on withdrawal_attempts (withdrawal_id, fence) where kind = 'send';
create table withdrawal_history (
  id bigint generated always as identity primary key,
  withdrawal_id uuid not null references withdrawals (id),
  from_status text,
  to_status text not null,
  at timestamptz not null default protocol_now(),
  fence bigint not null default 0,
  actor text not null,
  reason text not null,
  evidence jsonb not null default '{}'
);
create index withdrawal_history_withdrawal on withdrawal_history (withdrawal_id, id);
create trigger withdrawal_history_append_only before update or delete or truncate on withdrawal_history
  for each statement execute function refuse_change('withdrawal_history_append_only');
-- Every hash custody ever named for a withdrawal is kept: a replacement is another hash of the same transfer.
create table withdrawal_transactions (
  withdrawal_id uuid not null references withdrawals (id),
  transaction_hash text not null,
  nonce bigint,
  source text not null,
  first_seen_at timestamptz not null default protocol_now(),
  dead_at timestamptz,
  dead_reason text,
  primary key (withdrawal_id, transaction_hash)
);
create index withdrawal_transactions_hash on withdrawal_transactions (transaction_hash);
create trigger withdrawal_transactions_never_deleted before delete or truncate on withdrawal_transactions
  for each statement execute function refuse_change('withdrawal_transactions_never_deleted');

-- The legal moves, as rows: the trigger reads them, a test compares them with the domain's table.
create table withdrawal_legal_transitions (from_status text not null, to_status text not null, primary key (from_status, to_status));
insert into withdrawal_legal_transitions values
  ('awaiting_approval', 'queued'), ('awaiting_approval', 'rejected'), ('awaiting_approval', 'cancelled'), ('awaiting_approval', 'in_doubt'),
  ('queued', 'dispatching'), ('queued', 'cancelled'), ('queued', 'rejected'), ('queued', 'in_doubt'),
  ('dispatching', 'submitted'), ('dispatching', 'failed'), ('dispatching', 'queued'), ('dispatching', 'in_doubt'),
  ('in_doubt', 'submitted'), ('in_doubt', 'dispatching'), ('in_doubt', 'queued'), ('in_doubt', 'failed'),
  ('submitted', 'broadcast'), ('submitted', 'completed'), ('submitted', 'failed'),
  ('broadcast', 'completed'), ('broadcast', 'failed');
-- A row added here would be a door. Only a migration opens one, by naming this trigger.
create trigger withdrawal_legal_transitions_fixed before insert or update or delete or truncate on withdrawal_legal_transitions
  for each statement execute function refuse_change('withdrawal_legal_transitions_fixed');

create function withdrawals_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if new.status not in ('awaiting_approval', 'queued', 'refused') then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_first_status', message = format('withdrawals_first_status: a withdrawal does not begin as %s', new.status);
    end if;
    return new;
  end if;
  if (new.id, new.idempotency_key, new.customer_id, new.asset_id, new.network_id, new.address, new.memo, new.amount_minor, new.fee_minor, new.total_minor, new.fee_mode, new.requested_at, new.look_alike_of, new.clicked_at, new.refusal_code)
    is distinct from
    (old.id, old.idempotency_key, old.customer_id, old.asset_id, old.network_id, old.address, old.memo, old.amount_minor, old.fee_minor, old.total_minor, old.fee_mode, old.requested_at, old.look_alike_of, old.clicked_at, old.refusal_code) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_meaning_immutable', message = 'withdrawals_meaning_immutable: what was asked never changes';
  end if;
  if new.fence < old.fence then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_fence_only_rises', message = 'withdrawals_fence_only_rises: an older fence came back';
  end if;
  if old.transfer_id is not null and new.transfer_id is distinct from old.transfer_id then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_transfer_immutable', message = 'withdrawals_transfer_immutable: a second transfer for one withdrawal';
  end if;
  if old.provider is not null and (new.provider, new.provider_account) is distinct from (old.provider, old.provider_account) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_provider_immutable', message = 'withdrawals_provider_immutable: whoever was asked first is asked for ever';
  end if;
  if old.status = 'completed' and (new.transaction_hash is distinct from old.transaction_hash
      or old.completing_effect_id is not null and new.completing_effect_id is distinct from old.completing_effect_id) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_completion_immutable', message = 'withdrawals_completion_immutable: what completed it stays';
  end if;
  if new.status <> old.status then
    if not exists (select 1 from withdrawal_legal_transitions t where t.from_status = old.status and t.to_status = new.status) then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_legal_transition', message = format('withdrawals_legal_transition: %s does not become %s', old.status, new.status);
    end if;
    -- "Not sent" needs proof for every attempt: a queued row may be cancelled, and a copy of an ambiguous attempt may still pay.
    if new.status = 'queued' and old.status in ('dispatching', 'in_doubt') and exists (
      select 1 from withdrawal_attempts a where a.withdrawal_id = old.id and a.kind = 'send'
        and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later') and a.proved_absent_at is null) then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_queued_needs_every_attempt_unsent', message = 'withdrawals_queued_needs_every_attempt_unsent: an attempt may have been sent';
    end if;
    if new.status = 'dispatching' and new.fence = old.fence then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_claim_raises_fence', message = 'withdrawals_claim_raises_fence: a claim without a new fence shuts nobody out';
    end if;
    -- Proof of a transfer forbids every release and every further send.
    if new.status in ('queued', 'dispatching', 'failed', 'cancelled', 'rejected') and old.status not in ('submitted', 'broadcast')
      and (old.transfer_id is not null or exists (select 1 from withdrawal_attempts a where a.withdrawal_id = old.id
        and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))) then
      if new.status in ('queued', 'dispatching') then
        raise exception using errcode = 'P0001', constraint = 'withdrawals_no_send_against_proof', message = 'withdrawals_no_send_against_proof: a transfer is known';
      end if;
      raise exception using errcode = 'P0001', constraint = 'withdrawals_no_release_against_proof', message = 'withdrawals_no_release_against_proof: a transfer is known';
    end if;
    new.status_since := protocol_now();
  end if;
  new.updated_at := protocol_now();
  return new;
end $$;
create trigger withdrawals_guard before insert or update on withdrawals for each row execute function withdrawals_guard();
-- A database in which coins have moved never gets a clock that can be moved.
create function protocol_settings_guard() returns trigger language plpgsql as $$
begin
  if exists (select 1 from withdrawals) then
    raise exception using errcode = 'P0001', constraint = 'protocol_settings_clock_movable_from_the_start', message = 'protocol_settings_clock_movable_from_the_start: this database has withdrawals';
  end if;
  return new;
end $$;
create trigger protocol_settings_clock_movable_from_the_start before update on protocol_settings
  for each row when (new.clock_movable and not old.clock_movable) execute function protocol_settings_guard();
create trigger withdrawals_never_deleted before delete or truncate on withdrawals
  for each statement execute function refuse_change('withdrawals_never_deleted');

create function withdrawal_attempts_guard() returns trigger language plpgsql as $$
begin
  if (new.withdrawal_id, new.attempt, new.kind, new.fence, new.provider, new.provider_account, new.started_at, new.not_after, new.body, new.body_sha256)
    is distinct from
    (old.withdrawal_id, old.attempt, old.kind, old.fence, old.provider, old.provider_account, old.started_at, old.not_after, old.body, old.body_sha256) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_attempts_intent_immutable', message = 'withdrawal_attempts_intent_immutable: the bytes of an attempt never change';
  end if;
  if old.outcome is not null and new.outcome is distinct from old.outcome then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_attempts_outcome_once', message = 'withdrawal_attempts_outcome_once: a later answer is kept as late, not written over';
  end if;
  if old.late_outcome in ('accepted', 'found') and coalesce(new.late_outcome, '') not in ('accepted', 'found') then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_attempts_proof_stays', message = 'withdrawal_attempts_proof_stays: what proves a transfer is never written over';
  end if;
  -- The other way round is evidence of a contradiction, and is kept.
  if old.proved_absent_at is null and new.proved_absent_at is not null
    and (new.outcome in ('accepted', 'found') or new.late_outcome in ('accepted', 'found')) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_attempts_no_absence_against_proof', message = 'withdrawal_attempts_no_absence_against_proof: this attempt made a transfer';
  end if;
  return new;
end $$;
create trigger withdrawal_attempts_guard before update on withdrawal_attempts for each row execute function withdrawal_attempts_guard();
create trigger withdrawal_attempts_never_deleted before delete or truncate on withdrawal_attempts
  for each statement execute function refuse_change('withdrawal_attempts_never_deleted');

-- Ledger verbs of a withdrawal. Called only from the accepting function and from transition statements.
create function ledger_hold(w withdrawals) returns void language plpgsql as $$
declare b customer_balances; t bigint;
begin
  select * into strict b from customer_balances where customer_id = w.customer_id and asset_id = w.asset_id;
  insert into ledger_transfers (asset_id, kind, source_id, created_at) values (w.asset_id, 'hold', w.id, w.requested_at) returning id into t;
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    values (t, 1, w.asset_id, b.available_account_id, b.held_account_id, w.total_minor);
end $$;
create function ledger_house_account(p_asset text, p_kind text) returns bigint language sql stable as
$$ select id from ledger_accounts where asset_id = p_asset and kind = p_kind and customer_id is null $$;
create function ledger_post(w withdrawals) returns void language plpgsql as $$
declare b customer_balances; t bigint;
begin
  select * into strict b from customer_balances where customer_id = w.customer_id and asset_id = w.asset_id;
  insert into ledger_transfers (asset_id, kind, source_id) values (w.asset_id, 'post', w.id) returning id into t;
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t, l.leg, w.asset_id, b.held_account_id, ledger_house_account(w.asset_id, l.kind), l.amount
    from (values (1, 'custody_hot', w.amount_minor), (2, 'withdrawal_fees', w.fee_minor)) as l(leg, kind, amount)
    where l.amount > 0;
end $$;
create function ledger_void(w withdrawals) returns void language plpgsql as $$
declare b customer_balances; t bigint;
begin
  select * into strict b from customer_balances where customer_id = w.customer_id and asset_id = w.asset_id;
  insert into ledger_transfers (asset_id, kind, source_id) values (w.asset_id, 'void', w.id) returning id into t;
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    values (t, 1, w.asset_id, b.held_account_id, b.available_account_id, w.total_minor);
end $$;

-- What can only be judged when all rows are there is judged at commit: the row comes first and its hold after it.
create function ledger_transfers_guard() returns trigger language plpgsql as $$
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
  else
    v_right := exists (select 1 from ledger_entries e where e.transfer_id = new.id);
  end if;
  if v_right is not true then
    raise exception using errcode = 'P0001', constraint = 'ledger_transfers_move_what_they_say',
      message = format('ledger_transfers_move_what_they_say: this %s does not fit %s', new.kind, new.source_id);
  end if;
  return null;
end $$;
create constraint trigger ledger_transfers_move_what_they_say after insert on ledger_transfers
  deferrable initially deferred for each row execute function ledger_transfers_guard();

create function withdrawals_commit_guard() returns trigger language plpgsql as $$
declare v_kind text := case when new.status in ('failed', 'cancelled', 'rejected') then 'void' when new.status = 'completed' then 'post' else 'hold' end;
begin
  -- The intent stands before the first byte leaves: after a crash there is always a row that says "maybe".
  if new.status = 'dispatching' then
    if not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.fence = new.fence and a.kind = 'send') then
      raise exception using errcode = 'P0001', constraint = 'withdrawals_claim_has_attempt', message = 'withdrawals_claim_has_attempt: nothing is sent that is not written down';
    end if;
    return null;
  end if;
  if new.status in ('failed', 'cancelled', 'rejected')
    and exists (select 1 from chain_effects e where e.withdrawal_id = new.id and e.state <> 'orphaned') then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_no_release_against_proof', message = 'withdrawals_no_release_against_proof: the coins were seen on the chain';
  end if;
  if new.status = 'failed' and old.status in ('dispatching', 'in_doubt')
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.outcome = 'refusal_found')
    and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.kind = 'send'
      and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later', 'refused') and a.proved_absent_at is null) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_failed_needs_proof', message = 'withdrawals_failed_needs_proof: an attempt may still pay';
  end if;
  -- Not seen is not dead: a transaction that was signed pays whenever somebody broadcasts it.
  if new.status = 'failed' and old.status in ('submitted', 'broadcast')
    and exists (select 1 from withdrawal_transactions x where x.withdrawal_id = new.id and x.dead_at is null) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_failed_needs_dead_transactions', message = 'withdrawals_failed_needs_dead_transactions: a signed transaction may still pay';
  end if;
  if not exists (select 1 from ledger_transfers t where t.source_id = new.id and t.kind = v_kind) then
    raise exception using errcode = 'P0001', message = format('no %s for withdrawal %s', v_kind, new.id),
      constraint = case v_kind when 'hold' then 'withdrawals_accepted_has_hold' when 'post' then 'withdrawals_completed_has_post' else 'withdrawals_released_has_void' end;
  end if;
  return null;
end $$;
create constraint trigger withdrawals_accepted_has_hold after insert on withdrawals deferrable initially deferred
  for each row when (new.status <> 'refused') execute function withdrawals_commit_guard();
create constraint trigger withdrawals_moved after update on withdrawals deferrable initially deferred
  for each row when (new.status <> old.status and new.status in ('dispatching', 'completed', 'failed', 'cancelled', 'rejected'))
  execute function withdrawals_commit_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- Outbox, inbox, chain, cases, switches
-- ---------------------------------------------------------------------------------------------------------------
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null default 'withdrawal.wake',
  withdrawal_id uuid not null references withdrawals (id),
  not_before timestamptz not null default protocol_now(),
  created_at timestamptz not null default protocol_now(),
  relayed_at timestamptz
);
-- Read by "not yet relayed", never by "id greater than": rows commit out of order.
create index outbox_waiting on outbox (not_before) where relayed_at is null;

create table inbox_events (
  provider text not null,
  event_id text not null,
  event_type text not null,
  reference uuid,
  body bytea not null,
  body_sha256 text not null,
  signed_at timestamptz not null,
  received_at timestamptz not null default protocol_now(),
  next_attempt_at timestamptz not null default protocol_now(),
  attempts integer not null default 0,
  applied_at timestamptz,
  outcome text,
  reason text,
  primary key (provider, event_id)
);
create index inbox_events_waiting on inbox_events (next_attempt_at) where applied_at is null;
create index inbox_events_reference on inbox_events (reference);
create table inbox_conflicts (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text not null,
  body_sha256 text not null,
  body bytea not null,
  received_at timestamptz not null default protocol_now()
);

create table chain_cursors (
  network_id text primary key references networks (id),
  block_number bigint not null,
  block_hash text not null,
  halted_at timestamptz,
  halt_reason text,
  updated_at timestamptz not null default protocol_now()
);
create table chain_blocks (
  network_id text not null references networks (id),
  block_hash text not null,
  block_number bigint not null,
  parent_hash text not null,
  canonical boolean not null default true,
  mined_at timestamptz not null,
  primary key (network_id, block_hash)
);
create unique index chain_blocks_one_canonical on chain_blocks (network_id, block_number) where canonical;
create table chain_effects (
  id bigint generated always as identity primary key,
  network_id text not null references networks (id),
  transaction_hash text not null,
  -- Counts all logs of the receipt, watched or not; 0 is the native value. A reorg moves log indexes, not this.
  ordinal integer not null,
  contract text,
  from_address text not null,
  to_address text not null,
  amount_minor numeric(78, 0) not null,
  block_number bigint not null,
  block_hash text not null,
  state text not null constraint chain_effects_state check (state in ('included', 'final', 'orphaned')),
  withdrawal_id uuid references withdrawals (id),
  seen_at timestamptz not null default protocol_now(),
  constraint chain_effects_content_unique unique nulls not distinct (network_id, transaction_hash, ordinal, contract, from_address, to_address, amount_minor)
);
create index chain_effects_block on chain_effects (network_id, block_number);
create index chain_effects_withdrawal on chain_effects (withdrawal_id) where withdrawal_id is not null;
alter table withdrawals add constraint withdrawals_completing_effect foreign key (completing_effect_id) references chain_effects (id);

create table cases (
  id uuid primary key default gen_random_uuid(),
  kind text not null,
  -- What makes the case this case: opening it twice is one row.
  fingerprint text not null constraint cases_fingerprint_unique unique,
  withdrawal_id uuid references withdrawals (id),
  customer_id uuid references customers (id),
  evidence jsonb not null default '{}',
  revision bigint not null default 0,
  opened_at timestamptz not null default protocol_now(),
  closed_at timestamptz,
  closed_reason text
);
create index cases_open on cases (opened_at) where closed_at is null;

create table switches (
  id uuid primary key default gen_random_uuid(),
  scope text not null constraint switches_scope check (scope in ('all', 'asset', 'network', 'customer')),
  target text not null default '',
  reason text not null,
  paused_by text not null,
  paused_at timestamptz not null default protocol_now(),
  resumed_by text,
  resumed_at timestamptz
);
create unique index switches_one_open on switches (scope, target) where resumed_at is null;

-- Sending is allowed for this row right now? Read inside the claiming and resending statements themselves.
create function payout_stop_reason(w withdrawals) returns text language sql stable as $$
  select coalesce(
    (select case when s.mode <> 'normal' then 'look_up_only' when s.sending_stopped_at is not null then 'sending_stopped' end from protocol_settings s),
    (select case when c.frozen_at is not null then 'customer_frozen' when c.payouts_stopped_at is not null then 'payouts_stopped' end from customers c where c.id = w.customer_id),
    (select 'paused_' || x.scope from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = w.asset_id)
      or (x.scope = 'network' and x.target = w.network_id) or (x.scope = 'customer' and x.target = w.customer_id::text)) limit 1),
    (select 'pair_disabled' from asset_networks n where n.asset_id = w.asset_id and n.network_id = w.network_id and not n.enabled),
    case when w.parked_at is not null then 'parked' end)
$$;

create table audit_log (
  seq bigint generated always as identity primary key,
  at timestamptz not null default protocol_now(),
  actor_id text not null,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  previous_hash text not null,
  hash text not null
);
create trigger audit_log_append_only before update or delete or truncate on audit_log
  for each statement execute function refuse_change('audit_log_append_only');

-- ---------------------------------------------------------------------------------------------------------------
-- Accept. One round trip; each statement sees what the one before it waited for (volatile, READ COMMITTED).
-- Find the key; lock the customer; read under the lock; decide; insert under the key; only then hold.
-- Outcomes are rows, never errors: an error would cost the caller its connection.
-- ---------------------------------------------------------------------------------------------------------------
create function request_withdrawal(
  p_id uuid, p_key uuid, p_customer uuid, p_asset text, p_network text, p_address text, p_memo text,
  p_amount numeric, p_fee numeric, p_fee_mode text, p_refusal text, p_needs_approval boolean, p_look_alike_of uuid,
  p_clicked_at timestamptz, p_refused_daily_max integer
) returns table (outcome text, outbox_id bigint, look_alike uuid, w withdrawals) language plpgsql volatile as $$
declare
  v withdrawals; v_refusal text := p_refusal; v_like uuid; v_outbox bigint; v_frozen boolean; v_confirmations integer;
  v_total numeric := p_amount + p_fee; v_named withdrawals;
  -- Read once: it is one value in a transaction, and the defaults would ask for it eight times more.
  v_now timestamptz := protocol_now();
begin
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', null::bigint, null::uuid, v;
    return;
  end if;
  -- "No key": giving up a key refers to the same customer, and would wait for us here while we wait for its key.
  select c.frozen_at is not null or c.payouts_stopped_at is not null into v_frozen from customers c where c.id = p_customer for no key update;
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
  select n.confirmations_required into v_confirmations from networks n where n.id = p_network;
  -- Somebody else's withdrawal, one that asks for something else, or none, is no go-ahead.
  if p_look_alike_of is not null then
    select * into v_named from withdrawals x where x.id = p_look_alike_of and x.customer_id = p_customer and x.asset_id = p_asset
      and x.network_id = p_network and x.address = p_address and x.memo is not distinct from p_memo and x.amount_minor = p_amount;
  end if;
  if v_refusal is null and v_frozen then v_refusal := 'customer_frozen'; end if;
  if v_refusal is null then
    select case when not n.enabled then 'pair_disabled' when n.fee_minor <> p_fee then 'fee_changed' end into v_refusal
      from asset_networks n where n.asset_id = p_asset and n.network_id = p_network;
  end if;
  if v_refusal is null and exists (
    select 1 from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = p_asset)
      or (x.scope = 'network' and x.target = p_network) or (x.scope = 'customer' and x.target = p_customer::text))) then
    v_refusal := 'pair_paused';
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
  -- Stored refusals are bounded, or a script could fill the table with them.
  if v_refusal is not null and (select count(*) from withdrawals x where x.customer_id = p_customer and x.status = 'refused' and x.refusal_code <> 'given_up'
      and x.requested_at > v_now - interval '24 hours') >= p_refused_daily_max then
    return query select 'refused_too_often', null::bigint, null::uuid, null::withdrawals;
    return;
  end if;
  insert into withdrawals (id, idempotency_key, customer_id, asset_id, network_id, address, memo, amount_minor, fee_minor, total_minor,
      fee_mode, look_alike_of, status, refusal_code, confirmations_required, clicked_at, next_action_at, ended_at,
      status_since, requested_at, updated_at)
    values (p_id, p_key, p_customer, p_asset, p_network, p_address, p_memo, p_amount, p_fee, v_total, p_fee_mode,
      -- A refused look-alike remembers the one it resembles, so that a replay can name it too.
      case when v_refusal is null then v_named.id when v_refusal = 'look_alike' then v_like end,
      case when v_refusal is not null then 'refused' when p_needs_approval then 'awaiting_approval' else 'queued' end,
      v_refusal, v_confirmations, p_clicked_at, v_now, case when v_refusal is not null then v_now end, v_now, v_now, v_now)
    on conflict (idempotency_key) do nothing returning * into v;
  if not found then
    select * into v from withdrawals x where x.idempotency_key = p_key;
    return query select 'existing', null::bigint, null::uuid, v;
    return;
  end if;
  insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason, at)
    values (v.id, null, v.status, 'customer', coalesce(v_refusal, 'requested'), v_now);
  if v.status <> 'refused' then
    perform ledger_hold(v);
  end if;
  if v.status = 'queued' then
    insert into outbox (withdrawal_id, not_before, created_at) values (v.id, v_now, v_now) returning id into v_outbox;
  end if;
  return query select 'new', v_outbox, v_like, v;
end $$;

-- A key that will not be used again: a refusal stored under it, or the withdrawal that is already there. It takes no lock,
-- so the bound may be passed by the few that run at once: it keeps scripts from filling the table, nothing else.
create function give_up_key(p_id uuid, p_key uuid, p_customer uuid, p_given_up_daily_max integer)
returns table (outcome text, w withdrawals) language plpgsql volatile as $$
declare v withdrawals;
begin
  select * into v from withdrawals x where x.idempotency_key = p_key;
  if found then
    return query select 'existing', v;
    return;
  end if;
  if not exists (select 1 from customers c where c.id = p_customer) then
    return query select 'no_customer', null::withdrawals;
    return;
  end if;
  if (select count(*) from withdrawals x where x.customer_id = p_customer and x.refusal_code = 'given_up'
      and x.requested_at > protocol_now() - interval '24 hours') >= p_given_up_daily_max then
    return query select 'refused_too_often', null::withdrawals;
    return;
  end if;
  insert into withdrawals (id, idempotency_key, customer_id, status, refusal_code, ended_at)
    values (p_id, p_key, p_customer, 'refused', 'given_up', protocol_now())
    on conflict (idempotency_key) do nothing returning * into v;
  if found then
    insert into withdrawal_history (withdrawal_id, from_status, to_status, actor, reason) values (v.id, null, 'refused', 'customer', 'given_up');
    return query select 'given_up', v;
    return;
  end if;
  select * into v from withdrawals x where x.idempotency_key = p_key;
  return query select 'existing', v;
end $$;
