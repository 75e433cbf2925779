import type { Statement } from '#server/db/database.ts';

/**
 * What the look said, and when the next one is due; a webhook may have moved the row meanwhile, and then its own time stands.
 *
 * $1 id, $2 attempt, $3 outcome, $4 detail, $5 status as it was read, $6 milliseconds, $7 wait reason or null
 */
export const endPollSql: Statement = {
  name: 'end_poll',
  text: `
with attempt as (
  update withdrawal_attempts a set outcome = $3, outcome_at = protocol_now(), detail = $4::jsonb
  where a.withdrawal_id = $1 and a.attempt = $2 and a.outcome is null
)
update withdrawals w set next_action_at = protocol_now() + $6::float8 * interval '1 millisecond', wait_reason = $7
where w.id = $1 and w.status = $5`,
};
