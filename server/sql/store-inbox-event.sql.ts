import type { Statement } from '#server/db/database.ts';

/**
 * Stores a verified event once, with its raw bytes. The time window is judged here, by the database's clock. The same id with
 * other bytes is kept apart. `raced`: a twin is storing it in this moment; asked again, the row is there.
 *
 * $1 event id, $2 provider, $3 type, $4 reference or null, $5 bytes, $6 their SHA-256, $7 signed at, $8 tolerance in milliseconds
 */
export const storeInboxEventSql: Statement = {
  name: 'store_inbox_event',
  text: `
with clock as (
  select $7::timestamptz between protocol_now() - $8::float8 * interval '1 millisecond'
    and protocol_now() + $8::float8 * interval '1 millisecond' as in_time
), known as (
  select e.body_sha256 from inbox_events e where e.provider = $2 and e.event_id = $1
), added as (
  insert into inbox_events (event_id, provider, event_type, reference, body, body_sha256, signed_at)
  select $1, $2, $3, $4::uuid, $5, $6, $7::timestamptz from clock c where c.in_time and not exists (select 1 from known)
  on conflict do nothing returning event_id
), refused as (
  insert into inbox_conflicts (event_id, provider, body_sha256, body)
  select $1, $2, $6, $5 from known k, clock c where c.in_time and k.body_sha256 <> $6 returning id
)
select case
  when not (select c.in_time from clock c) then 'stale'
  when exists (select 1 from added) then 'stored'
  when exists (select 1 from refused) then 'conflict'
  when exists (select 1 from known) then 'duplicate'
  else 'raced' end as outcome`,
};

/** The same for many, stored in the order of their ids, so that two batches never wait for each other. $1 to $8 arrays of what `store_inbox_event` takes */
export const storeInboxEventsSql: Statement = {
  name: 'store_inbox_events',
  text: `
with asked as (
  select a.*, a.signed_at between (select protocol_now()) - a.tolerance_ms * interval '1 millisecond'
    and (select protocol_now()) + a.tolerance_ms * interval '1 millisecond' as in_time
  from unnest($1::text[], $2::text[], $3::text[], $4::uuid[], $5::bytea[], $6::text[], $7::timestamptz[], $8::float8[])
    with ordinality as a(event_id, provider, event_type, reference, body, body_sha256, signed_at, tolerance_ms, place)
), known as (
  select e.event_id, e.provider, e.body_sha256 from inbox_events e
  where e.event_id = any($1::text[]) and e.provider = any($2::text[])
), added as (
  insert into inbox_events (event_id, provider, event_type, reference, body, body_sha256, signed_at, received_at, next_attempt_at)
  select q.event_id, q.provider, q.event_type, q.reference, q.body, q.body_sha256, q.signed_at, (select protocol_now()), (select protocol_now()) from asked q
  where q.in_time and not exists (select 1 from known k where k.event_id = q.event_id and k.provider = q.provider)
  order by q.event_id, q.provider
  on conflict do nothing returning event_id, provider
), refused as (
  insert into inbox_conflicts (event_id, provider, body_sha256, body)
  select q.event_id, q.provider, q.body_sha256, q.body from asked q
  join known k on k.event_id = q.event_id and k.provider = q.provider
  where q.in_time and k.body_sha256 <> q.body_sha256
)
select q.place::integer as place, case
  when not q.in_time then 'stale'
  when a.event_id is not null then 'stored'
  when k.body_sha256 <> q.body_sha256 then 'conflict'
  when k.event_id is not null then 'duplicate'
  else 'raced' end as outcome
from asked q left join added a on a.event_id = q.event_id and a.provider = q.provider
left join known k on k.event_id = q.event_id and k.provider = q.provider`,
};
