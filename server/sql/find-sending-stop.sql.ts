import type { Statement } from '#server/db/database.ts';

/** Why sending is stopped for all, if it is. One row, read once a sweep. */
export const findSendingStopSql: Statement = {
  name: 'find_sending_stop',
  text: `
select s.sending_stopped_reason as reason, protocol_now() as now from protocol_settings s where s.sending_stopped_at is not null`,
};
