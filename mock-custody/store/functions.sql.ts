/** Statements that several verbs share: the provider's clock, the wire form of a transfer, its events. */
export const functionsSql = `
create or replace function custody_now() returns timestamptz language sql volatile as $$
  select clock_timestamp() + coalesce((select (value->>'offsetMs')::double precision from setting where name = 'clock'), 0) * interval '1 millisecond'
$$;

create or replace function iso(t timestamptz) returns text language sql immutable as $$
  select to_char(t at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

create or replace function transfer_wire(t transfer) returns json language sql stable as $$
  select json_build_object(
    'id', t.id, 'externalId', t.external_id, 'asset', t.asset, 'network', t.network, 'address', t.address,
    'memo', t.memo, 'amount', t.amount, 'status', t.status, 'failureCode', t.failure_code, 'final', t.final,
    'transactions', coalesce((
      select json_agg(json_build_object('hash', s.hash, 'nonce', s.nonce, 'status', s.status, 'signedAt', iso(s.signed_at)) order by s.seq)
      from signed_transaction s where s.transfer_id = t.id), '[]'::json),
    'createdAt', iso(t.created_at), 'updatedAt', iso(t.updated_at))
$$;

create or replace function add_event(t transfer, kind text) returns void language sql volatile as $$
  insert into webhook_event (id, transfer_id, type, body)
  values ('msg_' || replace(gen_random_uuid()::text, '-', ''), t.id, 'transfer.' || kind,
    json_build_object('type', 'transfer.' || kind, 'timestamp', iso(custody_now()), 'data', transfer_wire(t))::text)
$$;

create or replace function add_log(kind text, t transfer, hash text, nonce bigint, details jsonb) returns void language sql volatile as $$
  insert into transfer_log (custody_at, kind, transfer_id, external_id, idempotency_key, network, hash, nonce, details)
  values (custody_now(), kind, t.id, t.external_id, t.idempotency_key, t.network, hash, nonce, details)
$$;
`;
