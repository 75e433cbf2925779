/** What a provider looks like after it lost its memory. The signer's journal, the log and the chains lose nothing. */
export const memoryLossSql = `
create or replace function forget_since(moment timestamptz, reason text) returns timestamptz language plpgsql as $$
declare
  latest timestamptz;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  select max(not_after) into latest from transfer where created_at >= moment;
  insert into transfer_log (custody_at, kind, transfer_id, external_id, idempotency_key, network, details)
    select custody_now(), 'forgotten', id, external_id, idempotency_key, network, jsonb_build_object('status', status, 'reason', reason)
    from transfer where created_at >= moment order by created_at, id;
  delete from webhook_event where transfer_id in (select id from transfer where created_at >= moment);
  delete from transfer where created_at >= moment;
  delete from reference where created_at >= moment;
  delete from idempotency_key where created_at >= moment;
  return latest;
end $$;

-- An older copy: what is younger is gone, and what went on since then stands where it stood. Ends are kept.
create or replace function restore_copy(moment timestamptz) returns timestamptz language plpgsql as $$
declare
  latest timestamptz;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  latest := forget_since(moment, 'restored');
  insert into transfer_log (custody_at, kind, transfer_id, external_id, idempotency_key, network, details)
    select custody_now(), 'restored', id, external_id, idempotency_key, network, jsonb_build_object('status', status)
    from transfer where updated_at > moment and status in ('signed','broadcast','confirmed') order by created_at, id;
  update transfer t set updated_at = moment, final = false, failure_code = null,
    status = case when exists (select 1 from signed_transaction s where s.transfer_id = t.id and s.signed_at <= moment) then 'signed' else 'accepted' end
    where updated_at > moment and status in ('signed','broadcast','confirmed');
  return latest;
end $$;

-- Afterwards the signer's journal tells the transfers what became of them; nothing is signed a second time.
create or replace function rejoin_journal() returns integer language plpgsql as $$
declare
  behind record;
  moved transfer;
  count integer := 0;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  for behind in
    select t.id, s.status, s.hash, s.nonce from transfer t join lateral (
      select status, hash, nonce from signed_transaction s where s.transfer_id = t.id
      order by (s.status in ('confirmed','failed')) desc, s.version desc limit 1) s on true
    where t.status in ('accepted','signed','broadcast') and t.status <> s.status and s.status <> 'replaced'
  loop
    update transfer set status = behind.status, updated_at = custody_now(),
      failure_code = case when behind.status = 'failed' then 'transaction_failed' end
      where id = behind.id returning * into moved;
    perform add_log('rejoined', moved, behind.hash, behind.nonce, jsonb_build_object('status', moved.status));
    perform add_event(moved, moved.status);
    count := count + 1;
  end loop;
  return count;
end $$;
`;
