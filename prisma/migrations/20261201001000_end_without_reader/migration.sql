-- On a network whose chain nobody of ours reads nothing proves that a transaction is dead, and what custody gave up after it was signed had
-- no end. Its end is custody's signed word that it was not paid and will not be, and two people who agree.

-- As before, with a second sentence that may be signed: of a transfer that custody made.
create or replace function custody_statements_guard() returns trigger language plpgsql as $$
declare w withdrawals; v jsonb; v_broken text;
begin
  new.body_sha256 := encode(sha256(convert_to(new.body, 'UTF8')), 'hex');
  select * into w from withdrawals x where x.id = new.withdrawal_id for share;
  begin
    v := new.body::jsonb;
  exception when others then
    v := '{}';
  end;
  v_broken := case
    when w.customer_id = new.attached_by or not exists (select 1 from users u where u.id = new.attached_by and u.role in ('operator', 'approver') and not u.banned)
      then 'custody_statements_by_staff'
    -- Of this reference, what was and what will be: each said in so many words.
    when v ->> 'externalId' is distinct from w.idempotency_key::text or not coalesce(
      v ->> 'statement' = 'no_transfer' and v -> 'made' = 'false'::jsonb and v -> 'willMake' = 'false'::jsonb
      or v ->> 'statement' = 'never_paid' and v -> 'paid' = 'false'::jsonb and v -> 'willPay' = 'false'::jsonb, false)
      then 'custody_statements_of_this_reference'
    when (v ->> 'signedAt')::timestamptz is distinct from new.signed_at then 'custody_statements_of_this_reference'
    when new.signed_at > protocol_now() + interval '5 minutes' then 'custody_statements_not_of_tomorrow' end;
  if v_broken is not null then
    raise exception using errcode = 'P0001', constraint = v_broken, message = format('%s: withdrawal %s', v_broken, new.withdrawal_id);
  end if;
  return new;
end $$;
comment on function custody_statements_guard() is E'custody_statements_by_staff: customers attach nothing to their own doubt\ncustody_statements_of_this_reference: a statement is about exactly this reference, and says that nothing was made or paid under it and nothing will be\ncustody_statements_not_of_tomorrow: nobody signs ahead of time';

-- Which of custody's statements stand now: each sentence ends what it is about, and nothing else. The second is about what custody's own
-- look-up gave up, unread by us, and signed after every transaction that it ever named; nothing that was seen on a chain, and no event
-- that waits, may speak against it. Whoever confirms verifies the signature of exactly these, and not of another that fell.
create function standing_statements(w withdrawals) returns setof custody_statements language sql stable as $$
  select s.* from custody_statements s
  where s.withdrawal_id = w.id and case s.body::jsonb ->> 'statement'
    when 'no_transfer' then not withdrawal_evidence_of_transfer(w)
      and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
        and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later')
        and (a.started_at >= s.signed_at or coalesce(a.not_after > protocol_now(), false)))
    when 'never_paid' then w.status in ('submitted', 'broadcast') and coalesce(w.parked_reason = 'given_up_unproved', false)
      and not exists (select 1 from chain_cursors c where c.network_id = w.network_id)
      and not exists (select 1 from chain_effects e where e.withdrawal_id = w.id and e.state <> 'orphaned')
      and not exists (select 1 from inbox_events e where e.reference = w.idempotency_key and e.applied_at is null)
      and not exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id and t.first_seen_at >= s.signed_at)
    else false end
$$;
create or replace function withdrawal_statement_stands(w withdrawals) returns boolean language sql stable as $$
  select exists (select 1 from standing_statements(w) s where s.body::jsonb ->> 'statement' = 'no_transfer')
$$;
create function withdrawal_end_stated(w withdrawals) returns boolean language sql stable as $$
  select exists (select 1 from standing_statements(w) s where s.body::jsonb ->> 'statement' = 'never_paid')
$$;
create or replace function withdrawal_may_be_released(w withdrawals) returns boolean language sql stable as $$
  select withdrawal_absence_proved(w) or withdrawal_statement_stands(w) or withdrawal_end_stated(w)
$$;

-- As before; what is parked at custody is released, too, and never handed back: the machine has no rule for it. What somebody parked
-- before it was sent had no way back but its customer's cancel: it is handed back, and there is nothing of it to release.
create or replace function withdrawal_resolutions_guard() returns trigger language plpgsql as $$
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
  if w.parked_at is null or not (w.status = 'in_doubt' or (new.deed = 'release' and w.status in ('submitted', 'broadcast'))
      or (new.deed = 'hand_back' and w.status in ('queued', 'dispatching'))) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_of_a_parked_doubt', message = 'withdrawal_resolutions_of_a_parked_doubt: as long as the machine can decide, it decides';
  end if;
  if (new.fence, new.revision) is distinct from (w.fence, w.revision) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_of_this_evidence', message = 'withdrawal_resolutions_of_this_evidence: there is newer evidence';
  end if;
  if new.deed = 'release' and not withdrawal_may_be_released(w) then
    raise exception using errcode = 'P0001', constraint = 'withdrawal_resolutions_release_needs_proof', message = 'withdrawal_resolutions_release_needs_proof: nothing proves that it was not paid';
  end if;
  return new;
end $$;

-- What custody signed on a network that we do not read ends as failed by two people, whatever was refused before and whether or not
-- somebody took its flag away first: nothing else can say there that a transaction is dead. Where nothing was signed, custody's own final
-- failure ends it, unless it waits for people.
create function withdrawals_unread_release_guard() returns trigger language plpgsql as $$
begin
  if (old.parked_at is not null or exists (select 1 from withdrawal_transactions t where t.withdrawal_id = new.id)
      and not exists (select 1 from chain_cursors c where c.network_id = new.network_id))
    and not exists (select 1 from withdrawal_resolutions r where r.withdrawal_id = new.id and r.deed = 'release'
      and r.fence = old.fence and r.revision = old.revision and r.confirmed_at is not null) then
    raise exception using errcode = 'P0001', constraint = 'withdrawals_unread_released_by_two', message = format('withdrawals_unread_released_by_two: withdrawal %s may still be paid where we do not read, and no two people agreed', new.id);
  end if;
  return null;
end $$;
create constraint trigger withdrawals_unread_released_by_two after update on withdrawals deferrable initially deferred
  for each row when (old.status in ('submitted', 'broadcast') and new.status = 'failed')
  execute function withdrawals_unread_release_guard();
comment on trigger withdrawals_unread_released_by_two on withdrawals is 'what custody signed where nobody of ours reads the chain ends by two people, never by a script';
comment on function withdrawals_unread_release_guard() is E'withdrawals_unread_released_by_two: what custody signed where nobody of ours reads the chain ends by two people, never by a script';
