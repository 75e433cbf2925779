import { type Refusal, refuse } from '#domain/refusal.ts';
import { type ApprovalSubject, countApprovals, type GivenApproval, mayApprove } from '#domain/withdrawal-approval.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** A waiting withdrawal under its lock, and what was approved of it so far. */
export interface WaitingWithdrawal {
  readonly withdrawalId: string;
  readonly current: ApprovalSubject;
  readonly approvalsRequired: number;
  readonly approvals: number;
  readonly assetId: string;
}

/**
 * Locks the row and asks the domain whether this person may decide about what they saw. The database refuses the same by
 * itself (`approvals_*`).
 */
export async function lockWaiting(
  deps: { db: Db },
  input: { withdrawalId: string; operatorId: string; seen: ApprovalSubject },
): Promise<{ kind: 'waiting'; waiting: WaitingWithdrawal } | { kind: 'refused'; refusal: Refusal }> {
  const [row] = await deps.db.query<WaitingRow>(lockWaitingSql, [input.withdrawalId]);
  if (row === undefined) return { kind: 'refused', refusal: refuse('not_found') };
  if (row.status !== 'awaiting_approval') return { kind: 'refused', refusal: refuse('already_done') };
  const current = { payloadHash: row.payload, revision: BigInt(row.revision) };
  const given = (await deps.db.query<GivenRow>(findGivenSql, [input.withdrawalId])).map(toGiven);
  const verdict = mayApprove({
    requesterId: row.customer_id,
    operatorId: input.operatorId,
    seen: input.seen,
    current,
    given,
  });
  if (!verdict.allowed) {
    const code = verdict.reason === 'payload_changed' ? 'changed_meanwhile' : 'second_person_needed';
    return { kind: 'refused', refusal: refuse(code) };
  }
  const approvals = countApprovals(given, current);
  const { approvals_required: approvalsRequired, asset_id: assetId } = row;
  return { kind: 'waiting', waiting: { withdrawalId: row.id, current, approvalsRequired, approvals, assetId } };
}

/** Keeps one person's decision. @throws DatabaseError named `approvals_*` where the database does not agree */
export async function keepDecision(
  deps: { db: Db },
  input: { waiting: WaitingWithdrawal; operatorId: string; decision: 'approved' | 'rejected'; reason: string },
): Promise<void> {
  const { withdrawalId, current } = input.waiting;
  const values = [withdrawalId, input.operatorId, input.decision, current.payloadHash, current.revision.toString()];
  await deps.db.query(insertApprovalSql, [...values, input.reason]);
}

interface WaitingRow {
  readonly id: string;
  readonly status: string;
  readonly customer_id: string;
  readonly asset_id: string;
  readonly revision: string;
  readonly approvals_required: number;
  readonly payload: string;
}

interface GivenRow {
  readonly approver_id: string;
  readonly payload_sha256: string;
  readonly revision: string;
}

function toGiven(row: GivenRow): GivenApproval {
  return { operatorId: row.approver_id, payloadHash: row.payload_sha256, revision: BigInt(row.revision) };
}

const lockWaitingSql: Statement = {
  name: 'lock_waiting',
  text: `
    select w.id, w.status, w.customer_id, w.asset_id, w.revision, w.approvals_required, withdrawal_payload_sha256(w) as payload
    from withdrawals w where w.id = $1 and w.asset_id is not null for update`,
};

const findGivenSql: Statement = {
  name: 'find_given_approvals',
  text: `select approver_id, payload_sha256, revision from approvals where withdrawal_id = $1 and decision = 'approved'`,
};

const insertApprovalSql: Statement = {
  name: 'insert_approval',
  text: `
    insert into approvals (withdrawal_id, approver_id, decision, payload_sha256, revision, reason)
    values ($1, $2, $3, $4, $5, $6)`,
};
