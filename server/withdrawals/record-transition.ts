import type { CustodySite } from '#domain/custody-evidence.ts';
import { unreachable } from '#domain/invariant.ts';
import type { WithdrawalStatus } from '#domain/withdrawal.ts';
import type { Db, Statement } from '#server/db/database.ts';
import type { GatheredStatement } from '#server/db/gather-statements.ts';
import { absenceTransitionSql } from '#server/sql/absence-transition.sql.ts';
import { acceptedTransitionSql } from '#server/sql/accepted-transition.sql.ts';
import { answerTransitionSql } from '#server/sql/answer-transition.sql.ts';
import { approveTransitionSql } from '#server/sql/approve-transition.sql.ts';
import { broadcastTransitionSql } from '#server/sql/broadcast-transition.sql.ts';
import { cancelTransitionSql } from '#server/sql/cancel-transition.sql.ts';
import { claimTransitionSql } from '#server/sql/claim-transition.sql.ts';
import { completedTransitionSql } from '#server/sql/completed-transition.sql.ts';
import { doubtTransitionSql } from '#server/sql/doubt-transition.sql.ts';
import { failedTransitionSql } from '#server/sql/failed-transition.sql.ts';
import { gatheredAcceptedTransitionSql } from '#server/sql/gathered-accepted-transition.sql.ts';
import { gatheredBroadcastTransitionSql } from '#server/sql/gathered-broadcast-transition.sql.ts';
import { gatheredClaimTransitionSql } from '#server/sql/gathered-claim-transition.sql.ts';
import { lookUpTransitionSql } from '#server/sql/look-up-transition.sql.ts';
import { memoryTransitionSql } from '#server/sql/memory-transition.sql.ts';
import { refusedTransitionSql } from '#server/sql/refused-transition.sql.ts';
import { rejectTransitionSql } from '#server/sql/reject-transition.sql.ts';
import { releaseTransitionSql } from '#server/sql/release-transition.sql.ts';
import { traceStep } from '#server/tracing.ts';

/** What is kept beside a move, as JSON; ids, codes and hashes only. */
export type Evidence = Readonly<Record<string, unknown>>;

/** Every move that exists, with what it must be given. `fence` and `fromStatus` are as they were read. */
export type Transition =
  | {
      readonly kind: 'claim';
      readonly withdrawalId: string;
      readonly fromStatus: 'queued' | 'in_doubt';
      readonly fence: bigint;
      readonly site: CustodySite;
      readonly notAfter: Date;
      readonly body: Buffer;
      readonly bodySha256: string;
      readonly answerWithinMs: number;
      readonly attemptsMax: number;
    }
  | {
      readonly kind: 'answer';
      readonly withdrawalId: string;
      readonly fence: bigint;
      readonly attempt: number;
      readonly outcome: 'not_sent' | 'later' | 'refused' | 'in_doubt';
      readonly detail: Evidence;
      readonly queuedWaitMs: number;
      readonly inDoubtWaitMs: number;
      readonly waitReason: string;
    }
  | {
      readonly kind: 'accepted';
      readonly withdrawalId: string;
      readonly fromStatus: WithdrawalStatus;
      readonly transferId: string;
      readonly attempt: { readonly number: number; readonly outcome: 'accepted' | 'found' } | null;
      readonly site: CustodySite;
      readonly pollMs: number;
      readonly actor: string;
      readonly reason: string;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'look_up';
      readonly withdrawalId: string;
      readonly fromStatus: 'dispatching' | 'in_doubt';
      readonly fence: bigint;
      readonly site: CustodySite;
      readonly leaseMs: number;
    }
  | {
      readonly kind: 'absence';
      readonly withdrawalId: string;
      readonly fence: bigint;
      readonly lookUp: number;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'refused';
      readonly withdrawalId: string;
      readonly fence: bigint;
      readonly lookUp: number;
      readonly lookUpOutcome: 'refusal_found' | 'not_found';
      /** Marks every send that may have been carried out as proved absent. */
      readonly absenceProved: boolean;
      readonly code: string;
      readonly reason: string;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'doubt';
      readonly withdrawalId: string;
      readonly fromStatus: WithdrawalStatus;
      readonly actor: string;
      readonly reason: string;
      readonly evidence: Evidence;
    }
  | {
      /** In a spell of look-up only, every row that custody was not proved to have, at once: an attempt of the lost memory's each. */
      readonly kind: 'memory_lost';
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'broadcast';
      readonly withdrawalId: string;
      readonly transactionHash: string;
      readonly pollMs: number;
      readonly actor: string;
      readonly reason: string;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'completed';
      readonly withdrawalId: string;
      readonly fromStatus: 'submitted' | 'broadcast';
      readonly effectId: bigint;
      readonly confirmations: number;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'failed';
      readonly withdrawalId: string;
      readonly fromStatus: 'submitted' | 'broadcast';
      readonly code: string;
      readonly evidence: Evidence;
    }
  | {
      readonly kind: 'cancel';
      readonly withdrawalId: string;
      readonly customerId: string;
      /** Who does it for the customer, and why; null for the customer. */
      readonly operator: { readonly operatorId: string; readonly reason: string } | null;
    }
  | {
      /** The approvals are rows already; the row moves when they are enough. */
      readonly kind: 'approve' | 'reject';
      readonly withdrawalId: string;
      readonly revision: bigint;
      readonly operatorId: string;
      readonly reason: string;
    }
  | {
      /** Confirmed by a second person; the database looks for both. */
      readonly kind: 'release';
      readonly withdrawalId: string;
      readonly fence: bigint;
      readonly revision: bigint;
      readonly resolutionId: string;
      readonly operatorId: string;
    };

