import type { Statement } from '#server/db/database.ts';

/**
 * Stores a verified event once, with its raw bytes. The time window is judged here, by the database's clock. The same id with
 * other bytes is kept apart. `raced`: a twin is storing it in this moment; asked again, the row is there.
 *
 * $1 provider, $2 event id, $3 type, $4 reference or null, $5 bytes, $6 their SHA-256, $7 signed at, $8 tolerance in milliseconds
 */
export const storeInboxEventSql: Statement = {
  name: 'store_inbox_event',
  text: `
with clock as (
  select $7::timestamptz between protocol_now() - $8::float8 * interval '1 millisecond'
    and protocol_now() + $8::float8 * interval '1 millisecond' as in_time
), known as (
  select e.body_sha256 from inbox_events e where e.provider = $1 and e.event_id = $2
), added as (
  insert into inbox_events (provider, event_id, event_type, reference, body, body_sha256, signed_at)
  select $1, $2, $3, $4::uuid, $5, $6, $7::timestamptz from clock c where c.in_time and not exists (select 1 from known)
  on conflict do nothing returning event_id
), refused as (
  insert into inbox_conflicts (provider, event_id, body_sha256, body)
  select $1, $2, $6, $5 from known k, clock c where c.in_time and k.body_sha256 <> $6 returning id
)
select case
  when not (select c.in_time from clock c) then 'stale'
  when exists (select 1 from added) then 'stored'
  when exists (select 1 from refused) then 'conflict'
  when exists (select 1 from known) then 'duplicate'
  else 'raced' end as outcome`,
};
