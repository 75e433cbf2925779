-- What moves money or lets it move again is confirmed by a second factor of the person who does it, bound to exactly what it does; and
-- cases are closed by two people.

-- ---------------------------------------------------------------------------------------------------------------
-- Cases: proposed to be closed by one, closed by another, of exactly this evidence
-- ---------------------------------------------------------------------------------------------------------------
alter table cases
  add column close_proposed_by uuid references users (id),
  add column close_proposed_at timestamptz,
  add column close_proposed_revision bigint,
  add column closed_by uuid references users (id),
  add constraint cases_close_has_reason check (closed_at is null or length(closed_reason) between 3 and 500),
  add constraint cases_close_proposed_by_somebody check ((close_proposed_by is null) = (close_proposed_at is null)
    and (close_proposed_by is null) = (close_proposed_revision is null)),
  -- Old rows were closed by nobody that we know of.
  add constraint cases_closed_by_two check (closed_at is null or coalesce(closed_by <> close_proposed_by, false)) not valid;
create index cases_newest on cases (opened_at desc, id desc);
create index cases_withdrawal on cases (withdrawal_id) where withdrawal_id is not null;
create index cases_customer_open on cases (customer_id) where closed_at is null;
create function cases_guard() returns trigger language plpgsql as $$
declare v_broken text;
begin
  v_broken := case
    when old.closed_at is not null or (new.id, new.kind, new.fingerprint, new.withdrawal_id, new.customer_id, new.opened_at)
      is distinct from (old.id, old.kind, old.fingerprint, old.withdrawal_id, old.customer_id, old.opened_at) then 'cases_history_stays'
    -- One update that names both people is one person.
    when new.closed_at is not null and (new.close_proposed_by, new.closed_reason, new.close_proposed_revision)
      is distinct from (old.close_proposed_by, old.closed_reason, old.close_proposed_revision) then 'cases_closed_by_two'
    when new.closed_at is not null and new.revision is distinct from new.close_proposed_revision then 'cases_closed_on_this_evidence'
    when exists (select 1 from unnest(array[new.close_proposed_by, new.closed_by]) p(id) join users u on u.id = p.id
      where u.banned or u.role not in ('operator', 'approver')) then 'cases_closed_by_staff' end;
  if v_broken is not null then
    raise exception using errcode = 'P0001', constraint = v_broken, message = format('%s: case %s', v_broken, new.id);
  end if;
  return new;
end $$;
create trigger cases_guard before update on cases for each row execute function cases_guard();
create trigger cases_never_deleted before delete or truncate on cases
  for each statement execute function refuse_change('cases_never_deleted');

-- ---------------------------------------------------------------------------------------------------------------
-- Confirmations: which code or signature stands for which deed
-- ---------------------------------------------------------------------------------------------------------------
-- What a deed does, as a hash of the row that it is about: what confirms one deed confirms no other, and not this one either once
-- the row has changed. An approval names its payload and revision, because the row moves on with it.
create function approval_fingerprint(p_withdrawal uuid, p_payload text, p_revision bigint) returns text language sql immutable as $$
  select encode(sha256(convert_to(json_build_array('cryptoex deed', 'approve', p_withdrawal, p_payload, p_revision)::text, 'UTF8')), 'hex')
$$;
create function deed_fingerprint(p_deed text, p_subject text) returns text language plpgsql stable as $$
declare v json;
begin
  case p_deed
    when 'approve' then
      return (select approval_fingerprint(w.id, withdrawal_payload_sha256(w), w.revision) from withdrawals w where w.id = p_subject::uuid);
    when 'resolve' then
      select json_build_array(r.id, r.withdrawal_id, r.deed, r.fence, r.revision, r.reason, r.proposed_by, extract(epoch from r.proposed_at)) into v
        from withdrawal_resolutions r where r.id = p_subject::uuid;
    when 'resume' then
      select json_build_array(s.id, s.scope, s.target, s.reason, extract(epoch from s.paused_at), s.resume_proposed_by, extract(epoch from s.resume_proposed_at)) into v
        from switches s where s.id = p_subject::uuid;
    when 'adjust' then
      select json_build_array(j.id, j.asset_id, j.debit_account_id, j.credit_account_id, j.amount_minor::text, j.reason, j.proposed_by) into v
        from ledger_adjustments j where j.id = p_subject::uuid;
    when 'end_look_up_only' then
      select json_build_array(l.id, l.reason, extract(epoch from l.began_at), l.end_proposed_by, extract(epoch from l.end_proposed_at)) into v
        from look_up_only_spells l where l.id = p_subject::bigint;
    when 'close_case' then
      select json_build_array(c.id, c.kind, c.fingerprint, c.close_proposed_revision, c.closed_reason, c.close_proposed_by, extract(epoch from c.close_proposed_at)) into v
        from cases c where c.id = p_subject::uuid;
  end case;
  return encode(sha256(convert_to(json_build_array('cryptoex deed', p_deed, v)::text, 'UTF8')), 'hex');
end $$;

create table deed_confirmations (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  deed text not null constraint deed_confirmations_deed check (deed in ('approve', 'resolve', 'resume', 'adjust', 'end_look_up_only', 'close_case')),
  -- The row that the deed is about.
  subject text not null,
  fingerprint_sha256 text not null,
  totp_step bigint,
  challenge_id uuid,
  at timestamptz not null default protocol_now(),
  constraint deed_confirmations_one_factor check ((totp_step is null) <> (challenge_id is null)),
  constraint deed_confirmations_code_confirms_once unique (user_id, totp_step),
  constraint deed_confirmations_signature_confirms_once unique (challenge_id)
);
create index deed_confirmations_subject on deed_confirmations (subject, deed);
create trigger deed_confirmations_append_only before update or delete or truncate on deed_confirmations
  for each statement execute function refuse_change('deed_confirmations_append_only');
