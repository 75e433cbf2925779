-- A price by hand moves every limit of every customer at once: one person proposes it, another confirms it by a second factor, and the
-- price becomes what was confirmed in the same transaction. A feed's prices are not concerned.
create table price_proposals (
  id uuid primary key,
  asset_id text not null references assets (id),
  reference_minor_per_unit numeric(78, 0) not null constraint price_proposals_positive check (reference_minor_per_unit > 0),
  proposed_by uuid not null references users (id),
  proposed_at timestamptz not null default protocol_now(),
  confirmed_by uuid references users (id),
  confirmed_at timestamptz,
  constraint price_proposals_two_people check (confirmed_by <> proposed_by),
  constraint price_proposals_confirmed_by_somebody check ((confirmed_by is null) = (confirmed_at is null))
);
create index price_proposals_asset on price_proposals (asset_id, proposed_at desc);
create trigger price_proposals_never_deleted before delete or truncate on price_proposals
  for each statement execute function refuse_change('price_proposals_never_deleted');
create function price_proposals_guard() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and new.confirmed_at is not null then
    raise exception using errcode = 'P0001', constraint = 'price_proposals_two_people', message = 'price_proposals_two_people: a proposal comes before its confirmation';
  end if;
  if tg_op = 'UPDATE' and (old.confirmed_at is not null or (new.id, new.asset_id, new.reference_minor_per_unit, new.proposed_by, new.proposed_at)
      is distinct from (old.id, old.asset_id, old.reference_minor_per_unit, old.proposed_by, old.proposed_at)) then
    raise exception using errcode = 'P0001', constraint = 'price_proposals_immutable', message = 'price_proposals_immutable: what was proposed is what is confirmed';
  end if;
  if not exists (select 1 from users u where u.id = coalesce(new.confirmed_by, new.proposed_by) and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = 'price_proposals_by_staff', message = 'price_proposals_by_staff: auditors look, customers wait';
  end if;
  -- No longer than a price counts as new.
  if new.confirmed_at > new.proposed_at + interval '10 minutes' then
    raise exception using errcode = 'P0001', constraint = 'price_proposals_while_fresh', message = 'price_proposals_while_fresh: the market has moved on since it was proposed';
  end if;
  return new;
end $$;
create trigger price_proposals_guard before insert or update on price_proposals for each row execute function price_proposals_guard();

-- As before; what a price is confirmed as is its proposal.
create or replace function deed_fingerprint_of_terms(p_deed text, p_subject text) returns text language plpgsql stable as $$
declare v_new jsonb;
begin
  if p_deed = 'set_price' then
    return (select encode(sha256(convert_to(json_build_array('cryptoex deed', p_deed, p.id, p.asset_id, p.reference_minor_per_unit, p.proposed_by,
        extract(epoch from p.proposed_at))::text, 'UTF8')), 'hex')
      from price_proposals p where p.id = p_subject::uuid);
  end if;
  if p_deed not in ('set_pair', 'set_asset', 'set_network') then return deed_fingerprint_of_row(p_deed, p_subject); end if;
  v_new := p_subject::jsonb;
  case p_deed
    when 'set_pair' then
      return (select change_fingerprint(p_deed, to_jsonb(p), to_jsonb(jsonb_populate_record(p, v_new))) from asset_networks p
        where p.asset_id = v_new ->> 'asset_id' and p.network_id = v_new ->> 'network_id');
    when 'set_asset' then
      return (select change_fingerprint(p_deed, to_jsonb(a), to_jsonb(jsonb_populate_record(a, v_new))) from assets a where a.id = v_new ->> 'id');
    when 'set_network' then
      return (select change_fingerprint(p_deed, to_jsonb(n), to_jsonb(jsonb_populate_record(n, v_new))) from networks n where n.id = v_new ->> 'id');
  end case;
end $$;
create function price_proposals_confirmed_guard() returns trigger language plpgsql as $$
begin
  perform require_confirmation(tg_argv[0], new.confirmed_by::text, 'set_price', new.id::text, deed_fingerprint('set_price', new.id::text));
  return null;
end $$;
create constraint trigger price_proposals_confirmed after update on price_proposals deferrable initially deferred
  for each row when (new.confirmed_at is not null) execute function price_proposals_confirmed_guard('price_proposals_confirmed');

create function prices_by_hand_guard() returns trigger language plpgsql as $$
begin
  -- The same price, no newer than it was: nobody set it.
  if tg_op = 'UPDATE' then
    if price_of(new) = price_of(old) and new.as_of <= old.as_of then return null; end if;
  end if;
  if not exists (select 1 from price_proposals p join deed_confirmations c on c.deed = 'set_price' and c.subject = p.id::text
      where c.made_in = pg_current_xact_id()::text::bigint and p.confirmed_at is not null
        and p.asset_id = new.asset_id and p.reference_minor_per_unit = new.reference_minor_per_unit) then
    raise exception using errcode = 'P0001', constraint = tg_argv[0], message = format('%s: no two people agreed on exactly this price of %s now', tg_argv[0], new.asset_id);
  end if;
  return null;
end $$;
drop trigger prices_by_hand_confirmed on prices;
create constraint trigger prices_by_hand_confirmed after insert or update on prices deferrable initially deferred
  for each row when (new.source = 'operator') execute function prices_by_hand_guard('prices_by_hand_confirmed');

comment on trigger prices_by_hand_confirmed on prices is 'a price by hand moves every limit, and is what two people agreed on';
comment on constraint price_proposals_positive on price_proposals is 'at a price of nothing no limit holds';
comment on constraint price_proposals_two_people on price_proposals is 'nobody confirms their own price';
comment on constraint price_proposals_confirmed_by_somebody on price_proposals is 'a confirmation names a person';
comment on trigger price_proposals_never_deleted on price_proposals is 'which prices people set is not forgotten';
comment on trigger price_proposals_confirmed on price_proposals is 'a price by hand is confirmed by a second factor';
comment on function price_proposals_guard() is E'price_proposals_immutable: what was proposed is what is confirmed\nprice_proposals_by_staff: auditors look, customers wait\nprice_proposals_while_fresh: an old proposal is an old price';

create or replace function change_confirmed_guard() returns trigger language plpgsql as $$
declare v_deed text; v_print text;
begin
  case tg_argv[0]
    when 'customers_lift_confirmed' then v_deed := 'lift_freeze'; v_print := change_fingerprint(v_deed, freeze_of(old), null);
    when 'customers_tier_confirmed' then v_deed := 'set_customer_tier'; v_print := change_fingerprint(v_deed, tier_of(old), tier_of(new));
    when 'tiers_change_confirmed' then v_deed := 'set_tier'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'asset_networks_wider_confirmed' then v_deed := 'set_pair'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'assets_wider_confirmed' then v_deed := 'set_asset'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'networks_fewer_confirmed' then v_deed := 'set_network'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
  end case;
  if not exists (select 1 from deed_confirmations c join users u on u.id = c.user_id
      where c.made_in = pg_current_xact_id()::text::bigint and c.deed = v_deed and c.fingerprint_sha256 = v_print
        and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = tg_argv[0], message = format('%s: exactly this change was confirmed by no second factor', tg_argv[0]);
  end if;
  return null;
end $$;
