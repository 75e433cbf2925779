import type { Statement } from '#server/db/database.ts';

/**
 * One wake-up later, unless one is waiting already.
 *
 * $1 withdrawal, $2 milliseconds from now
 */
export const appendWakeUpSql: Statement = {
  name: 'append_wake_up',
  text: `
insert into outbox (withdrawal_id, not_before)
select $1::uuid, protocol_now() + $2::float8 * interval '1 millisecond'
where not exists (select 1 from outbox o where o.withdrawal_id = $1::uuid and o.relayed_at is null)
returning id`,
};
