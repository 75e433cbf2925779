-- What lets more money out than before is confirmed by a second factor too; a doubt may end on custody's signed statement; and whoever
-- is on duty keeps their own views of the list.

-- ---------------------------------------------------------------------------------------------------------------
-- Terms: the deed is a change, so its fingerprint is of the row as it was and as it will be
-- ---------------------------------------------------------------------------------------------------------------
-- A change that was confirmed once, taken back and made again looks the same: its confirmation counts in its own transaction only.
alter table deed_confirmations add column made_in bigint;
create index deed_confirmations_made_in on deed_confirmations (made_in) where made_in is not null;
create function deed_confirmations_made_here() returns trigger language plpgsql as $$
begin
  new.made_in := pg_current_xact_id()::text::bigint;
  return new;
end $$;
create trigger deed_confirmations_made_here before insert on deed_confirmations
  for each row execute function deed_confirmations_made_here();

alter table deed_confirmations drop constraint deed_confirmations_deed;
alter table deed_confirmations add constraint deed_confirmations_deed check (deed in ('approve', 'resolve', 'resume', 'adjust', 'end_look_up_only',
  'close_case', 'lift_freeze', 'set_tier', 'set_customer_tier', 'enable_pair'));
comment on constraint deed_confirmations_deed on deed_confirmations is 'the dangerous deeds are a closed list';

create function change_fingerprint(p_deed text, p_before jsonb, p_after jsonb) returns text language sql immutable as $$
  select encode(sha256(convert_to(json_build_array('cryptoex deed', p_deed, p_before, p_after)::text, 'UTF8')), 'hex')
$$;
create function freeze_of(c customers) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', c.id, 'since', extract(epoch from c.frozen_at), 'reason', c.frozen_reason)
$$;
create function tier_of(c customers) returns jsonb language sql immutable as $$
  select jsonb_build_object('id', c.id, 'tier', c.tier, 'review_all', c.review_all)
$$;

-- The subject of a change is the row's own columns as JSON, with those left out that stay as they are.
create or replace function deed_fingerprint(p_deed text, p_subject text) returns text language plpgsql stable as $$
declare v json; v_new jsonb;
begin
  case p_deed
    when 'approve' then
      return (select approval_fingerprint(w.id, withdrawal_payload_sha256(w), w.revision) from withdrawals w where w.id = p_subject::uuid);
    when 'lift_freeze' then
      return (select change_fingerprint(p_deed, freeze_of(c), null) from customers c where c.id = p_subject::uuid);
    when 'set_tier' then
      v_new := p_subject::jsonb;
      return (select change_fingerprint(p_deed, to_jsonb(t), to_jsonb(jsonb_populate_record(t, v_new))) from tiers t where t.id = v_new ->> 'id');
    when 'set_customer_tier' then
      v_new := p_subject::jsonb;
      return (select change_fingerprint(p_deed, tier_of(c), tier_of(jsonb_populate_record(c, v_new))) from customers c where c.id = (v_new ->> 'id')::uuid);
    when 'enable_pair' then
      v_new := p_subject::jsonb;
      return (select change_fingerprint(p_deed, to_jsonb(p), to_jsonb(jsonb_populate_record(p, v_new))) from asset_networks p
        where p.asset_id = v_new ->> 'asset_id' and p.network_id = v_new ->> 'network_id');
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

