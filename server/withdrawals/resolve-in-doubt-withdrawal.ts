import type { CustodyCapabilities } from '#domain/custody-capabilities.ts';
import { type PositiveEvidence, PUT_OFF } from '#domain/custody-evidence.ts';
import { unreachable } from '#domain/invariant.ts';
import { provesAbsence } from '#domain/proof-of-absence.ts';
import { type InDoubtStep, nextStepInDoubt, type ReviewReason } from '#domain/resend-rule.ts';
import { reachFaultPoint } from '#server/fault-points.ts';
import { logger } from '#server/logger.ts';
import { backoffMs, type ProtocolTimes } from '#server/protocol-times.ts';
import { recordLookUpSql } from '#server/sql/record-look-up.sql.ts';
import { stopSendingSql } from '#server/sql/stop-sending.sql.ts';
import { applyCustodyEvent } from '#server/withdrawals/apply-custody-event.ts';
import { SEND_ATTEMPTS_MAX } from '#server/withdrawals/claim-withdrawal.ts';
import { type DispatchRow, findDispatchRow } from '#server/withdrawals/find-dispatch-row.ts';
import { type LookedUp, lookUpTransfer } from '#server/withdrawals/look-up-transfer.ts';
import { openContradiction } from '#server/withdrawals/open-contradiction.ts';
import { recordTransition } from '#server/withdrawals/record-transition.ts';
import { resendWithdrawal } from '#server/withdrawals/resend-withdrawal.ts';
import type { HeldDoubt, ResolveResult, ResolverDeps } from '#server/withdrawals/resolution.ts';

/**
 * The only way out of doubt: take the row under a new fence, write the look-up down, ask custody, and let the one rule decide
 * what the answer means. Without evidence the hold stays and the row waits.
 */
export async function resolveInDoubtWithdrawal(
  deps: ResolverDeps,
  input: { withdrawalId: string },
): Promise<ResolveResult> {
  const row = await findDispatchRow(deps, input);
  if (row === null || !row.due) return { kind: 'nothing_to_do' };
  const { status } = row;
  if (status !== 'dispatching' && status !== 'in_doubt') return { kind: 'nothing_to_do' };
  const taken = await recordTransition(deps, {
    kind: 'look_up',
    withdrawalId: row.withdrawalId,
    fromStatus: status,
    fence: row.fence,
    site: deps.custody.site,
    leaseMs: deps.times.resolveLeaseMs,
  });
  if (taken.kind === 'not_moved' || taken.attempt === null) return { kind: 'nothing_to_do' };
  await reachFaultPoint('R1');

  const held: HeldDoubt = { row, fence: taken.fence, lookUp: taken.attempt };
  const declared = await deps.custody.capabilities();
  if (declared === null) return await wait(deps, held, 'look_up_failed', 'look_up_failed', null);
  const capabilities = withOwnQuietPeriod(declared, deps.times);
  const looked = await lookUpTransfer(deps, { row, capabilities });
  await reachFaultPoint('R2');
  const positiveEvidence = positiveEvidenceOf(row);
  const step = nextStepInDoubt({
    expected: row.expected,
    attempts: row.sends,
    lookUp: looked.lookUp,
    control: looked.control,
    capabilities,
    positiveEvidence,
    attemptsMax: SEND_ATTEMPTS_MAX,
    parked: row.parked,
    lookUpOnly: row.lookUpOnly,
  });
  const absence = provesAbsence(looked.lookUp, row.sends, looked.control, capabilities, positiveEvidence);
  const result = await applyStep(deps, held, { ...looked, absenceProved: absence.proved }, step);
  await reachFaultPoint('R4');
  const reason = 'reason' in step ? step.reason : 'found';
  logger().info('withdrawal.resolved', {
    withdrawalId: row.withdrawalId,
    step: step.kind,
    reason,
    result: result.kind,
  });
  return result;
}

/** Never shorter than our own quiet period, which is longer than a job may be held by a silent worker. */
function withOwnQuietPeriod(declared: CustodyCapabilities, times: ProtocolTimes): CustodyCapabilities {
  return { ...declared, maxRequestMs: Math.max(declared.maxRequestMs, times.quietPeriodMs) };
}

function positiveEvidenceOf(row: DispatchRow): readonly PositiveEvidence[] {
  const evidence: PositiveEvidence[] = [];
  for (const send of row.sends) {
    if (send.outcome !== 'accepted' && send.lateOutcome !== 'accepted') continue;
    evidence.push({ kind: 'accepted_answer', detail: `attempt ${send.number}` });
  }
  if (row.eventsWaiting > 0) evidence.push({ kind: 'webhook_event', detail: `${row.eventsWaiting} not applied` });
  if (row.transactions > 0) evidence.push({ kind: 'chain_effect', detail: `${row.transactions} transactions` });
  if (row.transferId !== null) evidence.push({ kind: 'transfer_id_on_record', detail: row.transferId });
  return evidence;
}

/** `absenceProved` stands beside each look-up: it is what two people need for releasing a parked row. */
type JudgedLookUp = LookedUp & { readonly absenceProved: boolean };

