-- A network that was halted is taken up again by two people: read anew above a block on which the node and our copy agree, or, below all
-- that we keep, from the node's own. What was booked stays booked; what is found no more is a case or a finding.
create table chain_resumptions (
  id uuid primary key,
  network_id text not null references networks (id),
  -- The halt that it ends, as it was seen.
  halted_at timestamptz not null,
  -- Everything above this block is read again; hash and parent as the node gave them.
  from_number bigint not null constraint chain_resumptions_from_a_block check (from_number >= 0),
  from_hash text not null,
  from_parent_hash text not null,
  reason text not null constraint chain_resumptions_reason check (length(reason) between 3 and 500),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null default protocol_now(),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  constraint chain_resumptions_two_people check (confirmed_by <> proposed_by),
  constraint chain_resumptions_confirmed_by_somebody check ((confirmed_by is null) = (confirmed_at is null))
);
create index chain_resumptions_network on chain_resumptions (network_id, halted_at, proposed_at desc);
create trigger chain_resumptions_never_deleted before delete or truncate on chain_resumptions
  for each statement execute function refuse_change('chain_resumptions_never_deleted');

create function chain_resumptions_guard() returns trigger language plpgsql as $$
declare c chain_cursors; v_actor uuid := coalesce(new.confirmed_by, new.proposed_by);
begin
  if tg_op = 'INSERT' and new.confirmed_at is not null then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_two_people', message = 'chain_resumptions_two_people: a proposal comes before its confirmation';
  end if;
  if tg_op = 'UPDATE' and (old.confirmed_at is not null
    or (new.id, new.network_id, new.halted_at, new.from_number, new.from_hash, new.from_parent_hash, new.reason, new.proposed_by, new.proposed_at)
      is distinct from (old.id, old.network_id, old.halted_at, old.from_number, old.from_hash, old.from_parent_hash, old.reason, old.proposed_by, old.proposed_at)) then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_immutable', message = 'chain_resumptions_immutable: what was proposed is what is confirmed';
  end if;
  if not exists (select 1 from users u where u.id = v_actor and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_by_staff', message = 'chain_resumptions_by_staff: nobody else takes a network up again';
  end if;
  select * into c from chain_cursors x where x.network_id = new.network_id for share;
  if c.halted_at is distinct from new.halted_at then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_of_this_halt', message = 'chain_resumptions_of_this_halt: it is halted no more, or anew';
  end if;
  if new.from_number > c.block_number then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_skip_nothing', message = 'chain_resumptions_skip_nothing: what is passed over is never read';
  end if;
  if exists (select 1 from chain_blocks b where b.network_id = new.network_id and b.block_number = new.from_number and b.canonical and b.block_hash <> new.from_hash) then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_from_common_ground', message = 'chain_resumptions_from_common_ground: our copy holds another block there, so what lies below is not agreed on';
  end if;
  if new.confirmed_at > new.proposed_at + interval '1 hour' then
    raise exception using errcode = 'P0001', constraint = 'chain_resumptions_while_fresh', message = 'chain_resumptions_while_fresh: what the node said is too old to go by';
  end if;
  return new;
end $$;
create trigger chain_resumptions_guard before insert or update on chain_resumptions
  for each row execute function chain_resumptions_guard();

-- A halt ends by the deed of two people and by no other statement, and the network stands where they said.
create function chain_cursors_halt_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and (new.block_number, new.block_hash, new.halted_at) is not distinct from (old.block_number, old.block_hash, old.halted_at) then return null; end if;
  if tg_op = 'UPDATE' and new.halted_at is null and exists (select 1 from chain_resumptions r where r.network_id = old.network_id and r.halted_at = old.halted_at
      and r.confirmed_at is not null and (r.from_number, r.from_hash) = (new.block_number, new.block_hash)) then return null; end if;
  raise exception using errcode = 'P0001', constraint = tg_argv[0], message = format('%s: %s is halted, and no two people took it up again there', tg_argv[0], old.network_id);
end $$;
create constraint trigger chain_cursors_taken_up_by_two after update or delete on chain_cursors deferrable initially deferred
  for each row when (old.halted_at is not null) execute function chain_cursors_halt_guard('chain_cursors_taken_up_by_two');

alter table deed_confirmations drop constraint deed_confirmations_deed;
alter table deed_confirmations add constraint deed_confirmations_deed check (deed in ('approve', 'resolve', 'resume', 'adjust', 'end_look_up_only',
  'close_case', 'lift_freeze', 'set_tier', 'set_customer_tier', 'enable_pair', 'set_pair', 'set_asset', 'set_network', 'set_price', 'take_up_network'));
comment on constraint deed_confirmations_deed on deed_confirmations is 'the dangerous deeds are a closed list';

alter function deed_fingerprint(text, text) rename to deed_fingerprint_of_terms;
create function deed_fingerprint(p_deed text, p_subject text) returns text language plpgsql stable as $$
begin
  if p_deed <> 'take_up_network' then return deed_fingerprint_of_terms(p_deed, p_subject); end if;
  return (select encode(sha256(convert_to(json_build_array('cryptoex deed', p_deed, r.id, r.network_id, extract(epoch from r.halted_at), r.from_number,
      r.from_hash, r.from_parent_hash, r.reason, r.proposed_by, extract(epoch from r.proposed_at))::text, 'UTF8')), 'hex')
    from chain_resumptions r where r.id = p_subject::uuid);
end $$;
create function chain_resumptions_confirmed_guard() returns trigger language plpgsql as $$
begin
  perform require_confirmation(tg_argv[0], new.confirmed_by::text, 'take_up_network', new.id::text, deed_fingerprint('take_up_network', new.id::text));
  return null;
end $$;
create constraint trigger chain_resumptions_confirmed after update on chain_resumptions deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function chain_resumptions_confirmed_guard('chain_resumptions_confirmed');

comment on constraint chain_resumptions_from_a_block on chain_resumptions is 'a network is read again from a block that there is';
comment on constraint chain_resumptions_reason on chain_resumptions is 'a proposal says why';
comment on constraint chain_resumptions_two_people on chain_resumptions is 'nobody confirms their own proposal';
comment on constraint chain_resumptions_confirmed_by_somebody on chain_resumptions is 'a confirmation names a person';
comment on trigger chain_resumptions_never_deleted on chain_resumptions is 'that a network was taken up again is not forgotten';
comment on trigger chain_resumptions_confirmed on chain_resumptions is 'a network is taken up again by a second factor';
comment on trigger chain_cursors_taken_up_by_two on chain_cursors is 'a halt ends by two people, at the block that they named, and by no statement else';
comment on function chain_resumptions_guard() is E'chain_resumptions_immutable: what was proposed is what is confirmed\nchain_resumptions_by_staff: auditors look, customers wait\nchain_resumptions_of_this_halt: a proposal ends the halt that was looked at, and no later one\nchain_resumptions_skip_nothing: what is passed over is never read\nchain_resumptions_from_common_ground: below a block on which nobody agrees nothing is agreed on\nchain_resumptions_while_fresh: what the node said an hour ago is asked again';

-- Each comparison of books asks whether something that was credited is set aside; without this it would read every effect there ever was.
create index chain_effects_set_aside on chain_effects (network_id, block_number) where state = 'orphaned';
