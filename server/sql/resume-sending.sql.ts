import type { Statement } from '#server/db/database.ts';

/**
 * Sending goes on where it was stopped for this reason and for no other.
 *
 * $1 reason
 */
export const resumeSendingSql: Statement = {
  name: 'resume_sending',
  text: `
update protocol_settings set sending_stopped_at = null, sending_stopped_reason = null
where sending_stopped_reason = $1 returning id`,
};