async function applyStep(
  deps: ResolverDeps,
  held: HeldDoubt,
  looked: JudgedLookUp,
  step: InDoubtStep,
): Promise<ResolveResult> {
  const { row, fence, lookUp } = held;
  const { withdrawalId } = row;
  const { control, absenceProved } = looked;
  const evidence = { control, custodyClockMs: looked.lookUp.custodyClockMs, absenceProved };
  switch (step.kind) {
    case 'advance':
      return await advance(deps, held, looked, step.transfer.id);
    case 'refusal_final': {
      const isRecorded = step.reason === 'recorded_under_reference';
      const moved = await recordTransition(deps, {
        kind: 'refused',
        withdrawalId,
        fence,
        lookUp,
        lookUpOutcome: isRecorded ? 'refusal_found' : 'not_found',
        absenceProved: step.reason === 'absence_proved_after_refusal',
        code: step.refusalCode,
        reason: step.reason,
        evidence,
      });
      return { kind: moved.kind === 'moved' ? 'refused' : 'waiting' };
    }
    case 'back_to_queue': {
      if (row.lacksApprovals) return await park(deps, held, 'not_found', 'approval_missing', evidence);
      const moved = await recordTransition(deps, { kind: 'absence', withdrawalId, fence, lookUp, evidence });
      return { kind: moved.kind === 'moved' ? 'back_to_queue' : 'waiting' };
    }
    case 'resend':
      await recordLookUp(deps, held, 'not_found', evidence, 0, step.reason, null);
      return await resendWithdrawal(deps, held);
    case 'wait':
      return await wait(deps, held, outcomeOf(looked, step.reason), step.reason, step.untilMs, evidence);
    case 'review':
      await park(deps, held, outcomeOf(looked, step.reason), step.reason, { ...evidence, detail: step.detail });
      if (step.alarm) {
        const withdrawal = { withdrawalId, customerId: row.customerId, asset: row.expected.asset };
        await openContradiction(deps, { kind: step.reason, about: step.detail, withdrawal, evidence });
      }
      return { kind: 'parked' };
    case 'stop_all':
      await deps.db.query(stopSendingSql, [step.reason]);
      if (control.kind === 'missing') {
        const about = { kind: step.reason, about: control.reference, withdrawal: null };
        await openContradiction(deps, { ...about, evidence: { reference: control.reference, askedFor: withdrawalId } });
      }
      logger().error('custody.control_missing', new Error('custody does not know a transfer that it accepted'), {
        withdrawalId,
        ...evidence,
      });
      await wait(deps, held, 'not_found', step.reason, null, evidence);
      return { kind: 'stopped' };
    default:
      return unreachable(step);
  }
}

async function park(
  deps: ResolverDeps,
  held: HeldDoubt,
  outcome: LookUpOutcome,
  reason: ReviewReason,
  detail: Readonly<Record<string, unknown>>,
): Promise<ResolveResult> {
  await recordLookUp(deps, held, outcome, detail, deps.times.parkedLookUpMs, null, reason);
  return { kind: 'parked' };
}

/** The found transfer is applied like any other fact; that the row is ours to move does not matter, proof needs no fence. */
async function advance(
  deps: ResolverDeps,
  held: HeldDoubt,
  looked: LookedUp,
  transferId: string,
): Promise<ResolveResult> {
  const transfer = looked.transfers.find((one) => one.id === transferId);
  if (transfer === undefined) throw new Error('the rule advanced by a transfer that was not looked up');
  const fact = {
    transfer,
    site: deps.custody.site,
    source: 'look_up' as const,
    sourceId: String(held.lookUp),
    attempt: held.lookUp,
  };
  await deps.db.transaction((tx) => applyCustodyEvent({ db: tx, times: deps.times }, fact));
  return { kind: 'found' };
}

type LookUpOutcome = 'found' | 'refusal_found' | 'not_found' | 'look_up_failed';

function outcomeOf(looked: LookedUp, reason: string): LookUpOutcome {
  const { answer } = looked.lookUp;
  // An answer about others' references says nothing about ours.
  if (answer.kind === 'failed' || reason === 'look_up_not_exact') return 'look_up_failed';
  if (answer.kind === 'not_found') return 'not_found';
  return answer.transfers.every((transfer) => transfer.status === 'refused') ? 'refusal_found' : 'found';
}

async function wait(
  deps: ResolverDeps,
  held: HeldDoubt,
  outcome: LookUpOutcome,
  reason: string,
  untilMs: number | null,
  evidence: Readonly<Record<string, unknown>> = {},
): Promise<ResolveResult> {
  const { row } = held;
  const { backoffFirstMs, backoffMaxMs, parkedLookUpMs } = deps.times;
  const backoff = backoffMs(backoffFirstMs, backoffMaxMs, row.lookUps);
  // A known moment is waited for, yet never so long that a transfer which turns up meanwhile is seen late.
  const waitMs =
    untilMs === null ? backoff : Math.min(backoffMaxMs, Math.max(untilMs - row.now.getTime(), backoffFirstMs));
  await recordLookUp(
    deps,
    held,
    outcome,
    evidence,
    row.parked ? parkedLookUpMs : waitMs,
    shownReason(row, reason),
    null,
  );
  return { kind: 'waiting' };
}

/** People read why custody put the row off, and not which of our own waits that means. */
function shownReason(row: DispatchRow, reason: string): string {
  const last = row.sends.at(-1);
  const isOurWait = reason === 'quiet_period' || reason === 'not_after_not_passed';
  return isOurWait && last?.outcome === 'in_doubt' && last.reason === PUT_OFF ? (last.code ?? reason) : reason;
}

async function recordLookUp(
  deps: ResolverDeps,
  held: HeldDoubt,
  outcome: LookUpOutcome,
  detail: Readonly<Record<string, unknown>>,
  waitMs: number,
  waitReason: string | null,
  parkedReason: string | null,
): Promise<void> {
  const values = [
    held.row.withdrawalId,
    held.fence.toString(),
    held.lookUp,
    outcome,
    detail,
    waitMs,
    waitReason,
    parkedReason,
  ];
  await deps.db.query(recordLookUpSql, values);
}
