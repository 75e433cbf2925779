-- The books compared with custody's and the chain's, and what happens when our own memory is older than the world.

-- ---------------------------------------------------------------------------------------------------------------
-- Runs and what they found. A finding is for people: nothing here changes a withdrawal.
-- ---------------------------------------------------------------------------------------------------------------
create table reconciliation_runs (
  id bigint generated always as identity primary key,
  cause text not null constraint reconciliation_runs_cause check (cause in ('start', 'interval', 'demand')),
  asked_by text not null,
  asked_at timestamptz not null default protocol_now(),
  started_at timestamptz,
  -- A run that died is taken over when this has passed.
  lease_until timestamptz,
  ended_at timestamptz,
  outcome text constraint reconciliation_runs_outcome check (outcome in ('agreed', 'discrepancies', 'look_up_only', 'failed')),
  reason text,
  from_at timestamptz,
  to_at timestamptz,
  transfers integer not null default 0,
  findings integer not null default 0,
  constraint reconciliation_runs_ended_with_outcome check ((ended_at is null) = (outcome is null))
);
-- Pressing twice asks once.
create unique index reconciliation_runs_one_asked on reconciliation_runs (cause) where cause = 'demand' and started_at is null;
create index reconciliation_runs_newest on reconciliation_runs (asked_at desc);
create trigger reconciliation_runs_never_deleted before delete or truncate on reconciliation_runs
  for each statement execute function refuse_change('reconciliation_runs_never_deleted');

-- What one walk has seen so far, so that the walk itself holds one page. Lost with a crash, like the walk.
create unlogged table reconciliation_seen (
  run_id bigint not null,
  reference text not null,
  transfer_id text not null,
  network_id text not null,
  confirmed boolean not null,
  hashes text[] not null,
  primary key (run_id, reference, transfer_id)
);

create table reconciliation_discrepancies (
  id uuid primary key default gen_random_uuid(),
  books text not null constraint reconciliation_discrepancies_books check (books in ('ours_custody', 'ours_chain', 'custody_chain', 'balances')),
  kind text not null constraint reconciliation_discrepancies_kind check (kind in ('missing_here', 'missing_there', 'differs', 'twice')),
  -- A reference, a transaction or an asset: with books and kind the name of this finding.
  subject text not null,
  withdrawal_id uuid references withdrawals (id),
  detail jsonb not null default '{}',
  first_run_id bigint not null references reconciliation_runs (id),
  last_run_id bigint not null references reconciliation_runs (id),
  opened_at timestamptz not null default protocol_now(),
  last_seen_at timestamptz not null default protocol_now(),
  closed_at timestamptz,
  closed_by uuid references users (id),
  closed_reason text,
  constraint reconciliation_discrepancies_closed_by_somebody check ((closed_at is null) = (closed_by is null) and (closed_at is null) = (closed_reason is null))
);
create unique index reconciliation_discrepancies_one_open on reconciliation_discrepancies (books, kind, subject) where closed_at is null;
create index reconciliation_discrepancies_newest on reconciliation_discrepancies (opened_at desc, id desc);
create function reconciliation_discrepancies_guard() returns trigger language plpgsql as $$
begin
  if old.closed_at is not null or (new.id, new.books, new.kind, new.subject, new.withdrawal_id, new.first_run_id, new.opened_at)
    is distinct from (old.id, old.books, old.kind, old.subject, old.withdrawal_id, old.first_run_id, old.opened_at) then
    raise exception using errcode = 'P0001', constraint = 'reconciliation_discrepancies_history_stays', message = 'reconciliation_discrepancies_history_stays: what was found is not found away';
  end if;
  return new;
end $$;
create trigger reconciliation_discrepancies_history_stays before update on reconciliation_discrepancies
  for each row execute function reconciliation_discrepancies_guard();
create trigger reconciliation_discrepancies_never_deleted before delete or truncate on reconciliation_discrepancies
  for each statement execute function refuse_change('reconciliation_discrepancies_never_deleted');

-- The wallet may hold less than the books by so much (gas, what is under way twice counted) before the asset pauses.
alter table assets add column deficit_band_minor numeric(78, 0) not null default 0
  constraint assets_deficit_band_not_negative check (deficit_band_minor >= 0);

-- ---------------------------------------------------------------------------------------------------------------
-- Look-up only: begun by a machine at once, ended by two people
-- ---------------------------------------------------------------------------------------------------------------
-- Written every few seconds while any worker lives: how long nobody was there to remember.
alter table protocol_settings add column alive_at timestamptz;

create table look_up_only_spells (
  id bigint generated always as identity primary key,
  reason text not null,
  began_at timestamptz not null default protocol_now(),
  -- Whom the lost memory asked, and how long a claim of its may be carried out.
  provider text not null,
  provider_account text not null,
  not_after interval not null,
  end_proposed_by uuid references users (id),
  end_proposed_at timestamptz,
  ended_by uuid references users (id),
  ended_at timestamptz,
  constraint look_up_only_spells_ended_by_two check (ended_at is null or coalesce(ended_by <> end_proposed_by, false))
);
create unique index look_up_only_spells_one_open on look_up_only_spells ((true)) where ended_at is null;
create trigger look_up_only_spells_never_deleted before delete or truncate on look_up_only_spells
  for each statement execute function refuse_change('look_up_only_spells_never_deleted');
