import { PUT_OFF } from '#domain/custody-evidence.ts';
import { type CustodyOutcome, sortAnswer } from '#domain/custody-outcome.ts';
import { unreachable } from '#domain/invariant.ts';
import type { CustodyPort } from '#server/custody/custody-port.ts';
import type { Database } from '#server/db/database.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { logger } from '#server/logger.ts';
import { backoffMs, type ProtocolTimes } from '#server/protocol-times.ts';
import { stopSendingSql } from '#server/sql/stop-sending.sql.ts';
import { applyTransferProof } from '#server/withdrawals/apply-transfer-proof.ts';
import type { ClaimedSend } from '#server/withdrawals/claim-withdrawal.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';

export type SubmitResult =
  | { readonly kind: 'submitted'; readonly transferId: string }
  /** Nothing was made; the row waits as `queued` for the reason it shows. `concernsAll`: the next send would fare no better. */
  | { readonly kind: 'queued_again'; readonly concernsAll: boolean }
  /** Custody asked to come back, but a copy of the request may still be carried out: in doubt, with its reason. */
  | { readonly kind: 'put_off'; readonly concernsAll: boolean }
  /** Only a look-up can say what happened. */
  | { readonly kind: 'in_doubt' }
  /** Another has taken the row; the answer is kept beside the attempt. */
  | { readonly kind: 'late' };

/**
 * Makes a claimed send, once and outside any transaction, and records what became of it. Whatever happens here the intent
 * stands in the database, so a crash at any line leaves a row in doubt and never a row that may be sent again.
 */
export async function submitWithdrawal(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  input: { send: ClaimedSend; tries: number },
): Promise<SubmitResult> {
  const { send } = input;
  const startedAt = performance.now();
  const exchange = await deps.custody.createTransfer({ key: send.expected.reference, body: send.body });
  await reachFaultPoint('C8');
  const outcome = sortAnswer(exchange, send.expected, deps.custody.answerContract);
  const result =
    outcome.kind === 'accepted'
      ? await recordAccepted(deps, send, outcome)
      : await recordOther(deps, send, outcome, input.tries);
  await reachFaultPoint('C9');
  const { withdrawalId, attempt } = send;
  const durationMs = Math.round(performance.now() - startedAt);
  logger().info('withdrawal.sent', { withdrawalId, attempt, outcome: outcome.kind, result: result.kind, durationMs });
  return result;
}

async function recordAccepted(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  send: ClaimedSend,
  outcome: CustodyOutcome & { kind: 'accepted' },
): Promise<SubmitResult> {
  const { withdrawalId, attempt } = send;
  const proof = {
    transferId: outcome.transfer.id,
    createdAtMs: null,
    attempt: { number: attempt, outcome: 'accepted' },
    site: deps.custody.site,
    pollMs: deps.times.pollFirstMs,
    actor: 'worker',
    reason: 'accepted',
    evidence: { attempt, transferStatus: outcome.transfer.status, replayed: outcome.replayed },
  } as const;
  const moved = await recordTransition(deps, { kind: 'accepted', withdrawalId, fromStatus: 'dispatching', ...proof });
  if (moved.kind === 'moved') return { kind: 'submitted', transferId: outcome.transfer.id };
  // The row had moved on; the proof is applied wherever it stands now.
  await deps.db.transaction((tx) => applyTransferProof({ db: tx }, { withdrawalId, ...proof }));
  return { kind: 'late' };
}

async function recordOther(
  deps: { db: Database; custody: CustodyPort; times: ProtocolTimes },
  send: ClaimedSend,
  outcome: Exclude<CustodyOutcome, { kind: 'accepted' }>,
  tries: number,
): Promise<SubmitResult> {
  if (outcome.kind === 'later' && (outcome.code === 'unauthorized' || outcome.code === 'forbidden')) {
    // Our credentials are refused: every send would be. All wait, nobody fails.
    await deps.db.query(stopSendingSql, [`custody_${outcome.code}`]);
  }
  const isPutOff = outcome.kind === 'later' && !(await speaksForEveryCopy(deps));
  const waits = waitsAfter(outcome, deps.times, tries);
  const moved = await recordTransition(deps, {
    kind: 'answer',
    withdrawalId: send.withdrawalId,
    fence: send.fence,
    attempt: send.attempt,
    ...waits,
    outcome: isPutOff ? 'in_doubt' : outcome.kind,
    detail: isPutOff ? { ...waits.detail, reason: PUT_OFF } : waits.detail,
    inDoubtWaitMs: isPutOff ? waits.queuedWaitMs : waits.inDoubtWaitMs,
  });
  if (moved.kind === 'not_moved') return { kind: 'late' };
  const concernsAll = outcome.kind !== 'later' || outcome.scope === 'everything';
  if (moved.status === 'queued') return { kind: 'queued_again', concernsAll };
  return outcome.kind === 'later' ? { kind: 'put_off', concernsAll } : { kind: 'in_doubt' };
}

/**
 * "Later" is an answer to one copy of a request. Only a provider that promises that nobody repeats them says with it that
 * nothing was made and nothing will be; one that cannot be asked has promised nothing.
 */
async function speaksForEveryCopy(deps: { custody: CustodyPort }): Promise<boolean> {
  return (await deps.custody.capabilities())?.requestsNeverRepeated ?? false;
}

/** How long the row rests before somebody acts on it, and the reason that people see meanwhile. */
function waitsAfter(outcome: Exclude<CustodyOutcome, { kind: 'accepted' }>, times: ProtocolTimes, tries: number) {
  const backoff = backoffMs(times.backoffFirstMs, times.backoffMaxMs, tries);
  switch (outcome.kind) {
    case 'not_sent':
      return wait({ reason: outcome.reason }, 'custody_unreachable', backoff, 0);
    case 'later':
      return wait({ code: outcome.code, scope: outcome.scope }, outcome.code, outcome.retryAfterMs ?? backoff, 0);
    case 'refused':
      // The look-up that shows whether custody recorded it may begin at once.
      return wait({ code: outcome.code, detail: outcome.detail }, 'refusal_awaits_proof', backoff, 0);
    case 'in_doubt':
      // At once as well: a transfer that was made is usually found right away, and "not found" waits by its own rule.
      return wait(
        { reason: outcome.reason, detail: outcome.detail, transferId: outcome.transferId },
        'looking_up',
        backoff,
        0,
      );
    default:
      return unreachable(outcome);
  }
}

function wait(
  detail: Readonly<Record<string, unknown>>,
  waitReason: string,
  queuedWaitMs: number,
  inDoubtWaitMs: number,
) {
  return { detail, waitReason, queuedWaitMs, inDoubtWaitMs };
}