create function change_confirmed_guard() returns trigger language plpgsql as $$
declare v_deed text; v_print text;
begin
  case tg_argv[0]
    when 'customers_lift_confirmed' then v_deed := 'lift_freeze'; v_print := change_fingerprint(v_deed, freeze_of(old), null);
    when 'customers_tier_confirmed' then v_deed := 'set_customer_tier'; v_print := change_fingerprint(v_deed, tier_of(old), tier_of(new));
    when 'tiers_change_confirmed' then v_deed := 'set_tier'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'asset_networks_on_confirmed' then v_deed := 'enable_pair'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
  end case;
  if not exists (select 1 from deed_confirmations c join users u on u.id = c.user_id
      where c.made_in = pg_current_xact_id()::text::bigint and c.deed = v_deed and c.fingerprint_sha256 = v_print
        and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = tg_argv[0], message = format('%s: exactly this change was confirmed by no second factor', tg_argv[0]);
  end if;
  return null;
end $$;
create constraint trigger customers_lift_confirmed after update on customers deferrable initially deferred
  for each row when (old.frozen_at is not null and new.frozen_at is null) execute function change_confirmed_guard('customers_lift_confirmed');
-- Having every request of somebody looked at is done at once; no longer doing so is not.
create constraint trigger customers_tier_confirmed after update on customers deferrable initially deferred
  for each row when (old.tier is distinct from new.tier or old.review_all and not new.review_all) execute function change_confirmed_guard('customers_tier_confirmed');
create constraint trigger tiers_change_confirmed after update on tiers deferrable initially deferred
  for each row when (old is distinct from new) execute function change_confirmed_guard('tiers_change_confirmed');
create constraint trigger asset_networks_on_confirmed after update on asset_networks deferrable initially deferred
  for each row when (not old.enabled and new.enabled) execute function change_confirmed_guard('asset_networks_on_confirmed');
comment on trigger customers_lift_confirmed on customers is 'a freeze is lifted by a second factor';
comment on trigger customers_tier_confirmed on customers is 'nobody gets wider limits by a stolen session alone';
comment on trigger tiers_change_confirmed on tiers is 'limits are changed by a second factor, to exactly what was confirmed';
comment on trigger asset_networks_on_confirmed on asset_networks is 'a pair is switched on by a second factor';

-- ---------------------------------------------------------------------------------------------------------------
-- Custody's signed statement: where no look-up can prove absence, custody's own word, attached to the doubt
-- ---------------------------------------------------------------------------------------------------------------
create table custody_statements (
  id uuid primary key,
  withdrawal_id uuid not null references withdrawals (id),
  -- As it was signed, to the byte: whoever doubts it can verify it again.
  body text not null,
  -- Written by the guard below.
  body_sha256 text not null default '',
  signature text not null constraint custody_statements_signed check (length(signature) between 40 and 200),
  -- The public key under which it was verified.
  key_sha256 text not null constraint custody_statements_key check (length(key_sha256) = 64),
  -- By custody's clock, out of the body.
  signed_at timestamptz not null,
  attached_by uuid not null references users (id),
  attached_at timestamptz not null default protocol_now(),
  constraint custody_statements_once unique (withdrawal_id, body_sha256)
);
create trigger custody_statements_append_only before update or delete or truncate on custody_statements
  for each statement execute function refuse_change('custody_statements_append_only');
create function custody_statements_guard() returns trigger language plpgsql as $$
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
    -- Of this reference, made and to be made: each said in so many words.
    when v ->> 'statement' is distinct from 'no_transfer' or v ->> 'externalId' is distinct from w.idempotency_key::text
      or v -> 'made' is distinct from 'false'::jsonb or v -> 'willMake' is distinct from 'false'::jsonb then 'custody_statements_of_this_reference'
    when (v ->> 'signedAt')::timestamptz is distinct from new.signed_at then 'custody_statements_of_this_reference'
    when new.signed_at > protocol_now() + interval '5 minutes' then 'custody_statements_not_of_tomorrow' end;
  if v_broken is not null then
    raise exception using errcode = 'P0001', constraint = v_broken, message = format('%s: withdrawal %s', v_broken, new.withdrawal_id);
  end if;
  return new;
end $$;
comment on constraint custody_statements_signed on custody_statements is 'a statement without a signature is hearsay';
comment on constraint custody_statements_key on custody_statements is 'a statement names the key under which it was verified';
comment on constraint custody_statements_once on custody_statements is 'a statement that is attached again is no second one';
comment on trigger custody_statements_append_only on custody_statements is 'what custody signed stays as it was signed';
comment on function custody_statements_guard() is E'custody_statements_by_staff: customers attach nothing to their own doubt\ncustody_statements_of_this_reference: a statement is about exactly this reference, and says that nothing was and nothing will be made\ncustody_statements_not_of_tomorrow: nobody signs ahead of time';
create trigger custody_statements_guard before insert on custody_statements for each row execute function custody_statements_guard();

-- Whether anything says that there is a transfer, or that bytes of ours may still be carried out.
create function withdrawal_evidence_of_transfer(w withdrawals) returns boolean language sql stable as $$
  select w.transfer_id is not null
    or exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id
      and (a.outcome in ('accepted', 'found') or a.late_outcome in ('accepted', 'found')))
    or exists (select 1 from withdrawal_transactions t where t.withdrawal_id = w.id)
    or exists (select 1 from inbox_events e where e.reference = w.idempotency_key and e.applied_at is null)
$$;
-- Custody's word counts about what was sent before it was given, and never against a fact.
create function withdrawal_statement_stands(w withdrawals) returns boolean language sql stable as $$
  select not withdrawal_evidence_of_transfer(w)
    and exists (select 1 from custody_statements s where s.withdrawal_id = w.id
      and not exists (select 1 from withdrawal_attempts a where a.withdrawal_id = w.id and a.kind = 'send'
        and coalesce(a.outcome, 'in_doubt') not in ('not_sent', 'later')
        and (a.started_at >= s.signed_at or coalesce(a.not_after > protocol_now(), false))))
$$;
create function withdrawal_may_be_released(w withdrawals) returns boolean language sql stable as $$
  select withdrawal_absence_proved(w) or withdrawal_statement_stands(w)
$$;

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
  if w.status <> 'in_doubt' or w.parked_at is null then
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

-- ---------------------------------------------------------------------------------------------------------------
-- Views that somebody keeps for themselves: a name and the query string of the list
-- ---------------------------------------------------------------------------------------------------------------
create table saved_views (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null constraint saved_views_name check (length(name) between 1 and 40),
  query text not null constraint saved_views_query check (query = '' or query ~ '^\?' and length(query) <= 500),
  created_at timestamptz not null default protocol_now(),
  constraint saved_views_name_unique unique (user_id, name)
);
comment on constraint saved_views_name on saved_views is 'a view has a name that fits its button';
comment on constraint saved_views_query on saved_views is 'a view is a query of the list, and no address of elsewhere';
comment on constraint saved_views_name_unique on saved_views is 'one person has one view of a name';
