import { type CustodyCapabilities, quietPeriodMs } from '#domain/custody-capabilities.ts';
import {
  type Control,
  controlHolds,
  countsAsTry,
  coversAttempts,
  evidenceOfTransfer,
  type FoundTransfer,
  hasLostBytes,
  isSameSite,
  type LookUp,
  mayHaveBeenSent,
  type PositiveEvidence,
  type SendAttempt,
} from '#domain/custody-evidence.ts';
import { differingFields, type ExpectedTransfer } from '#domain/custody-transfer.ts';
import { provesAbsence } from '#domain/proof-of-absence.ts';

/** Everything that is known about a withdrawal in doubt. Times are milliseconds since 1970 by the database's clock. */
export interface InDoubtEvidence {
  readonly expected: ExpectedTransfer;
  readonly attempts: readonly SendAttempt[];
  readonly lookUp: LookUp;
  readonly control: Control;
  readonly capabilities: CustodyCapabilities;
  readonly positiveEvidence: readonly PositiveEvidence[];
  /** How many attempts that may have been sent are allowed in all, those that custody put off not counted. */
  readonly attemptsMax: number;
  /** Parked for review: looked up and advanced by proof, nothing else. */
  readonly parked: boolean;
  /** Our memory may be older than the world: nothing is sent and nothing released. */
  readonly lookUpOnly: boolean;
}

export type WaitReason =
  | 'look_up_failed'
  | 'look_up_not_exact'
  | 'look_up_incomplete'
  | 'control_needed'
  | 'quiet_period'
  | 'refusal_awaits_proof'
  | 'not_after_not_passed'
  | 'bytes_unknown'
  | 'custody_clock_unknown'
  | 'parked'
  | 'look_up_only';

export type ReviewReason =
  | 'no_attempt_on_record'
  | 'other_site'
  | 'two_transfers'
  | 'transfer_differs'
  | 'refusal_contradicted'
  | 'transfer_vanished'
  | 'bytes_changed'
  | 'attempts_exhausted'
  | 'refusal_without_proof'
  | 'control_impossible'
  | 'bytes_unknown'
  | 'approval_missing'
  | 'no_safe_resend';

/** The next step of a withdrawal in doubt. Without evidence the hold stays, whatever the clock says. */
export type InDoubtStep =
  | { readonly kind: 'advance'; readonly transfer: FoundTransfer }
  | { readonly kind: 'refusal_final'; readonly refusalCode: string; readonly reason: RefusalProof }
  | { readonly kind: 'wait'; readonly reason: WaitReason; readonly untilMs: number | null }
  | { readonly kind: 'resend'; readonly reason: 'not_found_beside_control' }
  | { readonly kind: 'back_to_queue'; readonly reason: 'absence_proved' }
  | {
      readonly kind: 'review';
      readonly reason: ReviewReason;
      readonly detail: string;
      /** Somebody is woken. */
      readonly alarm: boolean;
      /** No further payout of this asset until two people say so. */
      readonly pauseAsset: boolean;
    }
  /** Custody's memory, account or address is in question: all sending stops, with an alarm. */
  | { readonly kind: 'stop_all'; readonly reason: 'control_not_found' };

export type RefusalProof = 'recorded_under_reference' | 'absence_proved_after_refusal' | 'sole_attempt_by_contract';

/** Custody's word for a refusal that it keeps under our reference. */
const REFUSED_STATUS = 'refused';

/**
 * The one rule for what may happen to a withdrawal in doubt, read from top to bottom. Found is compared, not believed; not
 * found counts only beside a control and after the quiet period; a send repeats the same bytes or does not happen.
 */
export function nextStepInDoubt(evidence: InDoubtEvidence): InDoubtStep {
  const step = stepByEvidence(evidence);
  if (step.kind !== 'resend' && step.kind !== 'back_to_queue' && step.kind !== 'refusal_final') return step;
  // What is left sends or releases. No machine does that to a parked row, or while our own memory is in question.
  if (evidence.lookUpOnly) return wait('look_up_only');
  return evidence.parked ? wait('parked') : step;
}

