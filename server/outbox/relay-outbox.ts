import type { Db } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import type { ProtocolTimes } from '#server/protocol-times.ts';
import { enqueueJob } from '#server/queue/enqueue-job.ts';
import type { WithdrawalQueue } from '#server/queue/withdrawal-queue.ts';
import { leaseOutboxSql } from '#server/sql/lease-outbox.sql.ts';
import { markRelayedSql } from '#server/sql/mark-relayed.sql.ts';
import { traceStep } from '#server/tracing.ts';

/** What a Redis round trip carries well; more would only delay the first of them. */
export const RELAY_BATCH = 200;

/**
 * Carries waiting wake-ups into the queue, one batch. A crash in between repeats them under the same job ids. Without ids it
 * takes whatever is due; the web process names its own row right after the commit.
 */
export async function relayOutbox(
  deps: { db: Db; queue: WithdrawalQueue; times: Pick<ProtocolTimes, 'outboxLeaseMs'> },
  input: { outboxIds?: readonly bigint[]; limit: number },
): Promise<{ relayed: number; isFull: boolean }> {
  const startedAtMs = Date.now();
  const ids = input.outboxIds?.map(String) ?? null;
  const leased = await deps.db.query<{ id: string; withdrawal_id: string }>(leaseOutboxSql, [
    ids,
    input.limit,
    deps.times.outboxLeaseMs,
  ]);
  if (leased.length === 0) return { relayed: 0, isFull: false };
  await reachFaultPoint('C3');
  const wakeUps = leased.map((row) => ({ withdrawalId: row.withdrawal_id, outboxId: row.id }));
  const added = await enqueueJob(deps, { wakeUps });
  // Redis did not take them: they are due again when the lease ends.
  if (added.kind === 'unavailable') return { relayed: 0, isFull: false };
  await reachFaultPoint('C4');
  await deps.db.query(markRelayedSql, [leased.map((row) => row.id)]);
  for (const row of leased) traceStep('withdrawal.relay', row.withdrawal_id, { startedAtMs });
  return { relayed: leased.length, isFull: leased.length >= input.limit };
}
