import type { Db, Statement } from '#server/db/database.ts';
import { pendingReplays } from '#server/metrics.ts';

/** Where a second payout was on its way and ended. */
export const LAYERS = ['replayed_request', 'look_alike', 'repeated_send', 'repeated_event', 'late_answer'] as const;
export type Layer = (typeof LAYERS)[number];

/**
 * How often each layer stopped a duplicate in the last 24 hours. A repeated send is the same bytes under the same reference; custody
 * made one transfer of them.
 */
export async function findPrevented(deps: { db: Db }): Promise<{ layer: Layer; count: number }[]> {
  const [row] = await deps.db.query<Record<Layer, number>>(findPreventedSql, []);
  // Its own of the last seconds are not written down yet; of another process they come with the next look.
  const pending = pendingReplays();
  return LAYERS.map((layer) => ({
    layer,
    count: (row?.[layer] ?? 0) + (layer === 'replayed_request' ? pending : 0),
  }));
}

const findPreventedSql: Statement = {
  name: 'find_prevented',
  text: `
    select
      (select coalesce(sum(r.replays), 0)::integer from replay_counts r where r.hour > protocol_now() - interval '24 hours') as replayed_request,
      (select count(*)::integer from withdrawals w where w.requested_at > protocol_now() - interval '24 hours' and w.refusal_code = 'look_alike') as look_alike,
      (select coalesce(sum(s.sends - 1), 0)::integer from (
        select count(*) as sends from withdrawals w join withdrawal_attempts a on a.withdrawal_id = w.id and a.kind = 'send'
        where w.submitted_at > protocol_now() - interval '24 hours' group by w.id having count(*) > 1) s) as repeated_send,
      (select count(*)::integer from inbox_events e where e.received_at > protocol_now() - interval '24 hours' and e.applied_at is not null
        and e.outcome <> 'applied') as repeated_event,
      (select count(*)::integer from withdrawals w join withdrawal_attempts a on a.withdrawal_id = w.id
        where w.submitted_at > protocol_now() - interval '24 hours' and a.late_outcome is not null) as late_answer`,
};
