import { randomUUID } from 'node:crypto';
import { reachFaultPoint } from '#server/fault-points.ts';
import type { ClaimResultNote, WithdrawalClaim } from '#server/queue/withdrawal-claim.ts';
import { appendWakeUpSql } from '#server/sql/append-wake-up.sql.ts';
import { traced } from '#server/tracing.ts';
import { claimWithdrawal } from '#server/withdrawals/claim-withdrawal.ts';
import { pollTransfer } from '#server/withdrawals/poll-transfer.ts';
import { postponeQueued } from '#server/withdrawals/postpone-queued.ts';
import { resolveInDoubtWithdrawal } from '#server/withdrawals/resolve-in-doubt-withdrawal.ts';
import { submitWithdrawal } from '#server/withdrawals/submit-withdrawal.ts';
import type { WorkerTools } from '../worker-tools.ts';

/** What a wake-up came to, for the log and for tests. */
export type ProcessResult = { readonly kind: string; readonly transferId: string | null };

/**
 * One wake-up of one withdrawal: claim in Redis to save work, claim the row, then send or resolve or ask. The job brings only
 * the id; every copy of it may run at any time, any number of times.
 */
export async function processWithdrawal(tools: WorkerTools, input: { withdrawalId: string }): Promise<ProcessResult> {
  const { withdrawalId } = input;
  const taken = await tools.claims.take({ withdrawalId, token: randomUUID() });
  if (taken.kind === 'held') {
    // Its holder may be dead: come back when its claim has run out.
    await tools.db.query(appendWakeUpSql, [withdrawalId, taken.remainingMs]);
    return { kind: 'held_by_another', transferId: null };
  }
  const claim = taken.kind === 'taken' ? taken.claim : null;
  await reachFaultPoint('C5');
  try {
    const result = await processClaimed(tools, withdrawalId);
    await endClaim(tools, claim, noteOf(result));
    await reachFaultPoint('C10');
    return result;
  } catch (error) {
    await endClaim(tools, claim, null);
    throw error;
  }
}

async function processClaimed(tools: WorkerTools, withdrawalId: string): Promise<ProcessResult> {
  const breakerMs = tools.breaker.waitMs();
  if (
    breakerMs > 0 &&
    (await postponeQueued(tools, { withdrawalId, waitMs: breakerMs, reason: 'custody_unavailable' }))
  ) {
    return { kind: 'custody_unavailable', transferId: null };
  }
  const claim = () => claimWithdrawal(tools, { withdrawalId });
  const claimed = await traced('withdrawal.claim', withdrawalId, claim, ({ kind }) => ({ outcome: kind }));
  if (claimed.kind === 'poll')
    return { kind: `poll_${(await pollTransfer(tools, { withdrawalId })).kind}`, transferId: null };
  if (claimed.kind === 'resolve') return await resolve(tools, withdrawalId);
  if (claimed.kind !== 'claimed') return { kind: claimed.kind, transferId: null };

  await reachFaultPoint('C6');
  const { send } = claimed;
  const submit = () => submitWithdrawal(tools, { send, tries: send.attempt - 1 });
  const submitted = await traced('withdrawal.custody', withdrawalId, submit, ({ kind }) => ({
    outcome: kind,
    attempt: send.attempt,
  }));
  if ('concernsAll' in submitted && submitted.concernsAll) tools.breaker.noteUnavailable();
  else tools.breaker.noteAnswer();
  // Most transfers without an answer were made, and are found at once.
  if (submitted.kind === 'in_doubt') return await resolve(tools, withdrawalId);
  return { kind: submitted.kind, transferId: submitted.kind === 'submitted' ? submitted.transferId : null };
}

async function resolve(tools: WorkerTools, withdrawalId: string): Promise<ProcessResult> {
  const work = () => resolveInDoubtWithdrawal(tools, { withdrawalId });
  const { kind } = await traced('withdrawal.resolve', withdrawalId, work, (result) => ({ outcome: result.kind }));
  return { kind: `doubt_${kind}`, transferId: null };
}

function noteOf(result: ProcessResult): ClaimResultNote | null {
  if (result.kind === 'submitted') return { state: 'completed', status: 'submitted', transferId: result.transferId };
  if (result.kind === 'doubt_refused') return { state: 'failed', status: 'failed', transferId: null };
  return null;
}

async function endClaim(
  tools: WorkerTools,
  claim: WithdrawalClaim | null,
  note: ClaimResultNote | null,
): Promise<void> {
  if (claim !== null) await tools.claims.end(claim, note);
}
