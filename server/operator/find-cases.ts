import { z } from 'zod';
import type { Db, Statement } from '#server/db/database.ts';

export interface ShownCase {
  caseId: string;
  kind: string;
  withdrawalId: string | null;
  customerEmail: string | null;
  /** The customer's payouts are stopped, and go on when their last case is closed. */
  payoutsStopped: boolean;
  /** What was found, by name: text, numbers, lists, as the machine wrote them down. */
  evidence: { name: string; value: string }[];
  revision: string;
  openedAt: string;
  ageSeconds: number;
  proposal: { byId: string; by: string; at: string; reason: string; isOfThisEvidence: boolean } | null;
  closed: { at: string; by: string | null; reason: string } | null;
}

const proposalSchema = z
  .object({ byId: z.string(), by: z.string(), at: z.coerce.date(), reason: z.string(), isOfThisEvidence: z.boolean() })
  .nullable();

/**
 * A page of contradictions that people have to explain: the open ones or all, the newest first.
 *
 * @param input.named stands before all others on the first page, closed or not, and on no other
 */
export async function findCases(
  deps: { db: Db },
  input: { cursor: string | null; limit: number; open: boolean; named: string | null },
): Promise<{ items: ShownCase[]; nextCursor: string | null }> {
  const { cursor, limit, open, named } = input;
  const rows = await deps.db.query<CaseRow>(findCasesSql, [cursor, limit + 1, open]);
  const first = named === null || cursor !== null ? [] : await deps.db.query<CaseRow>(findCaseSql, [named]);
  const page = rows.slice(0, limit);
  return {
    items: [...first, ...page.filter(({ id }) => id !== named)].map(toCase),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function toCase(row: CaseRow): ShownCase {
  const proposal = proposalSchema.parse(row.proposal);
  return {
    caseId: row.id,
    kind: row.kind,
    withdrawalId: row.withdrawal_id,
    customerEmail: row.email,
    payoutsStopped: row.payouts_stopped,
    evidence: Object.entries(row.evidence).map(([name, value]) => ({
      name,
      value: textOf(value),
    })),
    revision: row.revision,
    openedAt: row.opened_at.toISOString(),
    ageSeconds: row.age_seconds,
    proposal: proposal && { ...proposal, at: proposal.at.toISOString() },
    closed:
      row.closed_at === null
        ? null
        : { at: row.closed_at.toISOString(), by: row.closed_by, reason: row.closed_reason ?? '' },
  };
}

interface CaseRow {
  readonly id: string;
  readonly kind: string;
  readonly withdrawal_id: string | null;
  readonly email: string | null;
  readonly payouts_stopped: boolean;
  readonly evidence: Record<string, unknown>;
  readonly revision: string;
  readonly opened_at: Date;
  readonly age_seconds: number;
  readonly proposal: unknown;
  readonly closed_at: Date | null;
  readonly closed_by: string | null;
  readonly closed_reason: string | null;
}

/** As people read it: a list without its brackets and quotes, everything else as it was written down. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return JSON.stringify(value);
}

const SHOWN = `
    select c.id, c.kind, c.withdrawal_id, u.email, coalesce(k.payouts_stopped_at is not null, false) as payouts_stopped, c.evidence, c.revision,
      c.opened_at, extract(epoch from protocol_now() - c.opened_at)::float8 as age_seconds,
      case when c.close_proposed_by is not null and c.closed_at is null then json_build_object('byId', c.close_proposed_by, 'by', p.name,
        'at', c.close_proposed_at, 'reason', c.closed_reason, 'isOfThisEvidence', c.close_proposed_revision = c.revision) end as proposal,
      c.closed_at, q.name as closed_by, c.closed_reason
    from cases c left join users u on u.id = c.customer_id left join customers k on k.id = c.customer_id
      left join users p on p.id = c.close_proposed_by left join users q on q.id = c.closed_by`;

const findCaseSql: Statement = { name: 'find_case', text: `${SHOWN} where c.id = $1` };

const findCasesSql: Statement = {
  name: 'find_cases',
  text: `${SHOWN}
    where ($1::uuid is null or (c.opened_at, c.id) < (select x.opened_at, x.id from cases x where x.id = $1))
      and (not $3::boolean or c.closed_at is null)
    order by c.opened_at desc, c.id desc limit $2`,
};
