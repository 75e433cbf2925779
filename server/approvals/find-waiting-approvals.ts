import { formatAmount, fromMinorText } from '#domain/money.ts';
import { REFERENCE_DECIMALS } from '#domain/withdrawal-limits.ts';
import type { Db, Statement } from '#server/db/database.ts';

/** A request that waits for people, with what a decision is bound to. */
export interface WaitingApproval {
  withdrawalId: string;
  customerEmail: string;
  asset: string;
  network: string;
  address: string;
  memo: string | null;
  amount: string;
  fee: string;
  /** In the reference currency; null where there was no price. */
  value: string | null;
  reasons: string[];
  approvalsRequired: number;
  approvals: { approverId: string; approverName: string; at: string; reason: string | null }[];
  payloadSha256: string;
  revision: string;
  requestedAt: string;
  ageSeconds: number;
}

/**
 * A page of what waits, the oldest first.
 *
 * @param input.limit up to 100
 */
export async function findWaitingApprovals(
  deps: { db: Db },
  input: { cursor: string | null; limit: number },
): Promise<{ items: WaitingApproval[]; nextCursor: string | null }> {
  const rows = await deps.db.query<WaitingRow>(findWaitingApprovalsSql, [input.cursor]);
  const items = rows.slice(0, input.limit).map(toApproval);
  return { items, nextCursor: rows.length > input.limit ? (items.at(-1)?.withdrawalId ?? null) : null };
}

function toApproval(row: WaitingRow): WaitingApproval {
  return {
    withdrawalId: row.id,
    customerEmail: row.email,
    asset: row.asset_id,
    network: row.network_id,
    address: row.address,
    memo: row.memo,
    amount: formatAmount(fromMinorText(row.amount_minor), row.decimals),
    fee: formatAmount(fromMinorText(row.fee_minor), row.decimals),
    value: row.value === null ? null : formatAmount(fromMinorText(row.value), REFERENCE_DECIMALS),
    reasons: row.approval_reasons,
    approvalsRequired: row.approvals_required,
    approvals: row.approvals,
    payloadSha256: row.payload,
    revision: row.revision,
    requestedAt: row.requested_at.toISOString(),
    ageSeconds: row.age_seconds,
  };
}

interface WaitingRow {
  readonly id: string;
  readonly email: string;
  readonly asset_id: string;
  readonly network_id: string;
  readonly address: string;
  readonly memo: string | null;
  readonly amount_minor: string;
  readonly fee_minor: string;
  readonly value: string | null;
  readonly decimals: number;
  readonly approval_reasons: string[];
  readonly approvals_required: number;
  readonly approvals: { approverId: string; approverName: string; at: string; reason: string | null }[];
  readonly payload: string;
  readonly revision: string;
  readonly requested_at: Date;
  readonly age_seconds: number;
}

// A page of 100 and one more, written out: behind a parameter the planner expects a tenth of everything. $1 cursor
const findWaitingApprovalsSql: Statement = {
  name: 'find_waiting_approvals',
  text: `
    with cur as (
      select coalesce(c.status_since, '-infinity') as since, coalesce(c.id, '00000000-0000-0000-0000-000000000000') as id
      from (select 1) one left join withdrawals c on c.id = $1::uuid
    )
    select w.id, u.email, w.asset_id, w.network_id, w.address, w.memo, w.amount_minor, w.fee_minor, a.decimals,
      w.value_reference_minor as value, w.approval_reasons, w.approvals_required, withdrawal_payload_sha256(w) as payload, w.revision,
      w.requested_at, extract(epoch from protocol_now() - w.requested_at)::integer as age_seconds,
      coalesce((select jsonb_agg(jsonb_build_object('approverId', p.approver_id, 'approverName', x.name, 'at', p.at, 'reason', p.reason) order by p.id)
        from approvals p join users x on x.id = p.approver_id
        where p.withdrawal_id = w.id and p.decision = 'approved' and p.revision = w.revision), '[]') as approvals
    from withdrawals w join users u on u.id = w.customer_id join assets a on a.id = w.asset_id
    where w.status = 'awaiting_approval' and (w.status_since, w.id) > ((select cur.since from cur), (select cur.id from cur))
    order by w.status_since, w.id limit 101`,
};
