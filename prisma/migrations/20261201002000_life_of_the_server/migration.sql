-- A copy that was restored within seconds looks like a restart: its sign of life is young. It is another database, or was started since.

-- The name of this database as it runs now: no copy has it, and no server that was started again.
create function server_life() returns text language sql stable as $$
  select extract(epoch from pg_postmaster_start_time()) || ' ' || d.oid from pg_database d where d.datname = current_database()
$$;
-- Under which life the sign was given, by whoever had walked custody's list under it.
alter table protocol_settings add column alive_in text;

-- A database that is restored under a living worker is asked for claims before anybody has walked custody's list against it, and what
-- the copy calls not sent may have been paid. So nothing is claimed, for the first time or again, in a life of the database in which no
-- worker has walked: the claiming statement reads it beside the switches and the freeze.
create or replace function payout_stop_reason(w withdrawals) returns text language sql stable as $$
  select coalesce(
    (select case when s.mode <> 'normal' then 'look_up_only' when s.alive_in is distinct from server_life() then 'memory_unchecked'
      when s.sending_stopped_at is not null then 'sending_stopped' end from protocol_settings s),
    (select case when c.frozen_at is not null or c.frozen_until > protocol_now() then 'customer_frozen' when c.payouts_stopped_at is not null then 'payouts_stopped' end from customers c where c.id = w.customer_id),
    (select 'paused_' || x.scope from switches x where x.resumed_at is null and (x.scope = 'all' or (x.scope = 'asset' and x.target = w.asset_id)
      or (x.scope = 'network' and x.target = w.network_id) or (x.scope = 'customer' and x.target = w.customer_id::text)) limit 1),
    (select 'pair_disabled' from asset_networks n where n.asset_id = w.asset_id and n.network_id = w.network_id and not n.enabled),
    case when w.parked_at is not null then 'parked' end)
$$;
