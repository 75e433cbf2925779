import type { Statement } from '#server/db/database.ts';

/**
 * Forgets wake-ups that were relayed long ago; the row itself remembers everything that matters. A bounded bite at a time.
 *
 * $1 hours
 */
export const forgetRelayedSql: Statement = {
  name: 'forget_relayed',
  text: `
delete from outbox where id in (
  select id from outbox where relayed_at < protocol_now() - $1::float8 * interval '1 hour' order by id limit 1000)`,
};
