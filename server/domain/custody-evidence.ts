import type { CustodyOutcome } from '#domain/custody-outcome.ts';
import type { ShownTransfer } from '#domain/custody-transfer.ts';

/** The provider and our account there, written on the first attempt; no other ever gets a resend. */
export interface CustodySite {
  readonly provider: string;
  readonly account: string;
}

/** One send, written down before its first byte. Times are milliseconds since 1970 by the database's clock. */
export interface SendAttempt extends CustodySite {
  readonly number: number;
  readonly startedAtMs: number;
  /** Fixed at the claim and the same in every copy of the same bytes; null where the provider honours none. */
  readonly notAfterMs: number | null;
  /** Null after a crash, which reads as in doubt. */
  readonly outcome: CustodyOutcome['kind'] | null;
  /** The code of a refused answer, or the reason of a doubtful one. */
  readonly reason: string | null;
  /** Absence was proved for it later: it is out of the question, and counts as a try no more. */
  readonly provedAbsent: boolean;
}

/** What a look-up said. "Not found" alone is no evidence yet: it counts beside a control, when it is old enough. */
export type LookUpAnswer =
  | { readonly kind: 'found'; readonly transfers: readonly FoundTransfer[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'failed'; readonly reason: string };

/** A transfer as a look-up shows it, with custody's last word on it. */
export interface FoundTransfer extends ShownTransfer {
  /** True when custody will never change this status again. */
  readonly final: boolean;
  readonly failureCode: string | null;
}

export interface LookUp extends CustodySite {
  readonly answer: LookUpAnswer;
  /** When it began, by the database's clock. */
  readonly begunAtMs: number;
  /** Custody's own clock (the `Date` of an answer) when it began; null where custody gave none. */
  readonly custodyClockMs: number | null;
  /**
   * By exact reference, or a walk of the list, with the span of creation times it covered and whether every page of it
   * was read.
   */
  readonly method:
    | { readonly kind: 'by_reference' }
    | { readonly kind: 'walk'; readonly fromMs: number; readonly toMs: number; readonly complete: boolean };
}

/** The proof that custody's memory, account and address are what they were: an older transfer, found by its reference. */
export type Control =
  | (CustodySite & {
      readonly kind: 'found';
      readonly reference: string;
      /** When custody accepted that transfer, by the database's clock. */
      readonly acceptedAtMs: number;
      /** When it was found again, by the database's clock. */
      readonly foundAtMs: number;
    })
  | { readonly kind: 'missing'; readonly reference: string }
  /** The control could not be asked for, or cannot be shown yet. */
  | { readonly kind: 'none' }
  /** Custody had accepted nothing when this attempt began, so there is no control for it and there never will be. */
  | { readonly kind: 'never' };

/** Anything beside a look-up that says that a transfer exists. One of them forbids every send and every release. */
export interface PositiveEvidence {
  readonly kind: 'accepted_answer' | 'webhook_event' | 'chain_effect' | 'transfer_id_on_record';
  /** The event's id, the effect's hash; for a transfer on record exactly its id. */
  readonly detail: string;
}

/** Whether bytes of this attempt may have reached custody and been acted on. Unknown counts as yes. */
export function mayHaveBeenSent(attempt: Pick<SendAttempt, 'outcome'>): boolean {
  return attempt.outcome !== 'not_sent' && attempt.outcome !== 'later';
}

/**
 * The reason of an attempt that custody put off while it does not promise that nobody repeats a request: the copy that was
 * answered made nothing, another copy may.
 */
export const PUT_OFF = 'put_off';

/**
 * The reason of an attempt that stands for whatever a memory that is lost may have sent: we know neither its time nor its
 * bytes, only that it ended before we found out.
 */
export const MEMORY_LOST = 'memory_lost';

/** Whether this attempt may have been sent with bytes that nobody has any more. They cannot be sent again. */
export function hasLostBytes(attempt: SendAttempt): boolean {
  return isOpen(attempt) && attempt.outcome === 'in_doubt' && attempt.reason === MEMORY_LOST;
}

/**
 * Whether this attempt counts toward the bound after which people look. Being put off is custody's doing, a lost memory is
 * nobody's try, and what is proved never to have happened is an honest failure of the network's.
 */
export function countsAsTry(attempt: SendAttempt): boolean {
  const isOthersDoing = attempt.reason === PUT_OFF || attempt.reason === MEMORY_LOST;
  return isOpen(attempt) && !(attempt.outcome === 'in_doubt' && isOthersDoing);
}

/**
 * Whether custody can have made a transfer out of this attempt: its bytes may have reached custody, whose clock had not passed
 * their not-after when it made the transfer. Where custody does not tell its time, nothing is explained by it.
 */
export function canHaveMade(
  attempt: Pick<SendAttempt, 'outcome' | 'notAfterMs'>,
  transfer: { readonly createdAtMs: number | null },
  custody: { readonly notAfterHonoured: boolean },
): boolean {
  if (!mayHaveBeenSent(attempt)) return false;
  if (!custody.notAfterHonoured || attempt.notAfterMs === null) return true;
  return transfer.createdAtMs !== null && transfer.createdAtMs <= attempt.notAfterMs;
}

/** Whether a transfer of this attempt may still exist or still come to exist. */
export function isOpen(attempt: SendAttempt): boolean {
  return mayHaveBeenSent(attempt) && !attempt.provedAbsent;
}

/** Everything that says that a transfer exists, an accepted answer on an attempt row included. */
export function evidenceOfTransfer(
  attempts: readonly SendAttempt[],
  positiveEvidence: readonly PositiveEvidence[],
): readonly PositiveEvidence[] {
  const accepted = attempts.filter((attempt) => attempt.outcome === 'accepted');
  const answers = accepted.map(
    (attempt) => ({ kind: 'accepted_answer', detail: `attempt ${attempt.number}` }) as const,
  );
  return [...positiveEvidence, ...answers];
}

/** The control is the newest transfer that custody accepted before this instant; null when no attempt is open. */
export function controlAcceptedBeforeMs(attempts: readonly SendAttempt[]): number | null {
  const starts = attempts.filter(isOpen).map((attempt) => attempt.startedAtMs);
  return starts.length === 0 ? null : Math.min(...starts);
}

/** A control older than this says nothing about the custody that answered just now. */
export const CONTROL_AGE_MAX_MS = 60_000;

/** Whether the control was found by the same client, near the look-up, and is older than every attempt in question. */
export function controlHolds(control: Control, lookUp: LookUp, attempts: readonly SendAttempt[]): boolean {
  if (control.kind !== 'found') return false;
  if (control.provider !== lookUp.provider || control.account !== lookUp.account) return false;
  if (Math.abs(lookUp.begunAtMs - control.foundAtMs) > CONTROL_AGE_MAX_MS) return false;
  const before = controlAcceptedBeforeMs(attempts);
  return before === null || control.acceptedAtMs < before;
}

/** Whether the look-up asked the custody that every attempt went to. */
export function isSameSite(lookUp: LookUp, attempts: readonly SendAttempt[]): boolean {
  return attempts.every((attempt) => attempt.provider === lookUp.provider && attempt.account === lookUp.account);
}

/**
 * Whether the look-up could have seen a transfer of any of the attempts: asked by exact reference, or a whole walk from
 * before the first attempt to after the last not-after (or, where none is honoured, to the look-up's own beginning).
 */
export function coversAttempts(lookUp: LookUp, attempts: readonly SendAttempt[]): boolean {
  const { method } = lookUp;
  if (method.kind === 'by_reference') return true;
  if (!method.complete) return false;
  const open = attempts.filter(isOpen);
  const first = Math.min(...open.map((attempt) => attempt.startedAtMs));
  const last = Math.max(...open.map((attempt) => Math.min(attempt.notAfterMs ?? lookUp.begunAtMs, lookUp.begunAtMs)));
  return method.fromMs < first && method.toMs >= last;
}