create function deed_confirmations_guard() returns trigger language plpgsql as $$
begin
  if new.fingerprint_sha256 is distinct from deed_fingerprint(new.deed, new.subject) then
    raise exception using errcode = 'P0001', constraint = 'deed_confirmations_of_this_deed', message = format('deed_confirmations_of_this_deed: %s %s is another one by now', new.deed, new.subject);
  end if;
  if new.totp_step is not null and not exists (select 1 from totp_factors f
      where f.user_id = new.user_id and f.confirmed_at is not null and f.last_step = new.totp_step)
    or new.challenge_id is not null and not exists (select 1 from step_up_challenges s
      where s.id = new.challenge_id and s.user_id = new.user_id and s.purpose = 'deed' and s.spent_at is not null and s.expires_at > protocol_now()
        -- What the device signed was made from this very deed.
        and s.challenge = rtrim(translate(encode(sha256(convert_to(s.id || ' ' || new.fingerprint_sha256, 'UTF8')), 'base64'), '+/', '-_'), '=')) then
    raise exception using errcode = 'P0001', constraint = 'deed_confirmations_by_a_spent_factor', message = 'deed_confirmations_by_a_spent_factor: no code and no signature of this person was spent for this';
  end if;
  return new;
end $$;
create trigger deed_confirmations_guard before insert on deed_confirmations for each row execute function deed_confirmations_guard();

-- Spends a verified code or signature for a deed, once. False: somebody was faster, or it is no longer this deed.
create function confirm_deed(p_user uuid, p_deed text, p_subject text, p_fingerprint text, p_totp_step bigint, p_challenge uuid)
returns boolean language plpgsql volatile as $$
declare v_spent boolean := false;
begin
  if p_fingerprint is distinct from deed_fingerprint(p_deed, p_subject) then return false; end if;
  if p_totp_step is not null then
    update totp_factors f set last_step = p_totp_step
      where f.user_id = p_user and f.confirmed_at is not null and f.last_step < p_totp_step;
    v_spent := found;
  elsif p_challenge is not null then
    update step_up_challenges s set spent_at = protocol_now()
      where s.id = p_challenge and s.user_id = p_user and s.purpose = 'deed' and s.spent_at is null and s.expires_at > protocol_now();
    v_spent := found;
  end if;
  if v_spent then
    insert into deed_confirmations (user_id, deed, subject, fingerprint_sha256, totp_step, challenge_id)
      values (p_user, p_deed, p_subject, p_fingerprint, p_totp_step, p_challenge);
  end if;
  return v_spent;
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- No dangerous deed without its confirmation, whoever writes it. Judged at commit, when both are there.
-- ---------------------------------------------------------------------------------------------------------------
create function require_confirmation(p_guard text, p_user text, p_deed text, p_subject text, p_fingerprint text) returns void language plpgsql stable as $$
begin
  if not exists (select 1 from deed_confirmations c where c.subject = p_subject and c.deed = p_deed and c.user_id::text = p_user
      and c.fingerprint_sha256 = p_fingerprint) then
    raise exception using errcode = 'P0001', constraint = p_guard, message = format('%s: %s of %s was confirmed by no second factor', p_guard, p_deed, p_subject);
  end if;
end $$;
create function deed_confirmed_guard() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'approvals' then
      perform require_confirmation(tg_argv[0], new.approver_id::text, 'approve', new.withdrawal_id::text,
        approval_fingerprint(new.withdrawal_id, new.payload_sha256, new.revision));
    when 'withdrawal_resolutions' then
      perform require_confirmation(tg_argv[0], new.confirmed_by::text, 'resolve', new.id::text, deed_fingerprint('resolve', new.id::text));
    when 'switches' then
      perform require_confirmation(tg_argv[0], new.resumed_by, 'resume', new.id::text, deed_fingerprint('resume', new.id::text));
    when 'ledger_adjustments' then
      perform require_confirmation(tg_argv[0], new.confirmed_by::text, 'adjust', new.id::text, deed_fingerprint('adjust', new.id::text));
    when 'look_up_only_spells' then
      perform require_confirmation(tg_argv[0], new.ended_by::text, 'end_look_up_only', new.id::text, deed_fingerprint('end_look_up_only', new.id::text));
    when 'cases' then
      perform require_confirmation(tg_argv[0], new.closed_by::text, 'close_case', new.id::text, deed_fingerprint('close_case', new.id::text));
  end case;
  return null;
end $$;
create constraint trigger approvals_confirmed after insert on approvals deferrable initially deferred
  for each row when (new.decision = 'approved') execute function deed_confirmed_guard('approvals_confirmed');
create constraint trigger withdrawal_resolutions_confirmed after update on withdrawal_resolutions deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function deed_confirmed_guard('withdrawal_resolutions_confirmed');
create constraint trigger switches_resume_confirmed after update on switches deferrable initially deferred
  for each row when (new.resumed_at is not null) execute function deed_confirmed_guard('switches_resume_confirmed');
create constraint trigger ledger_adjustments_confirmed after update on ledger_adjustments deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function deed_confirmed_guard('ledger_adjustments_confirmed');
create constraint trigger look_up_only_spells_end_confirmed after update on look_up_only_spells deferrable initially deferred
  for each row when (new.ended_at is not null) execute function deed_confirmed_guard('look_up_only_spells_end_confirmed');
create constraint trigger cases_close_confirmed after update on cases deferrable initially deferred
  for each row when (new.closed_at is not null) execute function deed_confirmed_guard('cases_close_confirmed');
