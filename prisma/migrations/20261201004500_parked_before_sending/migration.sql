-- What somebody parked before it was sent had no way back but its customer's cancel: it is handed back by two people, like a doubt.
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

-- Which of custody's statements stand now: whoever confirms verifies the signature of exactly these, and not of another that fell.
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
create or replace function withdrawal_end_stated(w withdrawals) returns boolean language sql stable as $$
  select exists (select 1 from standing_statements(w) s where s.body::jsonb ->> 'statement' = 'never_paid')
$$;
