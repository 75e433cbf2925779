import type { Statement } from '#server/db/database.ts';

/**
 * Events whose turn has come, oldest first.
 *
 * $1 provider, $2 ids or null for any, $3 how many at most
 */
export const findWaitingEventsSql: Statement = {
  name: 'find_waiting_events',
  text: `
select e.event_id, e.reference from inbox_events e
where e.provider = $1 and e.applied_at is null and e.next_attempt_at <= protocol_now()
  and ($2::text[] is null or e.event_id = any($2::text[]))
order by e.next_attempt_at, e.signed_at, e.received_at limit $3`,
};
