import { type CustodyCapabilities, quietPeriodMs } from '#domain/custody-capabilities.ts';
import {
  type Control,
  controlHolds,
  coversAttempts,
  evidenceOfTransfer,
  isSameSite,
  type LookUp,
  type PositiveEvidence,
  type SendAttempt,
} from '#domain/custody-evidence.ts';

export type NoProofReason =
  | 'no_attempt_on_record'
  | 'not_after_not_honoured'
  | 'other_site'
  | 'not_a_not_found'
  | 'walk_incomplete'
  | 'control_missing'
  | 'evidence_of_a_transfer'
  | 'not_after_unknown'
  | 'custody_clock_unknown'
  | 'not_after_not_passed';

export type AbsenceVerdict = { readonly proved: true } | { readonly proved: false; readonly reason: NoProofReason };

/**
 * Whether we may say that the transfer never happened and never will. Needs a look-up that found nothing, begun when
 * custody's own clock was past the not-after of every attempt by more than a quiet period (a copy that custody let in just
 * before may live for its longest request, and be shown its read lag later), beside a control that was found, with no evidence to the contrary of any kind. It leads back to the queue or, by two people, to `failed`.
 */
export function provesAbsence(
  lookUp: LookUp,
  attempts: readonly SendAttempt[],
  control: Control,
  capabilities: CustodyCapabilities,
  positiveEvidence: readonly PositiveEvidence[],
): AbsenceVerdict {
  if (evidenceOfTransfer(attempts, positiveEvidence).length > 0) return no('evidence_of_a_transfer');
  if (attempts.length === 0) return no('no_attempt_on_record');
  if (!isSameSite(lookUp, attempts)) return no('other_site');
  if (lookUp.answer.kind !== 'not_found') return no('not_a_not_found');
  if (lookUp.method.kind === 'by_reference' && !capabilities.searchableByReference) return no('not_a_not_found');
  if (!coversAttempts(lookUp, attempts)) return no('walk_incomplete');
  if (!controlHolds(control, lookUp, attempts)) return no('control_missing');
  if (!capabilities.notAfterHonoured) return no('not_after_not_honoured');
  for (const attempt of attempts) {
    if (attempt.notAfterMs === null) return no('not_after_unknown');
    // Custody's clock and never ours: it is custody that stops at the not-after.
    if (lookUp.custodyClockMs === null) return no('custody_clock_unknown');
    if (lookUp.custodyClockMs <= attempt.notAfterMs + quietPeriodMs(capabilities)) return no('not_after_not_passed');
  }
  return { proved: true };
}

function no(reason: NoProofReason): AbsenceVerdict {
  return { proved: false, reason };
}