function stepByEvidence(evidence: InDoubtEvidence): InDoubtStep {
  const { attempts, lookUp } = evidence;
  if (lookUp.answer.kind === 'failed') return wait('look_up_failed');
  if (!isSameSite(lookUp, attempts)) return review('other_site', `${lookUp.provider} ${lookUp.account}`, 'alarm');
  if (lookUp.answer.kind === 'found') return stepWhenFound(evidence, lookUp.answer.transfers);
  return stepWhenNotFound(evidence);
}

function stepWhenFound(evidence: InDoubtEvidence, shown: readonly FoundTransfer[]): InDoubtStep {
  const { expected, lookUp } = evidence;
  // Matched on the reference each entry echoes, never on amount and address.
  const ours = shown.filter((transfer) => transfer.externalId === expected.reference);
  const [transfer, second] = ours;
  // A search by reference that answers with others' references is not the search we asked for.
  if (lookUp.method.kind === 'by_reference' && ours.length < shown.length) return wait('look_up_not_exact');
  if (transfer === undefined) return stepWhenNotFound(evidence);
  if (second !== undefined) return review('two_transfers', ours.map((one) => one.id).join(' '), 'pause_asset');
  const fields = differingFields(expected, transfer);
  if (fields.length > 0) return review('transfer_differs', fields.join(' '), 'pause_asset');
  const other = evidence.positiveEvidence.find(
    (one) => one.kind === 'transfer_id_on_record' && one.detail !== transfer.id,
  );
  if (other !== undefined) return review('two_transfers', `${other.detail} ${transfer.id}`, 'pause_asset');
  if (transfer.status !== REFUSED_STATUS) return { kind: 'advance', transfer };
  const [contrary] = evidenceOfTransfer(evidence.attempts, evidence.positiveEvidence);
  if (contrary !== undefined) return review('refusal_contradicted', `${contrary.kind} ${contrary.detail}`, 'alarm');
  return refusalFinal(transfer.failureCode ?? REFUSED_STATUS, 'recorded_under_reference');
}

function stepWhenNotFound(evidence: InDoubtEvidence): InDoubtStep {
  const { attempts, lookUp: asked, control, capabilities, positiveEvidence } = evidence;
  // A walk that saw only others' transfers found nothing of ours.
  const lookUp: LookUp = { ...asked, answer: { kind: 'not_found' } };
  if (attempts.length === 0) return review('no_attempt_on_record', 'in doubt without an attempt', 'alarm');
  if (control.kind === 'missing') return { kind: 'stop_all', reason: 'control_not_found' };
  const quietUntilMs = Math.max(...attempts.map((attempt) => attempt.startedAtMs)) + quietPeriodMs(capabilities);
  const [contrary] = evidenceOfTransfer(attempts, positiveEvidence);
  if (contrary !== undefined) {
    // A look-up that lags behind the event of a transfer just made contradicts nothing yet.
    if (lookUp.begunAtMs < quietUntilMs) return wait('quiet_period', quietUntilMs);
    return review('transfer_vanished', `${contrary.kind} ${contrary.detail}`, 'alarm');
  }
  if (lookUp.method.kind === 'by_reference' && !capabilities.searchableByReference) return wait('look_up_not_exact');
  if (!coversAttempts(lookUp, attempts)) return wait('look_up_incomplete');
  if (control.kind === 'never') {
    if (lookUp.begunAtMs < quietUntilMs) return wait('quiet_period', quietUntilMs);
    return review('control_impossible', 'custody had accepted nothing before');
  }
  if (!controlHolds(control, lookUp, attempts)) return wait('control_needed');
  if (lookUp.begunAtMs < quietUntilMs) return wait('quiet_period', quietUntilMs);
  const absence = provesAbsence(lookUp, attempts, control, capabilities, positiveEvidence);
  if (attempts.some((attempt) => attempt.outcome === 'in_doubt' && attempt.reason === 'idempotency_key_reused')) {
    // Where we made new bytes ourselves, after proof of absence, custody keeps to the first ones for good: no other bytes may be
    // sent under this key, and no other key for this withdrawal. Two people release it on proof of absence.
    const isOurDoing = new Set(attempts.map((attempt) => attempt.notAfterMs)).size > 1;
    if (isOurDoing) return review('bytes_changed', 'custody keeps this key for bytes that are proved absent');
    return review('bytes_changed', 'custody saw other bytes under this key', 'alarm');
  }
  const refusal = attempts.find((attempt) => attempt.outcome === 'refused');
  if (refusal !== undefined) return stepAfterRefusal(evidence, refusal, absence.proved);
  // Tries that made nothing and never will are no tries: the way back comes before the bound.
  if (absence.proved) return { kind: 'back_to_queue', reason: 'absence_proved' };
  const attemptsLeft = attempts.filter(countsAsTry).length < evidence.attemptsMax;
  if (!attemptsLeft) return review('attempts_exhausted', 'absence not proved');
  if (attempts.some(hasLostBytes)) return stepWithoutBytes(attempts, capabilities);
  return stepByNotAfter(lookUp, attempts, capabilities);
}