create function look_up_only_spells_guard() returns trigger language plpgsql as $$
begin
  if old.ended_at is not null or (new.id, new.reason, new.began_at, new.provider, new.provider_account, new.not_after)
      is distinct from (old.id, old.reason, old.began_at, old.provider, old.provider_account, old.not_after) then
    raise exception using errcode = 'P0001', constraint = 'look_up_only_spells_history_stays', message = 'look_up_only_spells_history_stays: another spell is another row';
  end if;
  -- One update that names both people is one person.
  if new.ended_at is not null and new.end_proposed_by is distinct from old.end_proposed_by then
    raise exception using errcode = 'P0001', constraint = 'look_up_only_spells_ended_by_two', message = 'look_up_only_spells_ended_by_two: a proposal comes before its confirmation';
  end if;
  if exists (select 1 from unnest(array[new.end_proposed_by, new.ended_by]) p(id) join users u on u.id = p.id
      where u.banned or u.role not in ('operator', 'approver')) then
    raise exception using errcode = 'P0001', constraint = 'look_up_only_spells_ended_by_staff', message = 'look_up_only_spells_ended_by_staff: nobody else ends it';
  end if;
  return new;
end $$;
create trigger look_up_only_spells_guard before update on look_up_only_spells for each row execute function look_up_only_spells_guard();

-- The transfers that told us, each once: what two people have looked at begins no second spell.
create table look_up_only_evidence (
  transfer_id text primary key,
  spell_id bigint not null references look_up_only_spells (id),
  reference text not null,
  belief text not null,
  seen_at timestamptz not null default protocol_now()
);
create trigger look_up_only_evidence_append_only before update or delete or truncate on look_up_only_evidence
  for each statement execute function refuse_change('look_up_only_evidence_append_only');

create function protocol_settings_mode_guard() returns trigger language plpgsql as $$
begin
  if exists (select 1 from look_up_only_spells s where s.ended_at is null)
    or not exists (select 1 from look_up_only_spells s where s.ended_at >= coalesce(old.mode_since, '-infinity')) then
    raise exception using errcode = 'P0001', constraint = 'protocol_settings_mode_ended_by_two', message = 'protocol_settings_mode_ended_by_two: two people end a spell, and with it the mode';
  end if;
  return new;
end $$;
create trigger protocol_settings_mode_ended_by_two before update on protocol_settings
  for each row when (old.mode = 'look_up_only' and new.mode = 'normal') execute function protocol_settings_mode_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- A send that a lost memory may have made: we know that it may be, and not its bytes
-- ---------------------------------------------------------------------------------------------------------------
alter table withdrawal_attempts add constraint withdrawal_attempts_lost_is_in_doubt check (
  kind <> 'send' or length(body) > 0 or (coalesce(outcome, '') = 'in_doubt' and coalesce(detail ->> 'reason', '') = 'memory_lost'));

-- A request that waited for its approvals comes out of doubt into the queue only with them.
create function withdrawal_lacks_approvals(w withdrawals) returns boolean language sql stable as $$
  select w.approvals_required > (select count(distinct a.approver_id) from approvals a where a.withdrawal_id = w.id
    and a.decision = 'approved' and a.payload_sha256 = withdrawal_payload_sha256(w) and a.approver_id <> w.customer_id)
$$;
create function withdrawals_doubt_approved_guard() returns trigger language plpgsql as $$
begin
  if withdrawal_lacks_approvals(new) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_doubt_ends_approved', message = format('withdrawals_doubt_ends_approved: withdrawal %s was never approved', new.id);
  end if;
  return new;
end $$;
create trigger withdrawals_doubt_ends_approved before update on withdrawals for each row
  when (old.status = 'in_doubt' and new.status in ('queued', 'dispatching') and new.approvals_required > 0)
  execute function withdrawals_doubt_approved_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- A transfer that is proved after its hold was given back
-- ---------------------------------------------------------------------------------------------------------------
create function ledger_late(w withdrawals) returns bigint language plpgsql as $$
declare t bigint;
begin
  if w.status not in ('failed', 'cancelled', 'rejected') then return null; end if;
  insert into ledger_transfers (asset_id, kind, source_id) values (w.asset_id, 'late', w.id)
    on conflict (source_id, kind) do nothing returning id into t;
  if t is null then return null; end if;
  insert into ledger_entries (transfer_id, leg, asset_id, debit_account_id, credit_account_id, amount_minor)
    select t, 1, w.asset_id, a.id, ledger_house_account(w.asset_id, 'custody_hot'), w.amount_minor
    from ledger_accounts a where a.customer_id = w.customer_id and a.asset_id = w.asset_id and a.kind = 'customer_receivable';
  return t;
end $$;
