import { reachFaultPoint } from '#server/fault-points.ts';
import { postponeWithdrawalSql } from '#server/sql/postpone-withdrawal.sql.ts';
import { SEND_ATTEMPTS_MAX } from '#server/withdrawals/claim-withdrawal.ts';
import { findDispatchRow } from '#server/withdrawals/find-dispatch-row.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';
import type { HeldDoubt, ResolveResult, ResolverDeps } from '#server/withdrawals/resolution.ts';
import { submitWithdrawal } from '#server/withdrawals/submit-withdrawal.ts';

/**
 * Sends the same bytes once more, after the rule has allowed it and under the fence of the look-up that it was decided on. The
 * claiming statement reads all stops again; where one stands, the row waits and says so.
 */
export async function resendWithdrawal(deps: ResolverDeps, held: HeldDoubt): Promise<ResolveResult> {
  const { row, fence } = held;
  const { withdrawalId, expected, lastBytes } = row;
  if (lastBytes === null) throw new Error('the rule resends a row that has no bytes');
  await reachFaultPoint('R3');
  const moved = await recordTransition(deps, {
    kind: 'claim',
    withdrawalId,
    fromStatus: 'in_doubt',
    fence,
    site: deps.custody.site,
    ...lastBytes,
    answerWithinMs: deps.times.jobLockMs,
    attemptsMax: SEND_ATTEMPTS_MAX,
  });
  if (moved.kind === 'not_moved' || moved.attempt === null) return await waitForStop(deps, held);
  await reachFaultPoint('C6');
  const send = { withdrawalId, expected, fence: moved.fence, attempt: moved.attempt, ...lastBytes };
  await submitWithdrawal(deps, { send, tries: row.sends.length });
  return { kind: 'resent' };
}

async function waitForStop(deps: ResolverDeps, held: HeldDoubt): Promise<ResolveResult> {
  const { withdrawalId } = held.row;
  const row = await findDispatchRow(deps, { withdrawalId });
  if (row === null || row.status !== 'in_doubt' || row.fence !== held.fence) return { kind: 'nothing_to_do' };
  const reason = row.stopReason ?? 'looking_up';
  await deps.db.query(postponeWithdrawalSql, [
    withdrawalId,
    row.status,
    row.fence.toString(),
    deps.times.backoffMaxMs,
    reason,
  ]);
  return { kind: 'waiting' };
}
