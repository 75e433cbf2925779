-- A copy that was restored within seconds looks like a restart: its sign of life is young. It is another database, or was started since.

-- The name of this database as it runs now: no copy has it, and no server that was started again.
create function server_life() returns text language sql stable as $$
  select extract(epoch from pg_postmaster_start_time()) || ' ' || d.oid from pg_database d where d.datname = current_database()
$$;
-- Under which life the sign was given, by whoever had walked custody's list under it.
alter table protocol_settings add column alive_in text;