/** A refused answer alone ends nothing: an earlier copy of the same bytes may have been carried out. */
function stepAfterRefusal(evidence: InDoubtEvidence, refusal: SendAttempt, absenceProved: boolean): InDoubtStep {
  const { attempts, capabilities } = evidence;
  const code = refusal.reason ?? REFUSED_STATUS;
  if (absenceProved) return refusalFinal(code, 'absence_proved_after_refusal');
  if (capabilities.notAfterHonoured) return wait('refusal_awaits_proof', latestNotAfterMs(attempts));
  if (capabilities.refusalsKept) return review('refusal_without_proof', code);
  const isSoleAttempt = attempts.filter(mayHaveBeenSent).length === 1;
  if (isSoleAttempt && capabilities.requestsNeverRepeated && capabilities.duplicateCheckFirst) {
    return refusalFinal(code, 'sole_attempt_by_contract');
  }
  return review('refusal_without_proof', code);
}

/** Other bytes beside the lost ones could both be carried out; only what must refuse the lost ones by now opens the way. */
function stepWithoutBytes(attempts: readonly SendAttempt[], capabilities: CustodyCapabilities): InDoubtStep {
  const notAfterMs = latestNotAfterMs(attempts);
  if (!capabilities.notAfterHonoured || notAfterMs === null) {
    return review('bytes_unknown', 'what a lost memory sent cannot be sent again');
  }
  return wait('bytes_unknown', notAfterMs + quietPeriodMs(capabilities));
}

function stepByNotAfter(
  lookUp: LookUp,
  attempts: readonly SendAttempt[],
  capabilities: CustodyCapabilities,
): InDoubtStep {
  const resend: InDoubtStep = { kind: 'resend', reason: 'not_found_beside_control' };
  if (!capabilities.notAfterHonoured) {
    return capabilities.referenceKept
      ? resend
      : review('no_safe_resend', 'neither a not-after nor a permanent reference');
  }
  const notAfterMs = latestNotAfterMs(attempts);
  if (notAfterMs === null) return review('no_safe_resend', 'an attempt without its not-after');
  if (lookUp.custodyClockMs === null) return wait('custody_clock_unknown');
  if (lookUp.custodyClockMs < notAfterMs) return resend;
  return wait('not_after_not_passed', notAfterMs + quietPeriodMs(capabilities));
}

function latestNotAfterMs(attempts: readonly SendAttempt[]): number | null {
  const times = attempts.map((attempt) => attempt.notAfterMs);
  return times.reduce<number | null>(
    (latest, time) => (latest === null || time === null ? null : Math.max(latest, time)),
    0,
  );
}

function wait(reason: WaitReason, untilMs: number | null = null): InDoubtStep {
  return { kind: 'wait', reason, untilMs };
}

function refusalFinal(refusalCode: string, reason: RefusalProof): InDoubtStep {
  return { kind: 'refusal_final', refusalCode, reason };
}

function review(reason: ReviewReason, detail: string, noise: 'quiet' | 'alarm' | 'pause_asset' = 'quiet'): InDoubtStep {
  return { kind: 'review', reason, detail, alarm: noise !== 'quiet', pauseAsset: noise === 'pause_asset' };
}
