-- Every change of terms that lets more out than before takes a second factor: a price moves every limit, a cap that is lifted and a
-- person who no longer looks let more pass, fewer confirmations call final what may still be taken back, and customers press an
-- explorer's address. What lets less out is done at once.
alter table deed_confirmations drop constraint deed_confirmations_deed;
-- `enable_pair` is what a pair that was switched on was confirmed as before.
alter table deed_confirmations add constraint deed_confirmations_deed check (deed in ('approve', 'resolve', 'resume', 'adjust', 'end_look_up_only',
  'close_case', 'lift_freeze', 'set_tier', 'set_customer_tier', 'enable_pair', 'set_pair', 'set_asset', 'set_network', 'set_price'));
comment on constraint deed_confirmations_deed on deed_confirmations is 'the dangerous deeds are a closed list';

-- One judgement for whoever asks before and for the guard at commit.
create function pair_widens(was asset_networks, becomes asset_networks) returns boolean language sql immutable as $$
  select not was.enabled and becomes.enabled or was.review_all and not becomes.review_all or was.memo_rule <> becomes.memo_rule
$$;
create function cap_widens(was numeric, becomes numeric) returns boolean language sql immutable as $$
  select was is not null and (becomes is null or becomes > was)
$$;
create function asset_widens(was assets, becomes assets) returns boolean language sql immutable as $$
  select cap_widens(was.cap_24h_minor, becomes.cap_24h_minor) or cap_widens(was.at_risk_max_minor, becomes.at_risk_max_minor)
$$;
create function network_widens(was networks, becomes networks) returns boolean language sql immutable as $$
  select becomes.confirmations_required < was.confirmations_required
    or split_part(becomes.explorer_transaction_template, '/', 3) <> split_part(was.explorer_transaction_template, '/', 3)
$$;
-- Without the price before: a feed may write a newer one between the question and the answer.
create function price_of(p prices) returns jsonb language sql immutable as $$
  select jsonb_build_object('asset_id', p.asset_id, 'reference_minor_per_unit', p.reference_minor_per_unit)
$$;

alter function deed_fingerprint(text, text) rename to deed_fingerprint_of_row;
create function deed_fingerprint(p_deed text, p_subject text) returns text language plpgsql stable as $$
declare v_new jsonb;
begin
  if p_deed not in ('set_pair', 'set_asset', 'set_network', 'set_price') then return deed_fingerprint_of_row(p_deed, p_subject); end if;
  v_new := p_subject::jsonb;
  case p_deed
    when 'set_pair' then
      return (select change_fingerprint(p_deed, to_jsonb(p), to_jsonb(jsonb_populate_record(p, v_new))) from asset_networks p
        where p.asset_id = v_new ->> 'asset_id' and p.network_id = v_new ->> 'network_id');
    when 'set_asset' then
      return (select change_fingerprint(p_deed, to_jsonb(a), to_jsonb(jsonb_populate_record(a, v_new))) from assets a where a.id = v_new ->> 'id');
    when 'set_network' then
      return (select change_fingerprint(p_deed, to_jsonb(n), to_jsonb(jsonb_populate_record(n, v_new))) from networks n where n.id = v_new ->> 'id');
    when 'set_price' then
      return (select change_fingerprint(p_deed, null, price_of(jsonb_populate_record(null::prices, v_new))) from assets a where a.id = v_new ->> 'asset_id');
  end case;
end $$;

create or replace function change_confirmed_guard() returns trigger language plpgsql as $$
declare v_deed text; v_print text;
begin
  -- The same price, no newer than it was: nobody set it.
  if tg_argv[0] = 'prices_by_hand_confirmed' and tg_op = 'UPDATE' then
    if price_of(new) = price_of(old) and new.as_of <= old.as_of then return null; end if;
  end if;
  case tg_argv[0]
    when 'customers_lift_confirmed' then v_deed := 'lift_freeze'; v_print := change_fingerprint(v_deed, freeze_of(old), null);
    when 'customers_tier_confirmed' then v_deed := 'set_customer_tier'; v_print := change_fingerprint(v_deed, tier_of(old), tier_of(new));
    when 'tiers_change_confirmed' then v_deed := 'set_tier'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'asset_networks_wider_confirmed' then v_deed := 'set_pair'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'assets_wider_confirmed' then v_deed := 'set_asset'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'networks_fewer_confirmed' then v_deed := 'set_network'; v_print := change_fingerprint(v_deed, to_jsonb(old), to_jsonb(new));
    when 'prices_by_hand_confirmed' then v_deed := 'set_price'; v_print := change_fingerprint(v_deed, null, price_of(new));
  end case;
  if not exists (select 1 from deed_confirmations c join users u on u.id = c.user_id
      where c.made_in = pg_current_xact_id()::text::bigint and c.deed = v_deed and c.fingerprint_sha256 = v_print
        and u.role in ('operator', 'approver') and not u.banned) then
    raise exception using errcode = 'P0001', constraint = tg_argv[0], message = format('%s: exactly this change was confirmed by no second factor', tg_argv[0]);
  end if;
  return null;
end $$;
drop trigger asset_networks_on_confirmed on asset_networks;
create constraint trigger asset_networks_wider_confirmed after update on asset_networks deferrable initially deferred
  for each row when (pair_widens(old, new)) execute function change_confirmed_guard('asset_networks_wider_confirmed');
create constraint trigger assets_wider_confirmed after update on assets deferrable initially deferred
  for each row when (asset_widens(old, new)) execute function change_confirmed_guard('assets_wider_confirmed');
create constraint trigger networks_fewer_confirmed after update on networks deferrable initially deferred
  for each row when (network_widens(old, new)) execute function change_confirmed_guard('networks_fewer_confirmed');
create constraint trigger prices_by_hand_confirmed after insert or update on prices deferrable initially deferred
  for each row when (new.source = 'operator') execute function change_confirmed_guard('prices_by_hand_confirmed');
comment on trigger asset_networks_wider_confirmed on asset_networks is 'a pair is switched on, no longer looked at by people, or told another memo rule, by a second factor';
comment on trigger assets_wider_confirmed on assets is 'a cap is raised or taken away by a second factor';
comment on trigger networks_fewer_confirmed on networks is 'fewer confirmations are enough, and another host explains transactions, by a second factor';
comment on trigger prices_by_hand_confirmed on prices is 'a price by hand moves every limit, and takes a second factor';
