/** What happens to a transfer after it was accepted, each a function that changes rows, log and events together. */
export const progressSql = `
create or replace function record_signed(of_network text, of_account text, expected_nonce bigint, items jsonb)
returns void language plpgsql as $$
declare
  item jsonb;
  moved transfer;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  -- The lane: a second signer, or one with an old memory, finds another number here and stores nothing.
  update wallet_lane set next_nonce = expected_nonce + jsonb_array_length(items)
    where network = of_network and account = of_account and next_nonce = expected_nonce;
  if not found then raise exception 'the nonce lane has moved' using errcode = 'CU001'; end if;
  for item in select value from jsonb_array_elements(items) loop
    update transfer set status = 'signed', updated_at = custody_now()
      where id = item->>'transferId' and status = 'accepted' returning * into moved;
    if not found then raise exception 'the transfer is not to be signed any more' using errcode = 'CU001'; end if;
    insert into signed_transaction (hash, transfer_id, network, account, nonce, raw, status, signed_at, hold_until)
      values (item->>'hash', moved.id, of_network, of_account, (item->>'nonce')::bigint, item->>'raw', 'signed', custody_now(),
        clock_timestamp() + (item->>'holdMs')::double precision * interval '1 millisecond');
    perform add_log('signed', moved, item->>'hash', (item->>'nonce')::bigint, '{}');
    perform add_event(moved, 'signed');
  end loop;
end $$;

create or replace function record_replacement(of_hash text, new_hash text, new_raw text) returns boolean language plpgsql as $$
declare
  old signed_transaction;
  moved transfer;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  select * into old from signed_transaction where hash = of_hash and status in ('signed','broadcast') for update;
  if not found then return false; end if;
  insert into signed_transaction (hash, transfer_id, network, account, nonce, version, raw, status, signed_at)
    select new_hash, old.transfer_id, old.network, old.account, old.nonce, max(version) + 1, new_raw, 'signed', custody_now()
    from signed_transaction where network = old.network and account = old.account and nonce = old.nonce;
  update transfer set updated_at = custody_now() where id = old.transfer_id returning * into moved;
  insert into transfer_log (custody_at, kind, transfer_id, external_id, idempotency_key, network, hash, nonce, details)
    values (custody_now(), 'replaced', old.transfer_id, moved.external_id, moved.idempotency_key, old.network, new_hash, old.nonce,
      jsonb_build_object('replaces', of_hash));
  return true;
end $$;

-- Each item: {hash, kind: broadcast|confirmed|failed|reorged|dropped|settled, height, block, failureCode}.
create or replace function record_progress(items jsonb) returns void language plpgsql as $$
declare
  item jsonb;
  kind text;
  tx signed_transaction;
  moved transfer;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  for item in select value from jsonb_array_elements(items) loop
    kind := item->>'kind';
    update signed_transaction s set
      status = case kind when 'reorged' then 'broadcast' when 'settled' then s.status when 'dropped' then 'replaced' else kind end,
      included_height = case when kind in ('confirmed','failed') then (item->>'height')::bigint when kind in ('reorged','broadcast','dropped') then null else s.included_height end,
      included_block = case when kind in ('confirmed','failed') then item->>'block' when kind in ('reorged','broadcast','dropped') then null else s.included_block end,
      settled = (kind = 'settled')
      where s.hash = item->>'hash' and not (kind = 'broadcast' and s.status <> 'signed')
      returning * into tx;
    continue when not found;
    perform 1 from transfer where id = tx.transfer_id for update;
    -- A forgotten transfer: the signer's journal goes on alone, and the log says so.
    if not found then
      if kind <> 'settled' then
        insert into transfer_log (custody_at, kind, transfer_id, network, hash, nonce, details)
          values (custody_now(), kind, tx.transfer_id, tx.network, tx.hash, tx.nonce, jsonb_build_object('forgotten', true, 'height', tx.included_height));
      end if;
      continue;
    end if;
    if kind = 'settled' then
      update transfer set final = true, updated_at = custody_now() where id = tx.transfer_id and status in ('confirmed','failed') and not final;
      continue;
    end if;
    continue when kind = 'dropped';
    -- A provider that reported a failure and paid all the same keeps saying so; only the log and the chain know better.
    update transfer set
      status = case kind when 'reorged' then 'broadcast' else kind end,
      failure_code = case when kind = 'failed' then coalesce(item->>'failureCode', 'transaction_failed') end,
      final = false, updated_at = custody_now()
      where id = tx.transfer_id and failure_code is distinct from 'reported_failed'
        and not (kind = 'broadcast' and status <> 'signed')
      returning * into moved;
    if found and kind <> 'reorged' then perform add_event(moved, kind); end if;
    select * into moved from transfer where id = tx.transfer_id;
    perform add_log(kind, moved, tx.hash, tx.nonce, jsonb_build_object('height', tx.included_height, 'block', tx.included_block,
      'failureCode', item->>'failureCode', 'reported', moved.status));
  end loop;
end $$;

-- A transfer that ends without any transaction of ours on a chain.
create or replace function record_failure(of_id text, code text, is_final boolean) returns void language plpgsql as $$
declare
  moved transfer;
begin
  -- The log's lock first, before any row: whoever writes the log waits here and never holds a row meanwhile.
  perform pg_advisory_xact_lock(7220001);
  update transfer set status = 'failed', failure_code = code, final = is_final, updated_at = custody_now()
    where id = of_id and status <> 'failed' and status <> 'refused' returning * into moved;
  if not found then return; end if;
  perform add_log('failed', moved, null, null, jsonb_build_object('failureCode', code));
  perform add_event(moved, 'failed');
end $$;
`;