export type TransitionResult =
  | {
      readonly kind: 'moved';
      readonly status: string;
      readonly fence: bigint;
      readonly attempt: number | null;
      /** How many rows, where the move is not one row's. */
      readonly rows: number;
    }
  /** The row was no longer as it had been read, or the statement's own conditions did not hold. Nothing but a late answer was kept. */
  | { readonly kind: 'not_moved' };

/**
 * The one writer of status. Each move is one statement that also writes its history, its postings and its wake-ups, so no
 * crash falls between them. Zero rows is an answer, not an error.
 */
export async function recordTransition(deps: { db: Db }, transition: Transition): Promise<TransitionResult> {
  const [statement, values] = toStatement(transition);
  const [row] = await deps.db.query<MovedRow>(statement, values);
  if (row === undefined) return { kind: 'not_moved' };
  const { status, fence, attempt, rows = 1 } = row;
  if ('withdrawalId' in transition) {
    traceStep(`withdrawal.${status}`, transition.withdrawalId, { attributes: { move: transition.kind, fence } });
  }
  return { kind: 'moved', status, fence: BigInt(fence), attempt, rows };
}

/** The moves that a busy worker makes by the hundred, each with its statement for many. */
export const GATHERED_TRANSITIONS: readonly GatheredStatement[] = [
  { alone: claimTransitionSql.name, together: gatheredClaimTransitionSql },
  { alone: acceptedTransitionSql.name, together: gatheredAcceptedTransitionSql },
  { alone: broadcastTransitionSql.name, together: gatheredBroadcastTransitionSql },
];

interface MovedRow {
  readonly fence: string;
  readonly attempt: number | null;
  readonly status: string;
  readonly rows?: number;
}

function toStatement(t: Transition): [Statement, readonly unknown[]] {
  switch (t.kind) {
    case 'claim':
      return [
        claimTransitionSql,
        [
          t.withdrawalId,
          t.fromStatus,
          t.fence.toString(),
          t.site.provider,
          t.site.account,
          t.notAfter,
          t.body,
          t.bodySha256,
          t.answerWithinMs,
          t.fromStatus === 'queued' ? 'claimed' : 'resend_rule',
          t.attemptsMax,
        ],
      ];
    case 'answer':
      return [
        answerTransitionSql,
        [
          t.withdrawalId,
          t.fence.toString(),
          t.attempt,
          t.outcome,
          t.detail,
          t.queuedWaitMs,
          t.inDoubtWaitMs,
          t.waitReason,
        ],
      ];
    case 'accepted':
      return [
        acceptedTransitionSql,
        [
          t.withdrawalId,
          t.fromStatus,
          t.transferId,
          t.attempt?.number ?? null,
          t.attempt?.outcome ?? null,
          t.pollMs,
          t.actor,
          t.reason,
          t.evidence,
          t.site.provider,
          t.site.account,
        ],
      ];
    case 'look_up':
      return [
        lookUpTransitionSql,
        [t.withdrawalId, t.fromStatus, t.fence.toString(), t.site.provider, t.site.account, t.leaseMs],
      ];
    case 'absence':
      return [absenceTransitionSql, [t.withdrawalId, t.fence.toString(), t.lookUp, t.evidence]];
    case 'refused':
      return [
        refusedTransitionSql,
        [t.withdrawalId, t.fence.toString(), t.lookUp, t.lookUpOutcome, t.code, t.reason, t.evidence, t.absenceProved],
      ];
    case 'doubt':
      return [doubtTransitionSql, [t.withdrawalId, t.fromStatus, t.actor, t.reason, t.evidence]];
    case 'memory_lost':
      return [memoryTransitionSql, [t.evidence]];
    case 'broadcast':
      return [broadcastTransitionSql, [t.withdrawalId, t.transactionHash, t.pollMs, t.actor, t.reason, t.evidence]];
    case 'completed':
      return [
        completedTransitionSql,
        [t.withdrawalId, t.fromStatus, t.effectId.toString(), t.confirmations, t.evidence],
      ];
    case 'failed':
      return [failedTransitionSql, [t.withdrawalId, t.fromStatus, t.code, t.evidence]];
    case 'cancel':
      return [
        cancelTransitionSql,
        [t.withdrawalId, t.customerId, t.operator?.operatorId ?? null, t.operator?.reason ?? null],
      ];
    case 'approve':
      return [approveTransitionSql, [t.withdrawalId, t.revision.toString(), t.operatorId, t.reason]];
    case 'reject':
      return [rejectTransitionSql, [t.withdrawalId, t.revision.toString(), t.operatorId, t.reason]];
    case 'release': {
      const { withdrawalId, fence, revision, resolutionId, operatorId } = t;
      return [releaseTransitionSql, [withdrawalId, fence.toString(), revision.toString(), resolutionId, operatorId]];
    }
    default:
      return unreachable(t);
  }
}
