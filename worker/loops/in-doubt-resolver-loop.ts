import { logger } from '#server/logger.ts';
import { findDueDoubtsSql } from '#server/sql/find-due-doubts.sql.ts';
import { traced } from '#server/tracing.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { type Loop, startLoop } from '../run-loop.ts';
import type { WorkerTools } from '../worker-tools.ts';

// A look-up takes a few milliseconds or a whole time-out; so many at once keep a slow custody from stopping the rest, and what they ask
// of the database at the same time is one statement. No more than a worker sends at once.
const LANES = 32;
const DUE_BATCH = 100;

/**
 * Asks custody about every row that wants evidence. It needs Postgres and custody and no Redis, so that a lost queue keeps
 * nobody in doubt. One row that fails is logged and leased; the others go on.
 */
export function startInDoubtResolverLoop(tools: WorkerTools): Loop {
  return startLoop({
    name: 'resolver',
    idleMs: tools.times.resolverIdleMs,
    runOnce: async () => {
      const due = await tools.db.query<{ id: string; status: string }>(findDueDoubtsSql, [DUE_BATCH]);
      const waiting = [...due];
      const lane = async () => {
        for (let row = waiting.shift(); row !== undefined; row = waiting.shift()) await settle(tools, row);
      };
      await Promise.all(Array.from({ length: LANES }, lane));
      return { again: due.length === DUE_BATCH };
    },
  });
}

async function settle(tools: WorkerTools, row: { id: string; status: string }): Promise<void> {
  const input = { withdrawalId: row.id };
  try {
    const isDoubt = row.status === 'dispatching' || row.status === 'in_doubt';
    const work = (): Promise<{ kind: string }> =>
      isDoubt ? resolveInDoubtWithdrawal(tools, input) : pollTransfer(tools, input);
    await traced(isDoubt ? 'withdrawal.resolve' : 'withdrawal.poll', row.id, work, ({ kind }) => ({ outcome: kind }));
  } catch (error) {
    logger().error('resolver.row_failed', error, input);
  }
}
