import type { Statement } from '#server/db/database.ts';

/**
 * The event is applied, in the transaction of its effect.
 *
 * $1 provider, $2 event id, $3 outcome, $4 reason or null
 */
export const endInboxEventSql: Statement = {
  name: 'end_inbox_event',
  text: `
update inbox_events set applied_at = protocol_now(), attempts = attempts + 1, outcome = $3, reason = $4
where provider = $1 and event_id = $2 and applied_at is null`,
};
