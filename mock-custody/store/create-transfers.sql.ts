/**
 * Creates a batch of transfers, one verdict an item, in the order given. Key, permanent reference, not-after, transfer,
 * log entry and first event stand or fall in one transaction.
 */
export const createTransfersSql = `
create or replace function create_transfers(rules jsonb, items jsonb)
returns table (ordinal integer, verdict text, transfer_id text, answer_status integer, answer text)
language plpgsql as $$
#variable_conflict use_column
declare
  item jsonb;
  phase text;
  phases text[] := case when (rules->>'duplicateCheckFirst')::boolean then array['duplicate','validate'] else array['validate','duplicate'] end;
  known idempotency_key;
  moved transfer;
  found_id text;
  decision text;
  now_at timestamptz;
  place integer := 0;
begin
  -- Shared by all who create; whoever closes a reference takes it alone.
  perform pg_advisory_xact_lock_shared(7220002);
  for item in select value from jsonb_array_elements(items) loop
    decision := null; found_id := null; known := null;
    now_at := custody_now();
    -- Before everything else, whatever the profile: what we signed is kept.
    if exists (select 1 from closed_reference c where c.external_id = item->>'externalId') then decision := 'closed'; end if;
    foreach phase in array phases loop
      exit when decision is not null;
      if phase = 'duplicate' then
        delete from idempotency_key k where k.key = item->>'key'
          and (case when (rules->>'keyWindowSlides')::boolean then k.used_at else k.created_at end)
            <= now_at - (rules->>'keyWindowSeconds')::bigint * interval '1 second';
        if (rules->>'replaysKeys')::boolean then
          update idempotency_key k set used_at = now_at where k.key = item->>'key' returning * into known;
          if known.key is not null then
            decision := case when known.body_hash = item->>'bodyHash' then 'replayed' else 'key_reused' end;
          end if;
        end if;
        if decision is null and (rules->>'referenceKept')::boolean then
          select r.transfer_id into found_id from reference r where r.external_id = item->>'externalId';
          if found_id is not null then decision := 'duplicate'; end if;
        end if;
      elsif (rules->>'notAfterHonoured')::boolean and now_at > (item->>'notAfter')::timestamptz then
        decision := 'expired';
      elsif item->>'refusal' is not null then
        decision := 'refused';
      elsif not (item->>'funded')::boolean then
        decision := 'insufficient';
      end if;
    end loop;
    decision := coalesce(decision, 'created');

    if decision = 'created' or (decision = 'refused' and (rules->>'refusalsKept')::boolean) then
      moved := null;
      if (rules->>'referenceKept')::boolean then
        insert into reference (external_id, transfer_id, created_at) values (item->>'externalId', item->>'id', now_at)
          on conflict do nothing returning reference.transfer_id into found_id;
        -- Only another process can have come between; the whole batch is then tried again, one by one.
        if found_id is null and decision = 'created' then raise unique_violation using message = 'reference taken meanwhile'; end if;
      else
        found_id := item->>'id';
      end if;
      if found_id is not null then
        insert into transfer (id, external_id, idempotency_key, asset, network, address, memo, amount, amount_minor, status,
          failure_code, final, not_after, created_at, updated_at)
        values (item->>'id', item->>'externalId', item->>'key', item->>'asset', item->>'network', item->>'address',
          item->>'memo', item->>'amount', (item->>'amountMinor')::numeric,
          case decision when 'created' then 'accepted' else 'refused' end, item->>'refusal', decision = 'refused',
          (item->>'notAfter')::timestamptz, now_at, now_at)
        returning * into moved;
        answer := case decision when 'created' then transfer_wire(moved)::text else item->>'refusalAnswer' end;
        answer_status := case decision when 'created' then 201 else 422 end;
        insert into idempotency_key (key, body_hash, answer_status, answer, created_at, used_at)
          values (item->>'key', item->>'bodyHash', answer_status, answer, now_at, now_at)
          on conflict do nothing returning * into known;
        if known.key is null and (rules->>'replaysKeys')::boolean and decision = 'created' then
          raise unique_violation using message = 'key taken meanwhile';
        end if;
        perform add_log(decision, moved, null, null, jsonb_build_object('asset', moved.asset, 'address', moved.address,
          'memo', moved.memo, 'amount', moved.amount, 'amountMinor', moved.amount_minor::text, 'notAfter', iso(moved.not_after),
          'code', moved.failure_code));
        if decision = 'created' then perform add_event(moved, 'accepted'); end if;
      end if;
      found_id := item->>'id';
    end if;

    if decision = 'refused' then answer := item->>'refusalAnswer'; answer_status := 422; end if;
    if decision = 'replayed' then answer := known.answer; answer_status := known.answer_status; end if;
    ordinal := place; verdict := decision; transfer_id := found_id;
    return next;
    place := place + 1; answer := null; answer_status := null;
  end loop;
end $$;
`;
