import { unreachable } from '#domain/invariant.ts';

/** Something custody or the chain said about the transfer of one withdrawal. Kept for ever, applied in any order. */
export type TransferFact =
  /** Custody has it under our reference: an accepted answer, an event or a look-up, compared and found equal. */
  | { readonly kind: 'accepted'; readonly transferId: string }
  | { readonly kind: 'signed'; readonly transactionHash: string }
  | { readonly kind: 'broadcast'; readonly transactionHash: string }
  /** Custody says that it is in a block. What is final, our own reader of the chain decides. */
  | { readonly kind: 'confirmed'; readonly transactionHash: string }
  /** A final effect that equals what was asked: by our reader, or by custody's final word where we have no reader. */
  | { readonly kind: 'paid'; readonly transactionHash: string; readonly effectId: string }
  /** The transaction can never take effect any more. */
  | { readonly kind: 'dead'; readonly transactionHash: string }
  /** Custody's final failure, read by a look-up. It ends nothing while a transaction is alive. */
  | { readonly kind: 'failed_finally'; readonly code: string }
  /** A refusal that is final by the resend rule: nothing was made. */
  | { readonly kind: 'refused_finally'; readonly code: string };

export type FactStatus = 'in_doubt' | 'submitted' | 'broadcast' | 'completed' | 'failed';

export type FactCase =
  | 'two_transfers'
  | 'paid_twice'
  | 'dead_transaction_paid'
  | 'paid_despite_failure'
  | 'refused_with_transfer'
  | 'transfer_after_failure';

/** What the facts so far come to. The lists hold each name once, in order of appearance. */
export interface FoldedFacts {
  readonly status: FactStatus;
  readonly transferIds: readonly string[];
  /** Every hash ever named. */
  readonly transactionHashes: readonly string[];
  readonly deadHashes: readonly string[];
  readonly paidHashes: readonly string[];
  readonly effectIds: readonly string[];
  readonly seenOnNetwork: boolean;
  readonly failureCode: string | null;
  readonly refusalCode: string | null;
  /** Contradictions, for people. The status never turns round because of them. */
  readonly cases: readonly FactCase[];
}

export const NO_FACTS: FoldedFacts = {
  status: 'in_doubt',
  transferIds: [],
  transactionHashes: [],
  deadHashes: [],
  paidHashes: [],
  effectIds: [],
  seenOnNetwork: false,
  failureCode: null,
  refusalCode: null,
  cases: [],
};

/** Applies the facts one after the other, as they came. */
export function foldFacts(facts: readonly TransferFact[], from: FoldedFacts = NO_FACTS): FoldedFacts {
  return facts.reduce(applyFact, from);
}

/**
 * Applies one fact. Until a final status is written, order and repetition make no difference; after it, a contrary fact
 * opens a case and the status stays.
 */
export function applyFact(before: FoldedFacts, fact: TransferFact): FoldedFacts {
  const learned = learn(before, fact);
  const hasEnded = before.status === 'completed' || before.status === 'failed';
  return {
    ...learned,
    status: hasEnded ? before.status : statusOf(learned),
    cases: contradictionsIn(before, learned).reduce(withName, before.cases),
  };
}

function learn(before: FoldedFacts, fact: TransferFact): FoldedFacts {
  switch (fact.kind) {
    case 'accepted':
      return { ...before, transferIds: withName(before.transferIds, fact.transferId) };
    case 'signed':
      return withHash(before, fact.transactionHash);
    case 'broadcast':
    case 'confirmed':
      return { ...withHash(before, fact.transactionHash), seenOnNetwork: true };
    case 'paid':
      return {
        ...withHash(before, fact.transactionHash),
        seenOnNetwork: true,
        paidHashes: withName(before.paidHashes, fact.transactionHash),
        effectIds: withName(before.effectIds, fact.effectId),
      };
    case 'dead':
      return {
        ...withHash(before, fact.transactionHash),
        deadHashes: withName(before.deadHashes, fact.transactionHash),
      };
    case 'failed_finally':
      return { ...before, failureCode: before.failureCode ?? fact.code };
    case 'refused_finally':
      return { ...before, refusalCode: before.refusalCode ?? fact.code };
    default:
      return unreachable(fact);
  }
}

/** The rule of ends and of the furthest sign of life, in order of precedence. */
function statusOf(facts: FoldedFacts): FactStatus {
  const hasTransfer = facts.transferIds.length > 0 || facts.transactionHashes.length > 0;
  if (facts.effectIds.length > 0) return 'completed';
  // Custody's failure alone releases nothing: a transaction it signed can still be sent by anybody who has its bytes.
  if (facts.failureCode !== null && aliveHashes(facts).length === 0) return 'failed';
  if (facts.refusalCode !== null && !hasTransfer) return 'failed';
  if (facts.seenOnNetwork) return 'broadcast';
  return hasTransfer || facts.failureCode !== null ? 'submitted' : 'in_doubt';
}

function contradictionsIn(before: FoldedFacts, learned: FoldedFacts): readonly FactCase[] {
  const hasTransfer = learned.transferIds.length > 0 || learned.transactionHashes.length > 0;
  const isPaid = learned.effectIds.length > 0;
  const holds: Readonly<Record<FactCase, boolean>> = {
    two_transfers: learned.transferIds.length > 1,
    paid_twice: learned.effectIds.length > 1,
    dead_transaction_paid: learned.paidHashes.some((hash) => learned.deadHashes.includes(hash)),
    paid_despite_failure: isPaid && (learned.failureCode !== null || learned.refusalCode !== null),
    refused_with_transfer: learned.refusalCode !== null && hasTransfer,
    transfer_after_failure: before.status === 'failed' && aliveHashes(learned).length > 0,
  };
  const order: readonly FactCase[] = [
    'two_transfers',
    'paid_twice',
    'dead_transaction_paid',
    'paid_despite_failure',
    'refused_with_transfer',
    'transfer_after_failure',
  ];
  return order.filter((name) => holds[name]);
}

function aliveHashes(facts: FoldedFacts): readonly string[] {
  return facts.transactionHashes.filter((hash) => !facts.deadHashes.includes(hash));
}

function withHash(facts: FoldedFacts, transactionHash: string): FoldedFacts {
  return { ...facts, transactionHashes: withName(facts.transactionHashes, transactionHash) };
}

function withName<Name extends string>(names: readonly Name[], name: Name): readonly Name[] {
  return names.includes(name) ? names : [...names, name];
}
