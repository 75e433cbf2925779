-- The operators' room: what two people decide about a withdrawal in doubt, and what the running system says of its promises.

-- ---------------------------------------------------------------------------------------------------------------
-- Resolutions: proposed by one, confirmed by another, of exactly this evidence. Evidence is the row's fence and revision:
-- every look-up raises the first and every fact the second.
-- ---------------------------------------------------------------------------------------------------------------
create table withdrawal_resolutions (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals (id),
  -- release: the hold ends, for it is proved that nothing was paid. hand_back: the machine goes on by its own rule.
  deed text not null constraint withdrawal_resolutions_deed check (deed in ('release', 'hand_back')),
  fence bigint not null,
  revision bigint not null,
  reason text not null constraint withdrawal_resolutions_reason check (length(reason) between 3 and 500),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null default protocol_now(),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  constraint withdrawal_resolutions_two_people check (confirmed_by <> proposed_by),
  constraint withdrawal_resolutions_confirmed_by_somebody check ((confirmed_by is null) = (confirmed_at is null))
);
create index withdrawal_resolutions_withdrawal on withdrawal_resolutions (withdrawal_id, proposed_at desc);

-- Whether the look-up that took the row's present fence proved that no send of it made a transfer or ever will.
create function withdrawal_absence_proved(w withdrawals) returns boolean language sql stable as $$
  select w.transfer_id is null
    and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'look_up' and a.fence = w.fence
      and a.outcome = 'not_found' and a.detail ->> 'detail' = 'absence proved')
    -- By our clock too: whatever custody said, bytes that may still be carried out are not absent.
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
      and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later') and coalesce(a.not_after > protocol_now(), true))
    and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id
      and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))
    and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    and not exists (select 1 from inbox_events e where e.reference = w.idempotency_key and e.applied_at is null)
$$;

create function withdrawal_resolutions_guard() returns trigger language plpgsql as $$
declare w withdrawals; v_actor uuid := coalesce(new.confirmed_by, new.proposed_by);
begin
  if tg_op = 'INSERT' and new.confirmed_at is not null then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_two_people', message = 'withdrawal_resolutions_two_people: a proposal comes before its confirmation';
  end if;
  if tg_op = 'UPDATE' and (old.confirmed_at is not null
    or (new.id, new.withdrawal_id, new.deed, new.fence, new.revision, new.reason, new.proposed_by, new.proposed_at)
      is distinct from (old.id, old.withdrawal_id, old.deed, old.fence, old.revision, old.reason, old.proposed_by, old.proposed_at)) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_immutable', message = 'withdrawal_resolutions_immutable: what was proposed is what is confirmed';
  end if;
  select * into w from withdrawals x where x.id = new.withdrawal_id for share;
  if w.customer_id = v_actor or not exists (select 1 from users u where u.id = v_actor and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_by_staff', message = 'withdrawal_resolutions_by_staff: auditors look, customers wait';
  end if;
  if w.status <> 'in_doubt' or w.parked_at is null then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_of_a_parked_doubt', message = 'withdrawal_resolutions_of_a_parked_doubt: as long as the machine can decide, it decides';
  end if;
  if (new.fence, new.revision) is distinct from (w.fence, w.revision) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_of_this_evidence', message = 'withdrawal_resolutions_of_this_evidence: there is newer evidence';
  end if;
  if new.deed = 'release' and not withdrawal_absence_proved(w) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_release_needs_proof', message = 'withdrawal_resolutions_release_needs_proof: nothing proves that it was not paid';
  end if;
  return new;
end $$;
create trigger withdrawal_resolutions_guard before insert or update on withdrawal_resolutions
  for each row execute function withdrawal_resolutions_guard();
create trigger withdrawal_resolutions_never_deleted before delete or truncate on withdrawal_resolutions
  for each statement execute function refuse_change('withdrawal_resolutions_never_deleted');

-- Out of doubt and back to the customer's balance: by a refusal of custody's that is on record, because nothing was ever sent, or
-- by two people. Judged at commit, when everything that the statement wrote beside the row is there.
create function withdrawals_release_guard() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id
      and (a.outcome in ('refused', 'refusal_found') or a.late_outcome = 'refused'))
    and exists (select 1 from withdrawal_attempts a where a.withdrawal_id = new.id and a.kind = 'send'
      and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later'))
    and not exists (select 1 from withdrawal_resolutions r where r.withdrawal_id = new.id and r.deed = 'release'
      and r.fence = old.fence and r.revision = old.revision and r.confirmed_at is not null) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_released_by_two', message = format('withdrawals_released_by_two: withdrawal %s was refused by nobody, and no two people agreed', new.id);
  end if;
  return null;
end $$;
create constraint trigger withdrawals_released_by_two after update on withdrawals deferrable initially deferred
  for each row when (old.status = 'in_doubt' and new.status = 'failed') execute function withdrawals_release_guard();

-- ---------------------------------------------------------------------------------------------------------------
-- What a worker counted last, with the time of the count. One row a promise; an old row says that nobody counts.
-- ---------------------------------------------------------------------------------------------------------------
create table invariant_checks (
  name text primary key,
  -- How many break the promise; null when it could not be counted.
  violations bigint constraint invariant_checks_not_negative check (violations >= 0),
  detail jsonb not null default '{}',
  checked_at timestamptz not null default protocol_now(),
  -- The last time that it was not zero.
  broken_at timestamptz
);
create table hot_balances (
  asset_id text not null references assets (id),
  network_id text not null references networks (id),
  available_minor numeric(78, 0) not null,
  read_at timestamptz not null default protocol_now(),
  primary key (asset_id, network_id)
);

-- The overview's charts read a day of rows by when they came and when they ended.
create index withdrawals_ended on withdrawals (ended_at) where ended_at is not null;
create index withdrawals_submitted on withdrawals (submitted_at) where submitted_at is not null;
-- What waits for people, worst first: the operators' list and nothing else.
create index withdrawals_parked on withdrawals (parked_at) where parked_at is not null;
