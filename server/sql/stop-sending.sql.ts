import type { Statement } from '#server/db/database.ts';

/**
 * Stops all sending, and keeps the first reason. Nobody fails: rows wait and go on with the same keys.
 *
 * $1 reason
 */
export const stopSendingSql: Statement = {
  name: 'stop_sending',
  text: `
update protocol_settings set sending_stopped_at = protocol_now(), sending_stopped_reason = $1
where sending_stopped_at is null returning sending_stopped_reason`,
};
