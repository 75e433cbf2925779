import type { Statement } from '#server/db/database.ts';

/**
 * Every row whose time has come and that nobody woke lately gets a wake-up: queued ones at once, because the queue is their
 * only way on; the others, which have a loop of their own, when that loop has left them lying. No second wake-up while one
 * is waiting, and none while a given one may still be in the queue. Two sweepers skip each other's rows, and who comes to a
 * row just after another looks again under its lock.
 *
 * $1 how many at most, $2 milliseconds before a wake-up is repeated, $3 milliseconds after which a row of another loop is overdue
 */
export const sweepDueWithdrawalsSql: Statement = {
  name: 'sweep_due_withdrawals',
  text: `
with due as (
  select w.id from withdrawals w
  where w.status in ('queued', 'dispatching', 'in_doubt', 'submitted', 'broadcast')
    -- By the index; what the row's own status asks for beyond it is no condition of an index, and every row under way was read for it
    -- once a second (some 4,000 of them: 83 ms).
    and w.next_action_at <= protocol_now()
    and w.next_action_at <= protocol_now() - case when w.status = 'queued' then interval '0' else $3::float8 * interval '1 millisecond' end
    and not exists (
      select 1 from outbox o where o.withdrawal_id = w.id
        and (o.relayed_at is null or o.relayed_at > protocol_now() - $2::float8 * interval '1 millisecond'))
  order by w.next_action_at limit $1
  for update of w skip locked
)
insert into outbox (withdrawal_id) select d.id from due d where not is_awake(d.id, $2::float8) returning id`,
};
